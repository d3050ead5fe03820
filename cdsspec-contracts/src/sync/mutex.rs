//! `Mutex`.

use super::guarded::{Guarded, map, try_map};
use super::{LockResult, TryLockError, TryLockResult};
use crate::threads::current::{acquire_from, release_to};
use crate::threads::lock_order::LockNumber;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync;

/// std's `Mutex`, with a clock: to unlock it happens before to lock it later.
pub struct Mutex<T: ?Sized> {
    number: LockNumber,
    inner: sync::Mutex<Guarded<T>>,
}

/// std's `MutexGuard`.
#[must_use = "if unused the Mutex will immediately unlock"]
#[clippy::has_significant_drop]
pub struct MutexGuard<'a, T: ?Sized> {
    number: &'a LockNumber,
    /// There, but for when it is dropped.
    inner: Option<sync::MutexGuard<'a, Guarded<T>>>,
}

impl<T> Mutex<T> {
    /// A mutex with this value.
    pub const fn new(value: T) -> Self {
        Self { number: LockNumber::new(), inner: sync::Mutex::new(Guarded::new(value)) }
    }

    /// The value.
    ///
    /// # Errors
    /// If the mutex is poisoned; the value is inside.
    pub fn into_inner(self) -> LockResult<T> {
        map(self.inner.into_inner(), |guarded| guarded.value)
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits until nobody has it, and locks it.
    ///
    /// # Errors
    /// If it is poisoned; the guard is inside.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        self.number.await_it(Location::caller());
        map(self.inner.lock(), MutexGuard::locked(&self.number, Location::caller()))
    }

    /// Locks it, if nobody has it.
    ///
    /// # Errors
    /// If somebody has it; if it is poisoned, and then the guard is inside.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        try_map(self.inner.try_lock(), MutexGuard::locked(&self.number, Location::caller()))
    }

    /// Whether it is poisoned.
    pub fn is_poisoned(&self) -> bool {
        self.inner.is_poisoned()
    }

    /// It is not poisoned any more.
    pub fn clear_poison(&self) {
        self.inner.clear_poison();
    }

    /// The value, which nobody else can see.
    ///
    /// # Errors
    /// If it is poisoned; the value is inside.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        map(self.inner.get_mut(), |guarded| &mut guarded.value)
    }
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// What to do when the lock of this number has just been taken there.
    pub(super) fn locked(
        number: &'a LockNumber,
        place: &'static Location<'static>,
    ) -> impl FnOnce(sync::MutexGuard<'a, Guarded<T>>) -> Self {
        move |inner| {
            acquire_from(&inner.released);
            number.hold(place);
            Self { number, inner: Some(inner) }
        }
    }

    /// It is about to be unlocked by what takes std's guard, and locked again.
    pub(super) fn unlock(mut self) -> (sync::MutexGuard<'a, Guarded<T>>, &'a LockNumber) {
        let mut inner = self.inner.take().expect(THERE);
        release_to(&mut inner.released);
        self.number.leave();
        (inner, self.number)
    }
}

const THERE: &str = "cdsspec bug: a guard that is not dropped is there";

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        if let Some(inner) = &mut self.inner {
            release_to(&mut inner.released);
            self.number.leave();
        }
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.inner.as_ref().expect(THERE).value
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner.as_mut().expect(THERE).value
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// Shows the value, if nobody has it. It orders nothing.
impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Mutex");
        match self.inner.try_lock() {
            Ok(guarded) => shown.field("data", &&guarded.value),
            Err(TryLockError::Poisoned(poisoned)) => shown.field("data", &&poisoned.into_inner().value),
            Err(TryLockError::WouldBlock) => shown.field("data", &format_args!("<locked>")),
        };
        shown.field("poisoned", &self.is_poisoned()).finish_non_exhaustive()
    }
}
