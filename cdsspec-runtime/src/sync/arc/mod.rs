//! `Arc` and `Weak`.
//!
//! A real `std::sync::Arc` owns the memory. When the value is destroyed is decided, in an execution, by an instrumented count, so
//! that orders that are too weak show. Handles that the instrumented count has not seen (clones that the checker keeps) only
//! ever put it off: a handle that exists always has its value. So is the count of weak handles, which `get_mut`, `make_mut` and
//! `weak_count` look at.
//!
//! Not offered, for want of stable Rust: that an `Arc<T>` turns into an `Arc<dyn Trait>` or `Arc<[T]>` by itself (`CoerceUnsized`), and that it
//! is the type of `self` (`Receiver`): both are open to std's own types alone. `Arc::from` of a box, or a cast of the pointer between `into_raw` and
//! `from_raw`, makes the first, in every build; an associated function with `this: Arc<Self>` stands for the second.

mod allocation;
mod boxed;
mod control;
mod file;
mod raw;
mod slice;
mod traits;
mod weak;
mod weak_raw;

pub use weak::Weak;

use crate::port::{here, in_our_frame};
use crate::record::{Orders, Place, SourceLocation, operation_name};
use control::Control;
use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;
use std::pin::Pin;
use std::sync::Arc as StdArc;

/// std's `Arc`, instrumented.
pub struct Arc<T: ?Sized> {
    inner: StdArc<Inner<T>>,
}

/// The shared allocation.
#[repr(C)]
struct Inner<T: ?Sized> {
    control: StdArc<Control>,
    value: UnsafeCell<ManuallyDrop<T>>,
}

// SAFETY: handles give out `&T`, and `&mut T` or `T` only to the sole one; whichever thread is last destroys the value. The control block
// is made for several threads.
unsafe impl<T: ?Sized + Send + Sync> Send for Arc<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for Arc<T> {}
impl<T: ?Sized + std::panic::RefUnwindSafe> std::panic::UnwindSafe for Arc<T> {}
impl<T: ?Sized + std::panic::RefUnwindSafe> std::panic::RefUnwindSafe for Arc<T> {}

impl<T: ?Sized> Inner<T> {
    /// Destroys the value.
    ///
    /// # Safety
    /// The control block has said that the caller is the one to do it.
    unsafe fn destroy(&self) {
        // SAFETY: no other handle exists, so this is the only reference.
        let value = unsafe { &mut *self.value.get() };
        // SAFETY: the control block says so once.
        unsafe { ManuallyDrop::drop(value) };
    }

    /// Moves the value out.
    ///
    /// # Safety
    /// The control block has said that the caller is the one to do it.
    unsafe fn take(&self) -> T
    where
        T: Sized,
    {
        // SAFETY: no other handle exists, so this is the only reference.
        let value = unsafe { &mut *self.value.get() };
        // SAFETY: the control block says so once.
        unsafe { ManuallyDrop::take(value) }
    }
}

impl<T: ?Sized> Drop for Inner<T> {
    fn drop(&mut self) {
        if self.control.claim() {
            // SAFETY: `claim` says so.
            unsafe { self.destroy() };
        }
    }
}

impl<T: ?Sized> Drop for Arc<T> {
    fn drop(&mut self) {
        let place = in_our_frame(self.inner.control.drop_place());
        self.leave(place);
    }
}

impl<T: ?Sized> Arc<T> {
    /// The handle goes, by an operation at this place; the last one destroys the value.
    #[inline(never)]
    fn leave(&self, place: Place) {
        if self.inner.control.remove_handle(place) {
            // SAFETY: `remove_handle` says so.
            unsafe { self.inner.destroy() };
        }
    }
}

impl<T> Arc<T> {
    /// A shared value.
    #[inline(always)]
    #[track_caller]
    pub fn new(value: T) -> Self {
        let control = StdArc::new(Control::new(SourceLocation::caller(), 1));
        Self { inner: StdArc::new(Inner { control, value: UnsafeCell::new(ManuallyDrop::new(value)) }) }
    }

    /// A shared value that does not move.
    #[inline(always)]
    #[track_caller]
    pub fn pin(value: T) -> Pin<Self> {
        let arc = Self::new(value);
        // SAFETY: the value stays in its allocation, and `get_mut` and `try_unwrap` are not reachable through a pinned handle.
        unsafe { Pin::new_unchecked(arc) }
    }

    /// The value, if this is the only handle.
    ///
    /// # Errors
    /// This handle, if there are others.
    #[inline(always)]
    #[track_caller]
    pub fn try_unwrap(this: Self) -> Result<T, Self> {
        if !this.inner.control.take_sole(here(operation_name!("try_unwrap"), Orders::None)) {
            return Err(this);
        }
        let inner = this.into_allocation();
        // SAFETY: `take_sole` says so.
        Ok(unsafe { inner.take() })
    }

    /// The value, if this is the last handle. Of several threads that do this at once, one gets it.
    #[inline(always)]
    #[track_caller]
    pub fn into_inner(this: Self) -> Option<T> {
        let place = here(operation_name!("into_inner"), Orders::None);
        // Before the operation, which may unwind: the handle is then gone once, not twice.
        let inner = this.into_allocation();
        let is_last = inner.control.remove_handle(place);
        // SAFETY: `remove_handle` says so.
        is_last.then(|| unsafe { inner.take() })
    }

    /// The value if this is the only handle, else a clone of it.
    #[inline(always)]
    #[track_caller]
    pub fn unwrap_or_clone(this: Self) -> T
    where
        T: Clone,
    {
        // Not `unwrap_or_else`: its closure would be the caller.
        match Self::try_unwrap(this) {
            Ok(value) => value,
            Err(shared) => T::clone(&shared),
        }
    }

    /// The allocation, for one who has already told the control block.
    fn into_allocation(self) -> StdArc<Inner<T>> {
        let this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again, nor dropped.
        unsafe { std::ptr::read(&raw const this.inner) }
    }
}

impl<T: ?Sized> Arc<T> {
    /// Whether two handles share one value.
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        StdArc::ptr_eq(&this.inner, &other.inner)
    }

    /// How many handles there are, in an execution as a relaxed load sees it.
    #[inline(always)]
    #[track_caller]
    pub fn strong_count(this: &Self) -> usize {
        this.inner.control.strong_count(here(operation_name!("strong_count"), Orders::None))
    }

    /// How many weak handles there are, in an execution as a relaxed load sees it.
    #[inline(always)]
    #[track_caller]
    pub fn weak_count(this: &Self) -> usize {
        this.inner.control.weak_count(here(operation_name!("weak_count"), Orders::None))
    }

    /// The value, borrowed, if there is no other handle, strong or weak.
    #[inline(always)]
    #[track_caller]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        let is_unique = this.inner.control.is_unique(here(operation_name!("get_mut"), Orders::None));
        // SAFETY: there is no other handle, and this one is borrowed uniquely.
        is_unique.then(|| unsafe { this.get_mut_unchecked() })
    }

    /// # Safety
    /// No other handle exists, nor can come to be as long as the reference is there.
    unsafe fn get_mut_unchecked(&mut self) -> &mut T {
        // SAFETY: as the caller promises.
        unsafe { &mut *self.inner.value.get() }
    }
}

impl<T: Clone> Arc<T> {
    /// The value, borrowed; if there are other handles, strong or weak, this one becomes one of a clone first. (std moves the
    /// value if the others are weak. Here it is cloned and then dropped.)
    #[inline(always)]
    #[track_caller]
    pub fn make_mut(this: &mut Self) -> &mut T {
        if !this.inner.control.is_unique(here(operation_name!("make_mut"), Orders::None)) {
            *this = Self::new(T::clone(this));
        }
        // SAFETY: there is no other handle, and this one is borrowed uniquely.
        unsafe { this.get_mut_unchecked() }
    }
}

impl<T: ?Sized> Clone for Arc<T> {
    #[inline(always)]
    #[track_caller]
    fn clone(&self) -> Self {
        self.inner.control.add_handle(here(operation_name!("clone"), Orders::None));
        Self { inner: StdArc::clone(&self.inner) }
    }
}
