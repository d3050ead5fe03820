//! `AtomicPtr`.

use super::order;
use crate::port::{here, in_our_frame};
use crate::record::{OperationName, Orders, Place, ValueKind, operation_name};
use crate::sync::target::Target;
use std::fmt;
use std::sync::atomic::Ordering;

atomic! {
    /// std's `AtomicPtr`, instrumented. An engine keeps the address, and the pointer that is read back has exposed provenance.
    AtomicPtr[T], *mut T, ValueKind::Pointer,
    to_bits: |pointer: *mut T| pointer.expose_provenance() as u64,
    from_bits: |bits: u64| std::ptr::with_exposed_provenance_mut(bits as usize)
}

/// Defines read-modify-writes `name => |address, operand| new address` of `AtomicPtr`; `unit` is what the operand counts.
macro_rules! address_updates {
    ($($(#[$doc:meta])* $name:ident, $unit:expr => $f:expr;)*) => {
        impl<T> AtomicPtr<T> {$(
            $(#[$doc])*
            #[inline(always)]
            #[track_caller]
            pub fn $name(&self, val: usize, order: Ordering) -> *mut T {
                let operand = val.wrapping_mul($unit);
                let function = |address: u64, operand: u64| {
                    let f: fn(usize, usize) -> usize = $f;
                    f(address as usize, operand as usize) as u64
                };
                let name = operation_name!(stringify!($name), Update);
                self.read_modify_write(name, order, operand as u64, function)
                    .unwrap_or_else(|| self.update_outside(order, |address| $f(address, operand)))
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
    fetch_or, 1 => |address: usize, bits: usize| address | bits;
    /// Bitwise "and" of the address; returns the pointer before.
    fetch_and, 1 => |address: usize, bits: usize| address & bits;
    /// Bitwise "xor" of the address; returns the pointer before.
    fetch_xor, 1 => |address: usize, bits: usize| address ^ bits;
}

impl<T> AtomicPtr<T> {
    /// std's own of these are newer than the minimum Rust version.
    fn update_outside(&self, order: Ordering, f: impl Fn(usize) -> usize) -> *mut T {
        let next = |pointer: *mut T| Some(pointer.map_addr(&f));
        match self.value.fetch_update(order, Ordering::Relaxed, next) {
            Ok(old) | Err(old) => old,
        }
    }
}

impl<T> Default for AtomicPtr<T> {
    fn default() -> Self {
        Self::new(std::ptr::null_mut())
    }
}

impl<T> fmt::Pointer for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.peek(), f)
    }
}
