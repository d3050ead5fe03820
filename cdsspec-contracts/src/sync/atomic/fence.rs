//! Fences.

use super::order::check_fence;
use crate::threads::current;
use std::sync::atomic::{self, Ordering};

/// std's `fence`.
///
/// # Panics
/// If `order` is `Relaxed`.
#[inline]
#[track_caller]
pub fn fence(order: Ordering) {
    check_fence(order);
    current::with(|thread| thread.fence(order));
    atomic::fence(order);
}

/// std's `compiler_fence`. It orders a thread only against its own signal handlers: it is no step.
///
/// # Panics
/// If `order` is `Relaxed`.
#[inline]
#[track_caller]
pub fn compiler_fence(order: Ordering) {
    check_fence(order);
    atomic::compiler_fence(order);
}
