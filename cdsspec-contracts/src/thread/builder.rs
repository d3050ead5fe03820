//! Starting threads, and waiting for their end.

use super::Result;
use super::current::{Thread, Token, use_token};
use super::end::End;
use crate::threads::current::start_of_child;
use std::fmt;
use std::io;
use std::thread;

/// std's `Builder`.
#[derive(Debug)]
pub struct Builder {
    inner: thread::Builder,
}

/// std's `JoinHandle`.
pub struct JoinHandle<T> {
    inner: thread::JoinHandle<T>,
    thread: Thread,
    end: End,
}

/// What a thread is told, and tells, beside what it runs.
pub(super) struct Beside {
    pub(super) end: End,
    token: Token,
}

impl Beside {
    /// `f`, as a thread that the running one makes; and what is beside it.
    pub(super) fn around<T>(f: impl FnOnce() -> T) -> (impl FnOnce() -> T, Self) {
        let beside = Self { end: End::default(), token: Token::default() };
        let token = Token::clone(&beside.token);
        let f = beside.end.clone().around(start_of_child(), move || {
            use_token(token);
            f()
        });
        (f, beside)
    }

    pub(super) fn name(&self, thread: &thread::Thread) -> Thread {
        Thread::new(thread.clone(), Token::clone(&self.token))
    }
}

impl Builder {
    /// A thread with no name and the default stack.
    #[expect(clippy::new_without_default, reason = "std's has none")]
    pub fn new() -> Self {
        Self { inner: thread::Builder::new() }
    }

    /// Names the thread.
    #[must_use]
    pub fn name(self, name: String) -> Self {
        Self { inner: self.inner.name(name) }
    }

    /// The size of its stack, in bytes.
    #[must_use]
    pub fn stack_size(self, size: usize) -> Self {
        Self { inner: self.inner.stack_size(size) }
    }

    /// Starts the thread.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let (f, beside) = Beside::around(f);
        let inner = self.inner.spawn(f)?;
        Ok(JoinHandle { thread: beside.name(inner.thread()), inner, end: beside.end })
    }

    pub(super) fn into_std(self) -> thread::Builder {
        self.inner
    }
}

/// std's `spawn`.
///
/// # Panics
/// If the operating system cannot start a thread.
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("failed to spawn thread")
}

impl<T> JoinHandle<T> {
    /// Waits until the thread has ended; what it returned. All that it did happens before.
    ///
    /// # Errors
    /// What it panicked with.
    pub fn join(self) -> Result<T> {
        let result = self.inner.join();
        self.end.join();
        result
    }

    /// Names the thread.
    #[must_use]
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Whether the thread has ended. It orders nothing.
    pub fn is_finished(&self) -> bool {
        self.inner.is_finished()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}
