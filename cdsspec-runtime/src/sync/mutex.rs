//! `Mutex`.

use super::lock::{Hold, Holder, LockState, Locked, Word};
use super::residence::Residence;
use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::port::{here, with};
use crate::record::{Orders, Place, SourceLocation, operation_name};
use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};

/// std's `Mutex`, instrumented. Whether it is locked or poisoned starts anew in every execution. The value in it cannot: unless it has
/// no bytes, a second execution that locks the same mutex is refused. A `static` one is to be in a [`LazyLock`](super::LazyLock).
pub struct Mutex<T: ?Sized> {
    word: Word,
    holder: Holder,
    residence: Residence,
    /// The lock outside of executions.
    outside: std::sync::Mutex<()>,
    value: UnsafeCell<T>,
}

// SAFETY: the value moves with the mutex, and everything else in it may.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: the value is reached through guards, of which there is one at a time: `word` sees to it among the threads of one execution,
// `outside` among those outside of executions, `holder` between these.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}
// A panic poisons it.
impl<T: ?Sized> UnwindSafe for Mutex<T> {}
impl<T: ?Sized> RefUnwindSafe for Mutex<T> {}

/// std's `MutexGuard`: the value of a locked [`Mutex`], until dropped.
#[cfg_attr(not(feature = "loom-api"), must_use = "if unused the Mutex will immediately unlock")]
pub struct MutexGuard<'a, T: ?Sized> {
    mutex: &'a Mutex<T>,
    // Dropped first: the data is released before the lock is.
    hold: Hold<'a>,
    lock: Lock<'a>,
    /// A guard stays on its thread.
    not_send: PhantomData<*mut ()>,
}

// SAFETY: a shared guard gives out `&T` only.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

/// How the lock is held.
pub(super) enum Lock<'a> {
    Outside(std::sync::MutexGuard<'a, ()>),
    Execution(Locked<'a>),
}

impl<T> Mutex<T> {
    /// A free mutex with this value.
    pub const fn new(value: T) -> Self {
        Self {
            word: Word::new(),
            holder: Holder::new(),
            residence: Residence::new(),
            outside: std::sync::Mutex::new(()),
            value: UnsafeCell::new(value),
        }
    }

    /// The value.
    ///
    /// # Errors
    /// If the mutex is poisoned; the value is inside.
    pub fn into_inner(self) -> LockResult<T> {
        let is_poisoned = self.is_poisoned_now();
        poisoned_if(is_poisoned, self.value.into_inner())
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits for the mutex and locks it.
    ///
    /// # Errors
    /// If the mutex is poisoned; the guard is inside.
    #[inline(always)]
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        self.lock_at(here(operation_name!("lock"), Orders::None))
    }

    /// Locks the mutex if it is free.
    ///
    /// # Errors
    /// If it is not free, or if it is poisoned, with the guard inside.
    #[inline(always)]
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let place = here(operation_name!("try_lock"), Orders::None);
        match self.word.try_lock(place, false) {
            Some(Some(locked)) => Ok(self.guard_in_execution(locked)?),
            Some(None) => Err(TryLockError::WouldBlock),
            None => match self.outside.try_lock() {
                Ok(lock) => Ok(self.guard(Lock::Outside(lock))),
                Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
                Err(TryLockError::Poisoned(lock)) => {
                    Err(PoisonError::new(self.guard(Lock::Outside(lock.into_inner()))).into())
                }
            },
        }
    }

    /// Whether a thread panicked while it had the mutex locked.
    #[inline(always)]
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        let place = here(operation_name!("is_poisoned"), Orders::None);
        self.word.load(place).map_or_else(|| self.outside.is_poisoned(), LockState::is_poisoned)
    }

    /// Forgets that a thread panicked while it had the mutex locked.
    #[inline(always)]
    #[track_caller]
    pub fn clear_poison(&self) {
        let place = here(operation_name!("clear_poison"), Orders::None);
        if self.word.clear_poison(place).is_none() {
            self.outside.clear_poison();
        }
    }

    /// The value, borrowed.
    ///
    /// # Errors
    /// If the mutex is poisoned; the value is inside.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let is_poisoned = self.is_poisoned_now();
        poisoned_if(is_poisoned, self.value.get_mut())
    }

    fn is_poisoned_now(&self) -> bool {
        self.word.peek().map_or_else(|| self.outside.is_poisoned(), LockState::is_poisoned)
    }

    pub(super) fn lock_at(&self, place: Place) -> LockResult<MutexGuard<'_, T>> {
        match self.word.lock(place, false) {
            Some(locked) => self.guard_in_execution(locked),
            None => self.guard_outside(self.outside.lock()),
        }
    }

    fn guard_in_execution<'a>(&'a self, locked: Locked<'a>) -> LockResult<MutexGuard<'a, T>> {
        let is_poisoned = locked.is_poisoned();
        poisoned_if(is_poisoned, self.guard(Lock::Execution(locked)))
    }

    pub(super) fn guard_outside<'a>(
        &'a self,
        lock: LockResult<std::sync::MutexGuard<'a, ()>>,
    ) -> LockResult<MutexGuard<'a, T>> {
        match lock {
            Ok(lock) => Ok(self.guard(Lock::Outside(lock))),
            Err(lock) => Err(PoisonError::new(self.guard(Lock::Outside(lock.into_inner())))),
        }
    }

    fn guard<'a>(&'a self, lock: Lock<'a>) -> MutexGuard<'a, T> {
        if size_of_val(&self.value) > 0 {
            self.residence.enter("Mutex");
        }
        MutexGuard { mutex: self, hold: self.holder.hold(), lock, not_send: PhantomData }
    }
}

pub(super) fn poisoned_if<T>(is_poisoned: bool, value: T) -> LockResult<T> {
    if is_poisoned { Err(PoisonError::new(value)) } else { Ok(value) }
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// Lets go of the data, and says how the lock is held.
    pub(super) fn into_lock(self) -> (&'a Mutex<T>, Lock<'a>) {
        drop(self.hold);
        (self.mutex, self.lock)
    }
}

impl Lock<'_> {
    /// Unlocks, by an operation at this place.
    pub(super) fn unlock_at(self, source: SourceLocation) {
        match self {
            Self::Outside(lock) => drop(lock),
            Self::Execution(locked) => locked.unlock_at(source),
        }
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the guard is the only way to the value as long as it is there.
        unsafe { &*self.mutex.value.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.mutex.word.note_change();
        // SAFETY: the guard is the only way to the value as long as it is there, and is borrowed uniquely.
        unsafe { &mut *self.mutex.value.get() }
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

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

/// Shows the value if the mutex is free. No operation for an engine.
impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Mutex");
        let is_shown =
            with(|execution| execution.port().unobserved(&mut || self.show_in_execution(&mut shown)));
        if is_shown.is_none() {
            self.show_outside(&mut shown);
        }
        shown.field("poisoned", &self.is_poisoned_now()).finish_non_exhaustive()
    }
}

impl<T: ?Sized + fmt::Debug> Mutex<T> {
    /// To be called unobserved, so that nothing runs in between.
    fn show_in_execution(&self, shown: &mut fmt::DebugStruct<'_, '_>) {
        if self.word.peek().is_some_and(LockState::is_written) {
            shown.field("data", &"<locked>");
            return;
        }
        let _hold = self.holder.hold();
        // SAFETY: no thread of this execution writes, nor runs before this returns; `_hold` keeps others out.
        shown.field("data", &unsafe { &*self.value.get() });
    }

    fn show_outside(&self, shown: &mut fmt::DebugStruct<'_, '_>) {
        match self.try_lock() {
            Ok(guard) => shown.field("data", &&*guard),
            Err(TryLockError::Poisoned(guard)) => shown.field("data", &&**guard.get_ref()),
            Err(TryLockError::WouldBlock) => shown.field("data", &"<locked>"),
        };
    }
}
