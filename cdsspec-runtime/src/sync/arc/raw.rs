//! Raw pointers to the value of an `Arc`.

use super::{Arc, Inner};
use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;
use std::sync::Arc as StdArc;

impl<T: ?Sized> Arc<T> {
    /// A pointer to the value.
    pub fn as_ptr(this: &Self) -> *const T {
        let inner = StdArc::as_ptr(&this.inner);
        // SAFETY: the allocation is there as long as a handle is. A raw pointer is made, so that it is one into the whole allocation.
        let value = unsafe { &raw const (*inner).value };
        UnsafeCell::raw_get(value) as *const T
    }

    /// A pointer to the value, for [`from_raw`](Self::from_raw). The handle is not dropped.
    pub fn into_raw(this: Self) -> *const T {
        Self::as_ptr(&ManuallyDrop::new(this))
    }

    /// The handle that [`into_raw`](Self::into_raw) made this pointer of.
    ///
    /// # Safety
    /// `pointer` is from `into_raw`, and is not turned into a handle twice.
    pub unsafe fn from_raw(pointer: *const T) -> Self {
        // SAFETY: the value is alive, since its handle was not dropped.
        let alignment = align_of_val(unsafe { &*pointer });
        let offset = size_of::<StdArc<super::Control>>().next_multiple_of(alignment);
        // SAFETY: `Inner` is `repr(C)`, with the value behind the pointer to the control block.
        let inner = unsafe { pointer.byte_sub(offset) } as *const Inner<T>;
        // SAFETY: the pointer is that of the handle that was not dropped.
        Self { inner: unsafe { StdArc::from_raw(inner) } }
    }

    /// Adds a handle.
    ///
    /// # Safety
    /// `pointer` is from `into_raw`, and the value has a handle.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn increment_strong_count(pointer: *const T) {
        // SAFETY: as the caller promises; it is not dropped, so it is not turned into a handle twice.
        let handle = ManuallyDrop::new(unsafe { Self::from_raw(pointer) });
        let _added = ManuallyDrop::new(Self::clone(&handle));
    }

    /// Drops a handle.
    ///
    /// # Safety
    /// `pointer` is from `into_raw`, and the value has a handle that nobody else drops.
    pub unsafe fn decrement_strong_count(pointer: *const T) {
        // SAFETY: as the caller promises.
        drop(unsafe { Self::from_raw(pointer) });
    }
}
