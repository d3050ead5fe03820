//! Locks of one or two words. Each thread takes and frees the lock once.

use super::Started;
use cdsspec_runtime::hint;
use cdsspec_runtime::sync::atomic::AtomicUsize;
use cdsspec_runtime::sync::atomic::Ordering::{Acquire, Relaxed, Release};

static LOCK: AtomicUsize = AtomicUsize::new(0);
static TICKET: AtomicUsize = AtomicUsize::new(0);
static TURN: AtomicUsize = AtomicUsize::new(0);

/// A compare-exchange until it works.
pub(in super::super) fn spinlock(threads: usize) {
    Started::all(threads, |_| {
        while LOCK.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            hint::spin_loop();
        }
        LOCK.store(0, Release);
    })
    .join();
}

/// A load until the lock looks free, then a compare-exchange; all again if it fails.
pub(in super::super) fn ttas_lock(threads: usize) {
    Started::all(threads, |_| {
        loop {
            while LOCK.load(Relaxed) != 0 {
                hint::spin_loop();
            }
            if LOCK.compare_exchange(0, 1, Acquire, Relaxed).is_ok() {
                break;
            }
            hint::spin_loop();
        }
        LOCK.store(0, Release);
    })
    .join();
}

/// Each thread takes a number, and waits until it is called.
pub(in super::super) fn ticket_lock(threads: usize) {
    Started::all(threads, |_| {
        let mine = TICKET.fetch_add(1, Relaxed);
        while TURN.load(Acquire) != mine {
            hint::spin_loop();
        }
        TURN.store(mine + 1, Release);
    })
    .join();
}
