//! Threads of a scope.

use super::Result;
use super::builder::{Beside, Builder};
use super::current::Thread;
use super::end::End;
use super::scope::Scope;
use std::fmt;
use std::io;
use std::thread;

/// std's `ScopedJoinHandle`.
pub struct ScopedJoinHandle<'scope, T> {
    inner: thread::ScopedJoinHandle<'scope, T>,
    thread: Thread,
    end: End,
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// Starts a thread.
    ///
    /// # Panics
    /// If the operating system cannot start a thread.
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Builder::new().spawn_scoped(self, f).expect("failed to spawn thread")
    }
}

impl Builder {
    /// Starts a thread in a scope.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let (f, beside) = Beside::around(f);
        let inner = self.into_std().spawn_scoped(scope.inner(), f)?;
        scope.add(beside.end.clone());
        Ok(ScopedJoinHandle { thread: beside.name(inner.thread()), inner, end: beside.end })
    }
}

impl<T> ScopedJoinHandle<'_, T> {
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

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}
