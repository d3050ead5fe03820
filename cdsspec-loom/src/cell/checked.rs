//! `Cell`.

use super::UnsafeCell;
use std::cmp::Ordering;
use std::fmt;

/// `std::cell::Cell`, whose accesses are checked for races: for what is shared although it is a cell, by an `unsafe impl Sync`.
#[derive(Default)]
pub struct Cell<T>(UnsafeCell<T>);

impl<T> Cell<T> {
    /// A cell with this value.
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Sets the value.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, value: T) {
        drop(self.replace(value));
    }

    /// Exchanges the values of two cells; nothing, if they are one.
    #[inline(always)]
    #[track_caller]
    pub fn swap(&self, other: &Self) {
        if std::ptr::eq(self, other) {
            return;
        }
        let (ours, theirs) = (self.0.get_mut(), other.0.get_mut());
        // SAFETY: they are two cells, and no reference into either is given out.
        ours.with(|ours| theirs.with(|theirs| unsafe { std::ptr::swap(ours, theirs) }));
    }

    /// Sets the value, and returns the one before.
    #[inline(always)]
    #[track_caller]
    pub fn replace(&self, value: T) -> T {
        // SAFETY: no reference into the cell is given out.
        self.0.with_mut(|pointer| unsafe { std::ptr::replace(pointer, value) })
    }

    /// A copy of the value.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self) -> T
    where
        T: Copy,
    {
        // SAFETY: no reference into the cell is given out.
        self.0.with(|pointer| unsafe { *pointer })
    }

    /// The value, with the default in its place.
    #[inline(always)]
    #[track_caller]
    pub fn take(&self) -> T
    where
        T: Default,
    {
        self.replace(T::default())
    }

    /// The value.
    #[inline(always)]
    #[track_caller]
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: Copy> Clone for Cell<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        Self::new(self.get())
    }
}

impl<T> From<T> for Cell<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: PartialEq + Copy> PartialEq for Cell<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq + Copy> Eq for Cell<T> {}

impl<T: PartialOrd + Copy> PartialOrd for Cell<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.get().partial_cmp(&other.get())
    }
}

impl<T: Ord + Copy> Ord for Cell<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.get().cmp(&other.get())
    }
}

impl<T> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cell").finish_non_exhaustive()
    }
}
