//! Waiting for threads.

use super::current::Thread;
use crate::port::{as_checker, with};
use crate::record::{Orders, Place};
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// What a thread of an execution returned.
pub(super) struct Slot<T>(Mutex<Option<T>>);

impl<T> Slot<T> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(None))
    }

    pub(super) fn fill(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    /// # Errors
    /// If there is no result: the execution was cut.
    pub(super) fn take(&self) -> super::Result<T> {
        let result = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        result.ok_or_else(|| -> Box<dyn Any + Send> { Box::new("the execution was cut") })
    }
}

/// std's `JoinHandle`. Dropped, it leaves the thread running.
pub struct JoinHandle<T> {
    thread: Thread,
    inner: Inner<T>,
}

enum Inner<T> {
    Std(std::thread::JoinHandle<T>),
    Execution(Arc<Slot<T>>),
}

impl<T> JoinHandle<T> {
    pub(super) fn of_std(handle: std::thread::JoinHandle<T>) -> Self {
        Self { thread: Thread::of_std(handle.thread().clone()), inner: Inner::Std(handle) }
    }

    pub(super) fn of_execution(thread: Thread, slot: Arc<Slot<T>>) -> Self {
        Self { thread, inner: Inner::Execution(slot) }
    }

    /// Waits for the thread to end; returns what it returned.
    ///
    /// # Errors
    /// The payload of its panic.
    ///
    /// # Panics
    /// If the thread is one of an execution that is over.
    #[track_caller]
    pub fn join(self) -> super::Result<T> {
        let place = Place::here("join", Orders::None);
        let slot = match self.inner {
            Inner::Std(handle) => return handle.join(),
            Inner::Execution(slot) => slot,
        };
        let joined = with(|execution| {
            let thread = self.thread.id().of_execution(execution.number())?;
            Some(execution.port().join(place, thread))
        });
        joined.flatten().expect("a thread is joined in the execution that started it")?;
        let result = slot.take();
        // Nothing of the program's is in it any more.
        as_checker(|| drop(slot));
        result
    }

    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Whether the thread has ended. Of an execution that is over, all have.
    pub fn is_finished(&self) -> bool {
        let Inner::Std(handle) = &self.inner else {
            let finished = with(|execution| {
                let thread = self.thread.id().of_execution(execution.number())?;
                Some(execution.port().is_finished(thread))
            });
            return finished.flatten().unwrap_or(true);
        };
        handle.is_finished()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}
