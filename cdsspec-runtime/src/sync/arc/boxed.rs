//! An `Arc` of what is in a box or a std `Arc`, whatever its size: so `Arc<dyn Trait>`, `Arc<[T]>`, `Arc<str>`.

use super::control::Control;
use super::{Arc, Inner, allocation};
use crate::record::SourceLocation;
use std::alloc::Layout;
use std::mem::ManuallyDrop;
use std::sync::Arc as StdArc;

impl<T: ?Sized> From<Box<T>> for Arc<T> {
    /// Moves the value from the box to memory that handles share.
    ///
    /// # Panics
    /// If the value's alignment is over 4096.
    #[inline(always)]
    #[track_caller]
    fn from(value: Box<T>) -> Self {
        let control = StdArc::new(Control::new(SourceLocation::caller(), 1));
        let value = Box::into_raw(value);
        // SAFETY: the value is there, and is not used again.
        let inner = unsafe { take_over(value, control) };
        // SAFETY: the value was moved out: this frees the memory only.
        drop(unsafe { Box::from_raw(value as *mut ManuallyDrop<T>) });
        Self { inner }
    }
}

#[cfg(feature = "loom-api")]
impl<T: ?Sized> Arc<T> {
    /// An instrumented handle of what a std `Arc` owns, whatever its size: as loom's function of that name. The value moves.
    ///
    /// # Panics
    /// If there is another handle, strong or weak. If the value's alignment is over 4096.
    #[inline(always)]
    #[track_caller]
    pub fn from_std(mut value: StdArc<T>) -> Self {
        assert!(StdArc::get_mut(&mut value).is_some(), "the Arc given to `from_std` is not the only handle");
        let control = StdArc::new(Control::new(SourceLocation::caller(), 1));
        let value = StdArc::into_raw(value);
        // SAFETY: the value is there, there is no other handle, and it is not used again.
        let inner = unsafe { take_over(value, control) };
        // SAFETY: the value was moved out, and `ManuallyDrop` has its layout: this frees the memory only.
        drop(unsafe { StdArc::from_raw(value as *const ManuallyDrop<T>) });
        Self { inner }
    }
}

/// Moves a value to memory that handles share.
///
/// # Safety
/// The value is not used again where it was.
unsafe fn take_over<T: ?Sized>(value: *const T, control: StdArc<Control>) -> StdArc<Inner<T>> {
    // SAFETY: the value is there.
    let of_value = Layout::for_value(unsafe { &*value });
    let (whole, offset) = Layout::new::<StdArc<Control>>().extend(of_value).expect("it fits in the memory");
    let whole = whole.pad_to_align();
    let memory = allocation::allocate(whole);
    // SAFETY: the memory is new, and `Inner` is `repr(C)`: this is its first field.
    unsafe { memory.cast::<StdArc<Control>>().write(control) };
    // SAFETY: this is its second field.
    let place = unsafe { memory.add(offset) };
    // SAFETY: so many bytes are there, and the memory is new.
    unsafe { place.copy_from_nonoverlapping(value.cast(), of_value.size()) };
    let inner = with_address(value as *const Inner<T>, memory);
    // SAFETY: the data was allocated by std's `Arc`, with this size and alignment, and both fields were written.
    let inner = unsafe { StdArc::from_raw(inner) };
    debug_assert_eq!(Layout::for_value(&*inner), whole, "cdsspec bug: the memory is not that of the value");
    inner
}

/// A pointer with the size or the table of this one, and this address.
fn with_address<T: ?Sized>(mut pointer: *const T, address: *mut u8) -> *const T {
    // SAFETY: a pointer begins with its address, as std's own `Arc` relied on.
    unsafe { (&raw mut pointer).cast::<*mut u8>().write(address) };
    assert!(pointer.cast::<u8>() == address.cast_const(), "cdsspec bug: a pointer begins with its address");
    pointer
}
