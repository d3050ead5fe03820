//! Thirteen classes as in table 1 of the paper, with the methods that stand there, and seven seeded errors.
//!
//! They are small structures of the same names, not ports of the .NET classes: a lock and a condition variable each, as far as the errors leave that.
//! The errors A (a compare-exchange that reads again) and B (a lock that times out) are those that the paper describes. It says nothing of the others:
//! C to G are of our choice.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

mod barrier;
mod collection;
mod container;
mod event;
mod lazy;
mod task;

pub(super) use barrier::barrier;
pub(super) use collection::{bag, blocking_collection};
pub(super) use container::{dictionary, linked_list, queue, stack};
pub(super) use event::{countdown_event, manual_reset_event, semaphore};
pub(super) use lazy::lazy_initialization;
pub(super) use task::{Error, cancellation_source, completion_source};

use cdsspec_runtime::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// A value under a lock, which threads may wait for to change.
#[derive(Default)]
pub(super) struct Monitor<S> {
    state: Mutex<S>,
    has_changed: Condvar,
}

impl<S> Monitor<S> {
    fn new(state: S) -> Self {
        Self { state: Mutex::new(state), has_changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, S> {
        self.state.lock().expect("nobody panics with it")
    }

    /// Looks at the value.
    fn look<R>(&self, look: impl FnOnce(&S) -> R) -> R {
        look(&self.lock())
    }

    /// Changes the value, and tells who waits, under the lock: so the order of the locks is that of the notifications.
    fn change<R>(&self, change: impl FnOnce(&mut S) -> R) -> R {
        let mut state = self.lock();
        let result = change(&mut state);
        self.has_changed.notify_all();
        result
    }

    /// Waits until the value gives something.
    fn wait<R>(&self, mut take: impl FnMut(&mut S) -> Option<R>) -> R {
        let mut state = self.lock();
        loop {
            if let Some(result) = take(&mut state) {
                return result;
            }
            state = self.has_changed.wait(state).expect("nobody panics with it");
        }
    }

    /// The same, but only for a time.
    fn wait_for<R>(&self, mut take: impl FnMut(&mut S) -> Option<R>) -> Option<R> {
        let mut state = self.lock();
        loop {
            if let Some(result) = take(&mut state) {
                return Some(result);
            }
            let waited = self.has_changed.wait_timeout(state, Duration::from_millis(1));
            let (woken, result) = waited.expect("nobody panics with it");
            state = woken;
            if result.timed_out() {
                return None;
            }
        }
    }
}
