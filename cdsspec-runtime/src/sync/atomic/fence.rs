//! Fences.

use super::order::check_fence;
use crate::port::{here, with};
use crate::record::{Orders, operation_name};
use std::sync::atomic::{self, Ordering};

/// std's `fence`.
///
/// # Panics
/// If `order` is `Relaxed`.
#[inline(always)]
#[track_caller]
pub fn fence(order: Ordering) {
    check_fence(order);
    let place = here(operation_name!("fence", Fence), Orders::One(order));
    if with(|execution| execution.port().fence(place, order)).is_none() {
        atomic::fence(order);
    }
}

/// std's `compiler_fence`. No operation for an engine: it orders a thread only against its own signal handlers, and no engine
/// models these.
///
/// # Panics
/// If `order` is `Relaxed`.
#[inline(always)]
#[track_caller]
pub fn compiler_fence(order: Ordering) {
    check_fence(order);
    atomic::compiler_fence(order);
}
