//! `AtomicPtr`.

use super::order;
use crate::threads::order::{Order, for_order};
use std::fmt;
use std::sync::atomic::Ordering;

atomic! {
    /// std's `AtomicPtr`, with a clock.
    AtomicPtr[T], *mut T
}

/// Defines read-modify-writes `name => |address, operand| new address` of `AtomicPtr`; `unit` is what the operand counts. std's own are
/// newer than the minimum Rust version.
macro_rules! address_updates {
    ($($(#[$doc:meta])* $name:ident, $unit:expr => $f:expr;)*) => {
        impl<T> AtomicPtr<T> {$(
            $(#[$doc])*
            #[inline(always)]
            #[track_caller]
            pub fn $name(&self, val: usize, order: Ordering) -> *mut T {
                let operand = val.wrapping_mul($unit);
                let f: fn(usize, usize) -> usize = $f;
                let next = |pointer: *mut T| Some(pointer.map_addr(|address| f(address, operand)));
                self.released.update(order, || match self.value.fetch_update(order, Ordering::Relaxed, next) {
                    Ok(old) | Err(old) => old,
                })
            }
        )*}
    };
}

address_updates! {
    /// Moves the pointer on by so many `T`; returns the one before.
    fetch_ptr_add, size_of::<T>() => usize::wrapping_add;
    /// Moves the pointer back by so many `T`; returns the one before.
    fetch_ptr_sub, size_of::<T>() => usize::wrapping_sub;
    /// Moves the pointer on by so many bytes; returns the one before.
    fetch_byte_add, 1 => usize::wrapping_add;
    /// Moves the pointer back by so many bytes; returns the one before.
    fetch_byte_sub, 1 => usize::wrapping_sub;
    /// Bitwise "or" of the address; returns the pointer before.
    fetch_or, 1 => |address, bits| address | bits;
    /// Bitwise "and" of the address; returns the pointer before.
    fetch_and, 1 => |address, bits| address & bits;
    /// Bitwise "xor" of the address; returns the pointer before.
    fetch_xor, 1 => |address, bits| address ^ bits;
}

impl<T> Default for AtomicPtr<T> {
    fn default() -> Self {
        Self::new(std::ptr::null_mut())
    }
}

impl<T> fmt::Pointer for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.value, f)
    }
}
