//! The clock of the running thread.

use super::mode::is_on;
use super::stamp::{STEP_MAX, Stamp};
use super::thread_clock::ThreadClock;
use crate::Clock;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex};

thread_local! {
    static CURRENT: Running = const {
        Running { own: OwnSteps { last: Cell::new(0), learnt_at: Cell::new(0) }, current: RefCell::new(Current::Unseen) }
    };
}

/// The running thread.
struct Running {
    own: OwnSteps,
    current: RefCell<Current>,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Current::Seen(thread) = self.current.get_mut() {
            self.own.give_to(thread);
        }
    }
}

/// What is asked of a thread most often: between operations that need all of its clock, the newest of it is here.
pub(crate) struct OwnSteps {
    /// Its last step, as [`Stamp::bits`] has it; 0 if it has no clock, or that does not fit.
    last: Cell<u64>,
    /// See [`ThreadClock::learnt_at`].
    learnt_at: Cell<u64>,
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

impl OwnSteps {
    /// One more step, as bits, if it fits.
    #[inline(always)]
    pub(crate) fn next(&self) -> Option<u64> {
        let last = self.last.get();
        (last != 0 && Stamp::has_room(last)).then_some(last + 1)
    }

    /// The step is done.
    #[inline(always)]
    pub(crate) fn set_last(&self, bits: u64) {
        self.last.set(bits);
    }

    /// See [`ThreadClock::has_released`].
    #[inline(always)]
    pub(crate) fn has_released(&self, stamp: Stamp, next: u64) -> bool {
        stamp.is_epoch_of(next) && stamp.bits() & STEP_MAX >= self.learnt_at.get()
    }

    #[inline(always)]
    fn give_to(&self, thread: &mut ThreadClock) {
        let last = self.last.get();
        if last != 0 {
            thread.catch_up(last & STEP_MAX);
        }
    }

    fn take_from(&self, thread: &ThreadClock) {
        self.last.set(Stamp::bits_of(thread.last()).unwrap_or(0));
        self.learnt_at.set(thread.learnt_at());
    }
}

/// Does something with the clock of the running thread. `None`, and nothing is done: contracts are off; it is the destructor of a thread-local that
/// runs after ours; or an allocator that is called by this crate uses these types itself. What is done there orders nothing.
#[inline]
pub(crate) fn with<R>(f: impl FnOnce(&mut ThreadClock) -> R) -> Option<R> {
    let done = CURRENT.try_with(|Running { own, current }| {
        let mut current = current.try_borrow_mut().ok()?;
        if let Current::Unseen = &*current {
            begin_foreign(&mut current);
        }
        match &mut *current {
            Current::Seen(thread) => {
                own.give_to(thread);
                let result = f(thread);
                own.take_from(thread);
                Some(result)
            }
            Current::Unseen | Current::Off => None,
        }
    });
    done.ok().flatten()
}

/// Tries to do something with the steps of the running thread alone. `None` if it does not, and the clock is needed.
#[inline(always)]
pub(crate) fn with_own<R>(f: impl FnOnce(&OwnSteps) -> Option<R>) -> Option<R> {
    CURRENT.try_with(|running| f(&running.own)).ok().flatten()
}

/// A thread that was not made by this crate begins where it is first seen.
#[cold]
#[inline(never)]
fn begin_foreign(current: &mut Current) {
    *current = Current::new(None);
}

/// The running thread was made by this crate, after `start`: what is said before anything else is done in it. When its clock is dropped, what it knew is
/// added to `end`.
pub(crate) fn begin(start: Option<Clock>, end: &Arc<Mutex<Clock>>) {
    if let Some(start) = start {
        // It has just begun, and has no clock yet.
        let _ = CURRENT.try_with(|running| {
            let mut current = Current::new(Some(start));
            if let Current::Seen(thread) = &mut current {
                thread.set_end(Arc::clone(end));
                running.own.take_from(thread);
            }
            running.current.replace(current);
        });
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
