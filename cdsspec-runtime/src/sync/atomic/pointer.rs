//! `AtomicPtr`.

use super::order;
use crate::record::{Orders, Place, ValueKind};
use crate::sync::target::Target;
use std::fmt;
use std::sync::atomic::Ordering;

atomic! {
    /// std's `AtomicPtr`, instrumented. An engine keeps the address, and the pointer that is read back has exposed provenance.
    AtomicPtr[T], *mut T, ValueKind::Pointer,
    to_bits: |pointer: *mut T| pointer.expose_provenance() as u64,
    from_bits: |bits: u64| std::ptr::with_exposed_provenance_mut(bits as usize)
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
