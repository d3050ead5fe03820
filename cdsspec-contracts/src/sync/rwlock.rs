//! `RwLock`.
//!
//! As in C++20: to unlock after writing happens before to lock it later; to unlock after reading happens before to lock it for writing later, and
//! not before to read.

use super::guarded::{Guarded, map, try_map};
use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::threads::HandOver;
use crate::threads::current::{acquire_from, release_to};
use crate::threads::lock_order::LockNumber;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

type Place = &'static Location<'static>;

/// std's `RwLock`, with clocks.
pub struct RwLock<T: ?Sized> {
    number: LockNumber,
    /// What those released who read.
    readers: HandOver,
    /// Whether the one who wrote is about to read. It lets go of the lock in between, and one who then gets it to write gives it back: so nobody
    /// writes in between. Only one who has the lock to write sets it, and only the same thread takes it back, when it reads. (std's own
    /// `downgrade` is newer than the minimum Rust version.)
    is_downgrading: AtomicBool,
    /// With what the last one released who wrote.
    inner: sync::RwLock<Guarded<T>>,
}

/// std's `RwLockReadGuard`.
#[must_use = "if unused the RwLock will immediately unlock"]
#[clippy::has_significant_drop]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    number: &'a LockNumber,
    readers: &'a HandOver,
    inner: sync::RwLockReadGuard<'a, Guarded<T>>,
}

/// std's `RwLockWriteGuard`.
#[must_use = "if unused the RwLock will immediately unlock"]
#[clippy::has_significant_drop]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    /// There, but for when it is dropped.
    inner: Option<sync::RwLockWriteGuard<'a, Guarded<T>>>,
}

impl<T> RwLock<T> {
    /// A lock with this value.
    pub const fn new(value: T) -> Self {
        Self {
            number: LockNumber::new(),
            readers: HandOver::new(),
            is_downgrading: AtomicBool::new(false),
            inner: sync::RwLock::new(Guarded::new(value)),
        }
    }

    /// The value.
    ///
    /// # Errors
    /// If the lock is poisoned; the value is inside.
    pub fn into_inner(self) -> LockResult<T> {
        map(self.inner.into_inner(), |guarded| guarded.value)
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits until nobody writes, and locks it to read.
    ///
    /// # Errors
    /// If it is poisoned; the guard is inside.
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let place = Location::caller();
        self.number.await_it(place);
        map(self.inner.read(), |inner| self.reading(inner, place))
    }

    /// Locks it to read, if nobody writes.
    ///
    /// # Errors
    /// If somebody writes; if it is poisoned, and then the guard is inside.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let place = Location::caller();
        try_map(self.inner.try_read(), |inner| self.reading(inner, place))
    }

    /// Waits until nobody reads or writes, and locks it to write.
    ///
    /// # Errors
    /// If it is poisoned; the guard is inside.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let place = Location::caller();
        self.number.await_it(place);
        loop {
            let locked = self.inner.write();
            if !self.is_downgrading.load(SeqCst) {
                return map(locked, |inner| self.writing(inner, place));
            }
            drop(locked);
            std::thread::yield_now();
        }
    }

    /// Locks it to write, if nobody reads or writes.
    ///
    /// # Errors
    /// If somebody does; if it is poisoned, and then the guard is inside.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let locked = self.inner.try_write();
        if self.is_downgrading.load(SeqCst) {
            return Err(TryLockError::WouldBlock);
        }
        let place = Location::caller();
        try_map(locked, |inner| self.writing(inner, place))
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

    fn reading<'a>(
        &'a self,
        inner: sync::RwLockReadGuard<'a, Guarded<T>>,
        place: Place,
    ) -> RwLockReadGuard<'a, T> {
        acquire_from(&inner.released);
        self.number.hold(place);
        RwLockReadGuard { number: &self.number, readers: &self.readers, inner }
    }

    fn writing<'a>(
        &'a self,
        inner: sync::RwLockWriteGuard<'a, Guarded<T>>,
        place: Place,
    ) -> RwLockWriteGuard<'a, T> {
        self.number.hold(place);
        acquire_from(&inner.released);
        self.readers.acquire();
        RwLockWriteGuard { lock: self, inner: Some(inner) }
    }
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// Turns it into one that reads: nobody writes in between.
    pub fn downgrade(mut s: Self) -> RwLockReadGuard<'a, T> {
        let mut writes = s.inner.take().expect(THERE);
        release_to(&mut writes.released);
        s.lock.is_downgrading.store(true, SeqCst);
        drop(writes);
        let reads = s.lock.inner.read().unwrap_or_else(PoisonError::into_inner);
        s.lock.is_downgrading.store(false, SeqCst);
        RwLockReadGuard { number: &s.lock.number, readers: &s.lock.readers, inner: reads }
    }
}

const THERE: &str = "cdsspec bug: a guard that is not dropped is there";

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    fn drop(&mut self) {
        self.readers.release();
        self.number.leave();
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    fn drop(&mut self) {
        if let Some(inner) = &mut self.inner {
            release_to(&mut inner.released);
            self.lock.number.leave();
        }
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.inner.value
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.inner.as_ref().expect(THERE).value
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner.as_mut().expect(THERE).value
    }
}

macro_rules! shown {
    ($($guard:ident)*) => {$(
        impl<T: ?Sized + fmt::Debug> fmt::Debug for $guard<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&**self, f)
            }
        }

        impl<T: ?Sized + fmt::Display> fmt::Display for $guard<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&**self, f)
            }
        }
    )*};
}

shown! { RwLockReadGuard RwLockWriteGuard }

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

/// Shows the value, if nobody writes. It orders nothing.
impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RwLock");
        match self.inner.try_read() {
            Ok(guarded) => shown.field("data", &&guarded.value),
            Err(TryLockError::Poisoned(poisoned)) => shown.field("data", &&poisoned.into_inner().value),
            Err(TryLockError::WouldBlock) => shown.field("data", &format_args!("<locked>")),
        };
        shown.field("poisoned", &self.is_poisoned()).finish_non_exhaustive()
    }
}
