//! Pointers into a cell that are accesses of it as long as they are kept. Their names are loom's.

use super::access::Lasting;
use std::fmt;

/// A pointer that reads a cell as long as it is kept: [`UnsafeCell::read`](super::UnsafeCell::read).
pub struct ConstPtr<T: ?Sized> {
    _access: Lasting,
    pointer: *const T,
}

/// A pointer that writes a cell as long as it is kept: [`UnsafeCell::write`](super::UnsafeCell::write).
pub struct MutPtr<T: ?Sized> {
    _access: Lasting,
    pointer: *mut T,
}

impl<T: ?Sized> ConstPtr<T> {
    pub(super) fn new(access: Lasting, pointer: *const T) -> Self {
        Self { _access: access, pointer }
    }

    /// The value.
    ///
    /// # Safety
    /// As of a raw pointer: the cell is there, and nobody writes it.
    pub unsafe fn deref(&self) -> &T {
        // SAFETY: as the caller promises.
        unsafe { &*self.pointer }
    }

    /// Runs `f` with the raw pointer, which is not to be kept.
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        f(self.pointer)
    }
}

impl<T: ?Sized> MutPtr<T> {
    pub(super) fn new(access: Lasting, pointer: *mut T) -> Self {
        Self { _access: access, pointer }
    }

    /// The value.
    ///
    /// # Safety
    /// As of a raw pointer: the cell is there, nobody else accesses it, and there is no other reference.
    #[expect(clippy::mut_from_ref, reason = "it stands for a raw pointer")]
    pub unsafe fn deref(&self) -> &mut T {
        // SAFETY: as the caller promises.
        unsafe { &mut *self.pointer }
    }

    /// Runs `f` with the raw pointer, which is not to be kept.
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        f(self.pointer)
    }
}

impl<T: ?Sized> fmt::Debug for ConstPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConstPtr").finish_non_exhaustive()
    }
}

impl<T: ?Sized> fmt::Debug for MutPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MutPtr").finish_non_exhaustive()
    }
}
