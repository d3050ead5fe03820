//! Waiting for threads.

use super::current::Thread;
use crate::port::{Body, as_checker, here, run_body, with};
use crate::record::{Orders, operation_name};
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a thread of an execution is to do, and then what it returned. The memory is the checker's, what is in it is the program's.
pub(super) struct Task<F, T>(Mutex<TaskState<F, T>>);

enum TaskState<F, T> {
    New(F),
    /// It runs, or its result was taken.
    Empty,
    Ended(T),
}

/// Where a thread leaves its result.
pub(super) trait Slot<T>: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// # Errors
    /// If there is no result: the execution was cut.
    fn take(&self) -> super::Result<T>;
}

impl<F, T> Task<F, T> {
    pub(super) fn new(f: F) -> Self {
        Self(Mutex::new(TaskState::New(f)))
    }

    #[inline]
    fn lock(&self) -> MutexGuard<'_, TaskState<F, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F: FnOnce() -> T + Send, T: Send> Body for Task<F, T> {
    fn run(self: Arc<Self>) {
        let TaskState::New(f) = std::mem::replace(&mut *self.lock(), TaskState::Empty) else {
            unreachable!("cdsspec bug: a thread runs its body once")
        };
        // A result that nobody will ask for is dropped in there, too.
        run_body(move || {
            let result = f();
            *self.lock() = TaskState::Ended(result);
        });
    }
}

impl<F: Send, T: Send> Slot<T> for Task<F, T> {
    fn take(&self) -> super::Result<T> {
        let mut state = self.lock();
        match std::mem::replace(&mut *state, TaskState::Empty) {
            TaskState::Ended(result) => Ok(result),
            // A thread that has not run keeps what it is to do.
            other => {
                *state = other;
                Err(Box::new("the execution was cut"))
            }
        }
    }
}

/// std's `JoinHandle`. Dropped, it leaves the thread running.
pub struct JoinHandle<T> {
    thread: Thread,
    inner: Inner<T>,
}

enum Inner<T> {
    Std(std::thread::JoinHandle<T>),
    Execution(Arc<dyn Slot<T>>),
}

impl<T> JoinHandle<T> {
    pub(super) fn of_std(handle: std::thread::JoinHandle<T>) -> Self {
        Self { thread: Thread::of_std(handle.thread().clone()), inner: Inner::Std(handle) }
    }

    pub(super) fn of_execution(thread: Thread, slot: Arc<dyn Slot<T>>) -> Self {
        Self { thread, inner: Inner::Execution(slot) }
    }

    /// Waits for the thread to end; returns what it returned.
    ///
    /// # Errors
    /// The payload of its panic.
    ///
    /// # Panics
    /// If the thread is one of an execution that is over.
    #[inline(always)]
    #[track_caller]
    pub fn join(self) -> super::Result<T> {
        let place = here(operation_name!("join"), Orders::None);
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

    /// Whether the thread has ended. As std's, it may say `false` after the thread's last operation, and `true` orders nothing: a
    /// [`join`](Self::join) does. Of an execution that is over, all threads have ended.
    #[inline(always)]
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        let place = here(operation_name!("is_finished"), Orders::None);
        let Inner::Std(handle) = &self.inner else {
            let finished = with(|execution| {
                let thread = self.thread.id().of_execution(execution.number())?;
                Some(execution.port().is_finished(place, thread))
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
