//! The clock of the running thread.

use super::mode::is_on;
use super::thread_clock::ThreadClock;
use crate::Clock;
use std::cell::RefCell;

thread_local! {
    static CURRENT: RefCell<Option<ThreadClock>> = const { RefCell::new(None) };
}

/// Does something with the clock of the running thread. There is none where contracts are off; in the destructor of a thread-local that
/// runs after ours; and for an allocator that is called by this crate and uses these types itself: what is done there orders nothing.
#[inline]
pub(crate) fn with<R>(f: impl FnOnce(Option<&mut ThreadClock>) -> R) -> R {
    if !is_on() {
        return f(None);
    }
    let mut f = Some(f);
    let done = CURRENT.try_with(|current| {
        let mut current = current.try_borrow_mut().ok()?;
        let thread = match &mut *current {
            Some(thread) => thread,
            none => none.insert(begin_foreign()),
        };
        f.take().map(|f| f(Some(thread)))
    });
    match (done, f) {
        (Ok(Some(result)), _) => result,
        (_, Some(f)) => f(None),
        (_, None) => unreachable!("cdsspec bug: what was done has a result"),
    }
}

/// A thread that was not made by this crate begins where it is first seen.
#[cold]
fn begin_foreign() -> ThreadClock {
    ThreadClock::begin(None)
}

/// The running thread was made by this crate, after `start`: what is said before anything else is done in it.
pub(crate) fn begin(start: Option<Clock>) {
    if is_on()
        && let Some(start) = start
    {
        let thread = ThreadClock::begin(Some(start));
        // It has just begun, and has no clock yet.
        let _ = CURRENT.try_with(|current| current.replace(Some(thread)));
    }
}

/// A step after which everything that the thread knows is in `released`, and nothing else.
#[inline]
pub(crate) fn release_to(released: &mut Clock) {
    with(|thread| match thread {
        Some(thread) => {
            thread.step();
            released.clone_from(thread.clock());
        }
        None => released.clear(),
    });
}

/// A step after which everything that the thread knows is in `released`, too.
#[inline]
pub(crate) fn add_to(released: &mut Clock) {
    with(|thread| {
        if let Some(thread) = thread {
            thread.step();
            released.join(thread.clock());
        }
    });
}

/// A step after which the thread knows what is in `released`.
#[inline]
pub(crate) fn acquire_from(released: &Clock) {
    with(|thread| {
        if let Some(thread) = thread {
            thread.step();
            thread.join(released);
        }
    });
}

/// What the running thread hands to one that it makes.
pub(crate) fn start_of_child() -> Option<Clock> {
    with(|thread| {
        thread.map(|thread| {
            thread.step();
            thread.clock().clone()
        })
    })
}
