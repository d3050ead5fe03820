//! `std::thread`.

use cdsspec_runtime::port;
use cdsspec_runtime::thread;
use std::{fmt, io};

pub use cdsspec_runtime::thread::{
    AccessError, LocalKey, Result, Scope, ScopedJoinHandle, Thread, ThreadId, current, panicking, park,
    park_timeout, scope, sleep, yield_now,
};

/// What is of one thread, on its way to another: all threads of an execution run on one OS thread.
struct Moved<T>(T);

// SAFETY: it is made inside an execution alone, whose threads run on one OS thread.
unsafe impl<T> Send for Moved<T> {}

/// std's `JoinHandle`.
pub struct JoinHandle<T>(thread::JoinHandle<Moved<T>>);

/// std's `Builder`.
#[derive(Debug)]
pub struct Builder {
    name: Option<String>,
    stack_size: Option<usize>,
}

/// std's `spawn`. As loom's, it takes closures, and results, that are not `Send`, too: inside an execution.
///
/// # Panics
/// Outside a model.
#[inline(always)]
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + 'static,
    T: 'static,
{
    start(thread::Builder::new(), f)
}

#[inline(always)]
#[track_caller]
fn start<F, T>(builder: thread::Builder, f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + 'static,
    T: 'static,
{
    assert!(
        port::with(|_| ()).is_some(),
        "a thread is started outside of a model: loom's threads are those of one"
    );
    let f = Moved(f);
    let started = builder.spawn(move || {
        // All of it, and not the closure alone.
        let f: Moved<F> = f;
        Moved((f.0)())
    });
    JoinHandle(started.expect("cdsspec bug: a thread of an execution is started"))
}

impl Builder {
    /// A thread with no name and the default stack.
    #[expect(clippy::new_without_default, reason = "std's has none")]
    pub fn new() -> Self {
        Self { name: None, stack_size: None }
    }

    /// Names the thread.
    pub fn name(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    /// The size of its stack, in bytes.
    pub fn stack_size(mut self, size: usize) -> Self {
        self.stack_size = Some(size);
        self
    }

    /// Starts the thread.
    ///
    /// # Errors
    /// Never.
    ///
    /// # Panics
    /// Outside a model.
    #[inline(always)]
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let mut builder = thread::Builder::new();
        if let Some(name) = self.name {
            builder = builder.name(name);
        }
        if let Some(bytes) = self.stack_size {
            builder = builder.stack_size(bytes);
        }
        Ok(start(builder, f))
    }
}

impl<T> JoinHandle<T> {
    /// Waits for the thread to end; returns what it returned.
    ///
    /// # Errors
    /// The payload of its panic.
    #[inline(always)]
    #[track_caller]
    pub fn join(self) -> Result<T> {
        Ok(self.0.join()?.0)
    }

    /// The thread.
    pub fn thread(&self) -> &Thread {
        self.0.thread()
    }

    /// Whether the thread has ended.
    #[inline(always)]
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}
