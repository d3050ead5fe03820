//! Starting threads.

use super::JoinHandle;
use super::current::Thread;
use super::join::Task;
use crate::port::{Body, Execution, here, with};
use crate::record::{Orders, Place};
use std::io;
use std::sync::Arc;

/// std's `Builder`.
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
    stack_bytes: Option<usize>,
}

impl Builder {
    /// A thread with no name and the default stack.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the thread.
    #[must_use]
    pub fn name(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    /// The size of its stack, in bytes.
    #[must_use]
    pub fn stack_size(mut self, size: usize) -> Self {
        self.stack_bytes = Some(size);
        self
    }

    /// Starts the thread.
    ///
    /// # Errors
    /// Outside an execution, what the operating system says.
    #[inline(always)]
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let place = here("spawn", Orders::None);
        // `f` goes to one of the two.
        let mut f = Some(f);
        if let Some(handle) = with(|execution| {
            let f = f.take().expect("cdsspec bug: a thread is started once");
            let task = Arc::new(Task::new(f));
            let thread = self.spawn_in_execution(execution, place, Arc::clone(&task) as Arc<dyn Body>);
            JoinHandle::of_execution(thread, task)
        }) {
            return Ok(handle);
        }
        let f = f.take().expect("cdsspec bug: a thread is started once");
        self.into_std().spawn(f).map(JoinHandle::of_std)
    }

    pub(super) fn spawn_in_execution(
        &self,
        execution: &Execution,
        place: Place,
        body: Arc<dyn Body>,
    ) -> Thread {
        let name: Option<Arc<str>> = self.name.as_deref().map(Arc::from);
        let thread = execution.port().spawn(place, self.name.clone(), self.stack_bytes, body);
        Thread::of_execution(execution.number(), thread, name)
    }

    pub(super) fn into_std(self) -> std::thread::Builder {
        let mut builder = std::thread::Builder::new();
        if let Some(name) = self.name {
            builder = builder.name(name);
        }
        if let Some(bytes) = self.stack_bytes {
            builder = builder.stack_size(bytes);
        }
        builder
    }
}

/// std's `spawn`.
///
/// # Panics
/// Outside an execution, if the operating system cannot start a thread.
#[inline(always)]
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("failed to spawn thread")
}
