//! `RwLock`.

use super::downgrade::Downgrading;
use super::lock::{Hold, Holder, LockState, Locked, Word};
use super::mutex::poisoned_if;
use super::residence::Residence;
use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::port::{here, with};
use crate::record::{Orders, operation_name};
use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};

/// std's `RwLock`, instrumented. Whether it is locked or poisoned starts anew in every execution. The value in it cannot: unless it has
/// no bytes, a second execution that locks the same lock is refused. A `static` one is to be in a [`LazyLock`](super::LazyLock).
///
/// A thread that reads, and locks once more to read, may wait behind another one that waits to write, as std says: that is explored. No other
/// reader waits for one that waits to write.
pub struct RwLock<T: ?Sized> {
    word: Word,
    holder: Holder,
    residence: Residence,
    /// The lock outside of executions.
    outside: std::sync::RwLock<()>,
    downgrading: Downgrading,
    value: UnsafeCell<T>,
}

// SAFETY: the value moves with the lock, and everything else in it may.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: the value is reached through guards, of which there is one that writes, or several that read: `word` sees to it among the
// threads of one execution, `outside` among those outside of executions, `holder` between these.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}
// A panic of one who writes poisons it.
impl<T: ?Sized> UnwindSafe for RwLock<T> {}
impl<T: ?Sized> RefUnwindSafe for RwLock<T> {}

/// How the lock is held; `G` is std's guard.
enum Lock<'a, G> {
    Outside(G),
    Execution(Locked<'a>),
}

macro_rules! guard {
    ($(#[$doc:meta])* $name:ident, $std:ident, $must_use:literal) => {
        $(#[$doc])*
        #[must_use = $must_use]
        pub struct $name<'a, T: ?Sized> {
            owner: &'a RwLock<T>,
            // Dropped first: the data is released before the lock is.
            _hold: Hold<'a>,
            _lock: Lock<'a, std::sync::$std<'a, ()>>,
            /// A guard stays on its thread.
            not_send: PhantomData<*mut ()>,
        }

        // SAFETY: a shared guard gives out `&T` only.
        unsafe impl<T: ?Sized + Sync> Sync for $name<'_, T> {}

        impl<'a, T: ?Sized> $name<'a, T> {
            fn new(owner: &'a RwLock<T>, lock: Lock<'a, std::sync::$std<'a, ()>>) -> Self {
                if size_of_val(&owner.value) > 0 {
                    owner.residence.enter("RwLock");
                }
                Self { owner, _hold: owner.holder.hold(), _lock: lock, not_send: PhantomData }
            }

            fn of_execution(owner: &'a RwLock<T>, locked: Locked<'a>) -> LockResult<Self> {
                poisoned_if(locked.is_poisoned(), Self::new(owner, Lock::Execution(locked)))
            }

            fn outside(
                owner: &'a RwLock<T>,
                lock: LockResult<std::sync::$std<'a, ()>>,
            ) -> LockResult<Self> {
                match lock {
                    Ok(lock) => Ok(Self::new(owner, Lock::Outside(lock))),
                    Err(lock) => Err(PoisonError::new(Self::new(owner, Lock::Outside(lock.into_inner())))),
                }
            }

            fn outside_if_free(
                owner: &'a RwLock<T>,
                lock: TryLockResult<std::sync::$std<'a, ()>>,
            ) -> TryLockResult<Self> {
                match lock {
                    Ok(lock) => Ok(Self::outside(owner, Ok(lock))?),
                    Err(TryLockError::Poisoned(lock)) => Ok(Self::outside(owner, Err(lock))?),
                    Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
                }
            }
        }

        impl<T: ?Sized> Deref for $name<'_, T> {
            type Target = T;

            fn deref(&self) -> &T {
                // SAFETY: nobody writes as long as the guard is there, but its owner through a unique borrow of it.
                unsafe { &*self.owner.value.get() }
            }
        }

        impl<T: ?Sized + fmt::Debug> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&**self, f)
            }
        }

        impl<T: ?Sized + fmt::Display> fmt::Display for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&**self, f)
            }
        }
    };
}

guard! {
    /// std's `RwLockReadGuard`: the value of an [`RwLock`], shared, until dropped.
    RwLockReadGuard, RwLockReadGuard, "if unused the RwLock will immediately unlock"
}
guard! {
    /// std's `RwLockWriteGuard`: the value of an [`RwLock`], until dropped.
    RwLockWriteGuard, RwLockWriteGuard, "if unused the RwLock will immediately unlock"
}

// One who reads can leave nothing half done, unless the value lets it.
impl<T: ?Sized + RefUnwindSafe> UnwindSafe for RwLockReadGuard<'_, T> {}
impl<T: ?Sized + RefUnwindSafe> RefUnwindSafe for RwLockReadGuard<'_, T> {}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// Turns it into one that reads: nobody writes in between.
    #[inline(always)]
    #[track_caller]
    pub fn downgrade(s: Self) -> RwLockReadGuard<'a, T> {
        let place = here(operation_name!("downgrade"), Orders::None);
        let Self { owner, _hold: hold, _lock: lock, not_send } = s;
        let lock = match lock {
            Lock::Outside(lock) => Lock::Outside(owner.downgrading.downgrade(&owner.outside, lock)),
            Lock::Execution(locked) => Lock::Execution(locked.downgrade(place)),
        };
        RwLockReadGuard { owner, _hold: hold, _lock: lock, not_send }
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.owner.word.note_change();
        // SAFETY: the guard is the only way to the value as long as it is there, and is borrowed uniquely.
        unsafe { &mut *self.owner.value.get() }
    }
}

impl<T> RwLock<T> {
    /// A free lock with this value.
    pub const fn new(value: T) -> Self {
        Self {
            word: Word::new(),
            holder: Holder::new(),
            residence: Residence::new(),
            outside: std::sync::RwLock::new(()),
            downgrading: Downgrading::new(),
            value: UnsafeCell::new(value),
        }
    }

    /// The value.
    ///
    /// # Errors
    /// If the lock is poisoned; the value is inside.
    pub fn into_inner(self) -> LockResult<T> {
        let is_poisoned = self.is_poisoned_now();
        poisoned_if(is_poisoned, self.value.into_inner())
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits until nobody writes, and takes the lock shared.
    ///
    /// # Errors
    /// If the lock is poisoned; the guard is inside.
    #[inline(always)]
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        match self.word.lock(here(operation_name!("read"), Orders::None), true) {
            Some(locked) => RwLockReadGuard::of_execution(self, locked),
            None => RwLockReadGuard::outside(self, self.outside.read()),
        }
    }

    /// Waits until nobody reads or writes, and takes the lock.
    ///
    /// # Errors
    /// If the lock is poisoned; the guard is inside.
    #[inline(always)]
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        match self.word.lock(here(operation_name!("write"), Orders::None), false) {
            Some(locked) => RwLockWriteGuard::of_execution(self, locked),
            None => RwLockWriteGuard::outside(self, self.downgrading.write(&self.outside)),
        }
    }

    /// Takes the lock shared if nobody writes.
    ///
    /// # Errors
    /// If somebody writes, or if the lock is poisoned, with the guard inside.
    #[inline(always)]
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        match self.word.try_lock(here(operation_name!("try_read"), Orders::None), true) {
            Some(Some(locked)) => Ok(RwLockReadGuard::of_execution(self, locked)?),
            Some(None) => Err(TryLockError::WouldBlock),
            None => RwLockReadGuard::outside_if_free(self, self.outside.try_read()),
        }
    }

    /// Takes the lock if nobody reads or writes.
    ///
    /// # Errors
    /// If somebody does, or if the lock is poisoned, with the guard inside.
    #[inline(always)]
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        match self.word.try_lock(here(operation_name!("try_write"), Orders::None), false) {
            Some(Some(locked)) => Ok(RwLockWriteGuard::of_execution(self, locked)?),
            Some(None) => Err(TryLockError::WouldBlock),
            None => RwLockWriteGuard::outside_if_free(self, self.downgrading.try_write(&self.outside)),
        }
    }

    /// Whether a thread panicked while it wrote.
    #[inline(always)]
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        let place = here(operation_name!("is_poisoned"), Orders::None);
        self.word.load(place).map_or_else(|| self.outside.is_poisoned(), LockState::is_poisoned)
    }

    /// Forgets that a thread panicked while it wrote.
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
    /// If the lock is poisoned; the value is inside.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let is_poisoned = self.is_poisoned_now();
        poisoned_if(is_poisoned, self.value.get_mut())
    }

    fn is_poisoned_now(&self) -> bool {
        self.word.peek().map_or_else(|| self.outside.is_poisoned(), LockState::is_poisoned)
    }
}

impl<T: Default> Default for RwLock<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for RwLock<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

/// Shows the value if nobody writes. No operation for an engine.
impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RwLock");
        let is_shown =
            with(|execution| execution.port().unobserved(&mut || self.show_in_execution(&mut shown)));
        if is_shown.is_none() {
            self.show_outside(&mut shown);
        }
        shown.field("poisoned", &self.is_poisoned_now()).finish_non_exhaustive()
    }
}

impl<T: ?Sized + fmt::Debug> RwLock<T> {
    /// To be called unobserved, so that nothing runs in between.
    fn show_in_execution(&self, shown: &mut fmt::DebugStruct<'_, '_>) {
        if self.word.peek().is_some_and(LockState::is_written) {
            shown.field("data", &format_args!("<locked>"));
            return;
        }
        let _hold = self.holder.hold();
        // SAFETY: no thread of this execution writes, nor runs before this returns; `_hold` keeps others out.
        shown.field("data", &unsafe { &*self.value.get() });
    }

    fn show_outside(&self, shown: &mut fmt::DebugStruct<'_, '_>) {
        match self.try_read() {
            Ok(guard) => shown.field("data", &&*guard),
            Err(TryLockError::Poisoned(guard)) => shown.field("data", &&**guard.get_ref()),
            Err(TryLockError::WouldBlock) => shown.field("data", &format_args!("<locked>")),
        };
    }
}
