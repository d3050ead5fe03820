//! Whether the process's global allocator is one of ours.

use super::running::{self, Running};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The global allocator, if it is one of ours and was asked for.
pub(super) static GLOBAL: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// Whether the global allocator is an [`Allocator`](super::Allocator). Cost: an allocation.
pub fn is_installed() -> bool {
    if GLOBAL.load(Ordering::Relaxed).is_null() {
        running::during(Running::Probe, || drop(std::hint::black_box(Box::new(0_u8))));
    }
    !GLOBAL.load(Ordering::Relaxed).is_null()
}
