//! `UnsafeCell`.

use super::{ConstPtr, MutPtr};
use cdsspec_runtime::cell;
use std::fmt;

/// loom's `UnsafeCell`: an access is reported for as long as the closure runs, or the pointer is kept.
pub struct UnsafeCell<T: ?Sized>(cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    /// A cell with this value.
    pub const fn new(value: T) -> Self {
        Self(cell::UnsafeCell::new(value))
    }

    /// The value: a write.
    #[inline(always)]
    #[track_caller]
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads: runs `f` with a pointer that is valid for reads as long as nobody writes.
    #[inline(always)]
    #[track_caller]
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        self.0.with(f)
    }

    /// Writes: runs `f` with a pointer that is valid as long as nobody else accesses the cell.
    #[inline(always)]
    #[track_caller]
    pub fn with_mut<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        self.0.with_mut(f)
    }

    /// Begins to read, until the pointer is dropped.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self) -> ConstPtr<T> {
        self.0.read()
    }

    /// Begins to write, until the pointer is dropped.
    #[inline(always)]
    #[track_caller]
    pub fn get_mut(&self) -> MutPtr<T> {
        self.0.write()
    }
}

impl<T: Default> Default for UnsafeCell<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for UnsafeCell<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for UnsafeCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsafeCell").finish_non_exhaustive()
    }
}
