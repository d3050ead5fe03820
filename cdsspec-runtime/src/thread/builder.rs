//! Starting threads.

use super::JoinHandle;
use super::current::Thread;
use super::join::{Slot, Task};
use crate::port::{Body, Execution, here, with};
use crate::record::{Orders, Place, operation_name};
use std::io;
use std::sync::Arc;

/// std's `Builder`.
#[derive(Debug)]
pub struct Builder {
    name: Option<String>,
    stack_bytes: Option<usize>,
}

impl Builder {
    /// A thread with no name and the default stack.
    #[expect(clippy::new_without_default, reason = "std's has none")]
    pub fn new() -> Self {
        Self { name: None, stack_bytes: None }
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
        // SAFETY: `f` and what it returns borrow nothing that ends.
        unsafe { self.spawn_unchecked(f) }
    }

    /// Starts the thread, which may borrow.
    ///
    /// # Errors
    /// Outside an execution, what the operating system says.
    ///
    /// # Safety
    /// What `f` and its result borrow outlives the thread: it is joined before that ends.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        let place = here(operation_name!("spawn"), Orders::None);
        // `f` goes to one of the two.
        let mut f = Some(f);
        if let Some(handle) = with(|execution| {
            let f = f.take().expect("cdsspec bug: a thread is started once");
            let task = Arc::new(Task::new(f));
            let body: Arc<dyn Body + '_> = Arc::clone(&task) as Arc<dyn Body + '_>;
            // SAFETY: the caller promises that the thread has ended before what it borrows; and an engine that leaves a thread without
            // unwinding it does not run or drop the body later.
            let body = unsafe { std::mem::transmute::<Arc<dyn Body + '_>, Arc<dyn Body>>(body) };
            let slot: Arc<dyn Slot<T> + '_> = task;
            // SAFETY: as above.
            let slot = unsafe { std::mem::transmute::<Arc<dyn Slot<T> + '_>, Arc<dyn Slot<T>>>(slot) };
            JoinHandle::of_execution(self.spawn_in_execution(execution, place, body), slot)
        }) {
            return Ok(handle);
        }
        let f = f.take().expect("cdsspec bug: a thread is started once");
        // SAFETY: as the caller promises.
        unsafe { self.into_std().spawn_unchecked(f) }.map(JoinHandle::of_std)
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
