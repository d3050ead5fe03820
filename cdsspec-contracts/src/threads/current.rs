//! The clock of the running thread.

use super::mode::is_on;
use super::thread_clock::ThreadClock;
use crate::Clock;
use std::cell::RefCell;

thread_local! {
    static CURRENT: RefCell<Current> = const { RefCell::new(Current::Unseen) };
}

/// The clock of a thread.
enum Current {
    Seen(ThreadClock),
    /// The thread has done nothing yet.
    Unseen,
    /// Contracts are off.
    Off,
}

impl Current {
    fn new(start: Option<Clock>) -> Self {
        if is_on() { Self::Seen(ThreadClock::begin(start)) } else { Self::Off }
    }
}

/// Does something with the clock of the running thread. `None`, and nothing is done: contracts are off; it is the destructor of a thread-local that
/// runs after ours; or an allocator that is called by this crate uses these types itself. What is done there orders nothing.
#[inline(always)]
pub(crate) fn with<R>(f: impl FnOnce(&mut ThreadClock) -> R) -> Option<R> {
    let done = CURRENT.try_with(|current| {
        let mut current = current.try_borrow_mut().ok()?;
        if let Current::Unseen = &*current {
            begin_foreign(&mut current);
        }
        match &mut *current {
            Current::Seen(thread) => Some(f(thread)),
            Current::Unseen | Current::Off => None,
        }
    });
    done.ok().flatten()
}

/// A thread that was not made by this crate begins where it is first seen.
#[cold]
#[inline(never)]
fn begin_foreign(current: &mut Current) {
    *current = Current::new(None);
}

/// The running thread was made by this crate, after `start`: what is said before anything else is done in it.
pub(crate) fn begin(start: Option<Clock>) {
    if let Some(start) = start {
        // It has just begun, and has no clock yet.
        let _ = CURRENT.try_with(|current| current.replace(Current::new(Some(start))));
    }
}

/// A step after which everything that the thread knows is in `released`, and nothing else.
pub(crate) fn release_to(released: &mut Clock) {
    let is_done = with(|thread| {
        thread.step();
        released.clone_from(thread.clock());
    });
    if is_done.is_none() {
        released.clear();
    }
}

/// A step after which everything that the thread knows is in `released`, too.
pub(crate) fn add_to(released: &mut Clock) {
    with(|thread| {
        thread.step();
        released.join(thread.clock());
    });
}

/// A step after which the thread knows what is in `released`.
pub(crate) fn acquire_from(released: &Clock) {
    with(|thread| {
        thread.step();
        thread.join(released);
    });
}

/// What the running thread hands to one that it makes.
pub(crate) fn start_of_child() -> Option<Clock> {
    with(|thread| {
        thread.step();
        thread.clock().clone()
    })
}
