//! `Condvar`.

use super::mutex::Lock;
use super::target::Target;
use super::{LockResult, MutexGuard, PoisonError};
use crate::port::{LocationHint, Update, WaitLoad, here, with};
use crate::record::{Orders, Place, ThreadId, operation_name};
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// std's `Condvar`, instrumented. Which one of several waiting threads `notify_one` wakes is a choice of the engine. A wait may end without a
/// reason, as std's may: in an execution once per place and thread, where the engine models that
/// ([`Builder::spurious_wakeups`](crate::model::Builder::spurious_wakeups)). Notifications order nothing: the mutex does.
///
/// In an execution it is a location with one bit for each waiting thread: so there are at most 64 threads.
#[derive(Default)]
pub struct Condvar {
    hint: LocationHint,
    outside: std::sync::Condvar,
}

impl Condvar {
    /// A condition variable that nobody waits for.
    pub const fn new() -> Self {
        Self { hint: LocationHint::new(), outside: std::sync::Condvar::new() }
    }

    /// Unlocks the mutex, waits until notified, and locks it again.
    ///
    /// # Errors
    /// If the mutex is poisoned then; the guard is inside.
    ///
    /// # Panics
    /// In an execution with more than 64 threads.
    #[inline(always)]
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        self.wait_at(guard, here(operation_name!("wait"), Orders::None))
    }

    /// Waits as long as `condition` holds.
    ///
    /// # Errors
    /// If the mutex is poisoned; the guard is inside.
    ///
    /// # Panics
    /// In an execution with more than 64 threads.
    #[inline(always)]
    #[track_caller]
    pub fn wait_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        let place = here(operation_name!("wait_while"), Orders::None);
        while condition(&mut *guard) {
            guard = self.wait_at(guard, place)?;
        }
        Ok(guard)
    }

    /// Unlocks the mutex, waits until notified or for a time, and locks it again. There is no time in an execution: there the wait
    /// may end at any moment.
    ///
    /// # Errors
    /// If the mutex is poisoned then; the guard is inside.
    ///
    /// # Panics
    /// In an execution with more than 64 threads.
    #[inline(always)]
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        duration: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        self.wait_timeout_at(guard, duration, here(operation_name!("wait_timeout"), Orders::None))
    }

    /// [`wait_timeout`](Self::wait_timeout) of so many milliseconds. Whether it was notified, which it may be without a reason.
    ///
    /// # Errors
    /// If the mutex is poisoned then; the guard is inside.
    ///
    /// # Panics
    /// In an execution with more than 64 threads.
    #[deprecated(note = "replaced by `std::sync::Condvar::wait_timeout`")]
    #[inline(always)]
    #[track_caller]
    pub fn wait_timeout_ms<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        ms: u32,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        let place = here(operation_name!("wait_timeout_ms"), Orders::None);
        match self.wait_timeout_at(guard, Duration::from_millis(u64::from(ms)), place) {
            Ok((guard, waited)) => Ok((guard, !waited.timed_out())),
            Err(poisoned) => {
                let (guard, waited) = poisoned.into_inner();
                Err(PoisonError::new((guard, !waited.timed_out())))
            }
        }
    }

    /// Waits as long as `condition` holds, or for a time. There is no time in an execution: there the wait may end at any moment.
    ///
    /// # Errors
    /// If the mutex is poisoned; the guard is inside.
    ///
    /// # Panics
    /// In an execution with more than 64 threads.
    #[inline(always)]
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
        let place = here(operation_name!("wait_timeout_while"), Orders::None);
        let start = Instant::now();
        let is_outside = with(|_| ()).is_none();
        let mut is_over = false;
        while condition(&mut *guard) {
            let left = duration.saturating_sub(start.elapsed());
            if is_over || is_outside && left.is_zero() {
                return Ok((guard, WaitTimeoutResult(true)));
            }
            let waited = self.wait_timeout_at(guard, left, place)?;
            guard = waited.0;
            is_over = !is_outside && waited.1.timed_out();
        }
        Ok((guard, WaitTimeoutResult(false)))
    }

    /// Wakes one waiting thread, if there is any.
    #[inline(always)]
    #[track_caller]
    pub fn notify_one(&self) {
        let place = here(operation_name!("notify_one"), Orders::None);
        let notified = Target::internal(&self.hint).access(place, Relaxed, |port, access| {
            loop {
                let take_sole =
                    Update { operand: 0, function: |bits, _| if bits.count_ones() > 1 { bits } else { 0 } };
                let waiting = port.update(access, take_sole);
                if waiting.count_ones() < 2 {
                    return;
                }
                let chosen = nth_bit(waiting, port.choose(waiting.count_ones() as usize));
                let wake = Update { operand: chosen, function: |bits, chosen| bits & !chosen };
                if port.update(access, wake) & chosen != 0 {
                    return;
                }
            }
        });
        if notified.is_none() {
            self.outside.notify_one();
        }
    }

    /// Wakes all waiting threads.
    #[inline(always)]
    #[track_caller]
    pub fn notify_all(&self) {
        let place = here(operation_name!("notify_all"), Orders::None);
        let notified = Target::internal(&self.hint).access(place, Relaxed, |port, access| {
            port.update(access, Update { operand: 0, function: |_, none| none });
        });
        if notified.is_none() {
            self.outside.notify_all();
        }
    }

    fn wait_at<'a, T>(&self, guard: MutexGuard<'a, T>, place: Place) -> LockResult<MutexGuard<'a, T>> {
        let (mutex, lock) = guard.into_lock();
        let lock = match lock {
            Lock::Outside(lock) => return mutex.guard_outside(self.outside.wait(lock)),
            lock @ Lock::Execution(_) => lock,
        };
        self.wait_unlocked(lock, place, false);
        mutex.lock_at(Place { name: operation_name!("lock"), ..place })
    }

    fn wait_timeout_at<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        duration: Duration,
        place: Place,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let (mutex, lock) = guard.into_lock();
        let (guard, is_timeout) = match lock {
            Lock::Outside(lock) => match self.outside.wait_timeout(lock, duration) {
                Ok((lock, result)) => (mutex.guard_outside(Ok(lock)), result.timed_out()),
                Err(error) => {
                    let (lock, result) = error.into_inner();
                    (mutex.guard_outside(Err(PoisonError::new(lock))), result.timed_out())
                }
            },
            lock @ Lock::Execution(_) => {
                let is_timeout = self.wait_unlocked(lock, place, true);
                (mutex.lock_at(Place { name: operation_name!("lock"), ..place }), is_timeout)
            }
        };
        let result = WaitTimeoutResult(is_timeout);
        match guard {
            Ok(guard) => Ok((guard, result)),
            Err(guard) => Err(PoisonError::new((guard.into_inner(), result))),
        }
    }

    /// In an execution, unlocks the mutex and waits until notified, or until a timeout: whether that came first.
    fn wait_unlocked(&self, lock: Lock<'_>, place: Place, is_timed: bool) -> bool {
        // One that wakes up without a reason has not been notified, so it is the same whether it was among those who wait: another
        // execution has the notification.
        if with(|execution| execution.port().wakes_spuriously(place)).unwrap_or(false) {
            lock.unlock_at(place.source);
            return false;
        }
        let bit = with(|execution| bit_of(execution.port().thread())).unwrap_or(0);
        let target = Target::internal(&self.hint);
        let enter = Update { operand: bit, function: |bits, bit| bits | bit };
        target.access(place, Relaxed, |port, access| port.update(access, enter));
        lock.unlock_at(place.source);
        let notified = WaitLoad { operand: bit, function: |bits, bit| bits & bit == 0 };
        let is_timeout = target.access(place, Relaxed, |port, access| {
            let leave = Update { operand: bit, function: |bits, bit| bits & !bit };
            if !is_timed {
                port.wait_load(access, notified);
                return false;
            }
            port.wait_load_or_timeout(access, notified).is_none() && port.update(access, leave) & bit != 0
        });
        is_timeout.unwrap_or(false)
    }
}

/// std's `WaitTimeoutResult`: whether a wait ended because its time was over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether the time was over.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

fn bit_of(thread: ThreadId) -> u64 {
    assert!(
        thread.index() < 64,
        "thread {} waits for a Condvar: in an execution only the first 64 threads can",
        thread.index()
    );
    1 << thread.index()
}

/// The `n`-th bit that is set in `bits`, from the lowest, counted from 0.
fn nth_bit(bits: u64, n: usize) -> u64 {
    let rest = (0..n).fold(bits, |bits, _| bits & (bits - 1));
    rest & rest.wrapping_neg()
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condvar").finish_non_exhaustive()
    }
}
