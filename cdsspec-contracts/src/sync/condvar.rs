//! `Condvar`.

use super::guarded::map;
use super::{LockResult, MutexGuard, PoisonError};
use std::fmt;
use std::panic::Location;
use std::sync;
use std::time::Duration;

/// std's `Condvar`. To notify orders nothing, in C++20 and here: a wait unlocks and locks its mutex, and that does.
#[derive(Default)]
pub struct Condvar {
    inner: sync::Condvar,
}

/// std's `WaitTimeoutResult`.
#[derive(Debug, PartialEq, Eq, Copy, Clone)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether the time was over.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// One that nobody waits for.
    pub const fn new() -> Self {
        Self { inner: sync::Condvar::new() }
    }

    /// Unlocks the mutex, waits until notified, and locks it again. It may end without a reason.
    ///
    /// # Errors
    /// If the mutex is poisoned then; the guard is inside.
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        let (guard, number) = guard.unlock();
        number.await_it(Location::caller());
        map(self.inner.wait(guard), MutexGuard::locked(number, Location::caller()))
    }

    /// Waits as long as `condition` holds.
    ///
    /// # Errors
    /// If the mutex is poisoned then; the guard is inside.
    #[track_caller]
    pub fn wait_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        while condition(&mut *guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// Unlocks the mutex, waits until notified or for a time, and locks it again.
    ///
    /// # Errors
    /// If the mutex is poisoned then; the guard is inside.
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        duration: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let (guard, number) = guard.unlock();
        number.await_it(Location::caller());
        let locked = MutexGuard::locked(number, Location::caller());
        map(self.inner.wait_timeout(guard, duration), |(guard, waited)| {
            (locked(guard), WaitTimeoutResult(waited.timed_out()))
        })
    }

    /// [`wait_timeout`](Self::wait_timeout) of so many milliseconds. Whether it was notified, which it may be without a reason.
    ///
    /// # Errors
    /// If the mutex is poisoned then; the guard is inside.
    #[deprecated(note = "replaced by `std::sync::Condvar::wait_timeout`")]
    #[track_caller]
    pub fn wait_timeout_ms<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        ms: u32,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        let waited = self.wait_timeout(guard, Duration::from_millis(u64::from(ms)));
        map(waited, |(guard, waited)| (guard, !waited.timed_out()))
    }

    /// Waits as long as `condition` holds, or for a time.
    ///
    /// # Errors
    /// If the mutex is poisoned then; the guard is inside.
    #[track_caller]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        duration: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        let start = std::time::Instant::now();
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            let Some(left) = duration.checked_sub(start.elapsed()) else {
                return Ok((guard, WaitTimeoutResult(true)));
            };
            guard = match self.wait_timeout(guard, left) {
                Ok((guard, _)) => guard,
                Err(poisoned) => return Err(PoisonError::new(poisoned.into_inner())),
            };
        }
    }

    /// Wakes one who waits.
    pub fn notify_one(&self) {
        self.inner.notify_one();
    }

    /// Wakes all who wait.
    pub fn notify_all(&self) {
        self.inner.notify_all();
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condvar").finish_non_exhaustive()
    }
}
