//! What a thread knows at its end.

use crate::Clock;
use crate::threads::current::{self, acquire_from, add_to};
use std::sync::{Arc, Mutex, PoisonError};

/// What a thread knew when it ended, for who joins it.
#[derive(Clone, Default)]
pub(super) struct End(Arc<Mutex<Clock>>);

impl End {
    /// The running thread comes after its end.
    pub(super) fn join(&self) {
        acquire_from(&self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// `f`, as what a thread runs that comes after `start`.
    pub(super) fn around<T>(self, start: Option<Clock>, f: impl FnOnce() -> T) -> impl FnOnce() -> T {
        move || {
            // First of all: so the clock is dropped after what other thread-locals the thread has.
            current::begin(start, &self.0);
            let _end = Ending(self);
            f()
        }
    }
}

/// Notes the end, when a thread returns or unwinds.
struct Ending(End);

impl Drop for Ending {
    fn drop(&mut self) {
        add_to(&mut self.0.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
