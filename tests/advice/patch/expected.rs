//! Values that are handed over in several ways.

use cdsspec::cell::UnsafeCell;
use cdsspec::sync::atomic::{AtomicUsize, Ordering};
use cdsspec::thread;

#[derive(Default)]
struct Mailbox {
    data: UnsafeCell<u32>,
    state: AtomicUsize,
}

// SAFETY: `state` orders the accesses of `data`; where it does not, the engine reports the race.
unsafe impl Sync for Mailbox {}

impl Mailbox {
    fn write(&self) {
        // SAFETY: nobody reads before the state is 1.
        self.data.with_mut(|data| unsafe { *data = 1 });
    }

    fn read(&self) {
        // SAFETY: nobody writes once the state is 1.
        self.data.with(|data| assert_eq!(unsafe { *data }, 1));
    }
}

pub(crate) fn store__exchange() {
    let mailbox = Mailbox::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            mailbox.write();
            mailbox.state.store(1, Ordering::Release);
        });
        let is_taken = mailbox.state.compare_exchange(
            1, //
            2,
            Ordering::Acquire,
            Ordering::Relaxed,
        );
        if is_taken.is_ok() {
            mailbox.read();
        }
    });
}

pub(crate) fn update__load() {
    let mailbox = Mailbox::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            mailbox.write();
            let next = mailbox.state.fetch_update(Ordering::Release, Ordering::Relaxed, |old| Some(old + 1));
            assert_eq!(next, Ok(0));
        });
        if mailbox.state.load(Ordering::Acquire) == 1 {
            mailbox.read();
        }
    });
}
