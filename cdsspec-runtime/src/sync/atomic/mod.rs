//! std's `sync::atomic`, instrumented.
//!
//! An atomic holds its constructed value, from which every execution starts. The values of an execution live in the engine.
//!
//! `AtomicU128` and `AtomicI128` are not there: std has them unstable, and not on every processor, so that a product build could not name them; and the
//! engines keep values of 64 bits.
//!
//! Differences from std: an atomic is larger than its value, so `as_ptr` and `from_ptr` are not offered. `get_mut` in an
//! execution leaves a new location behind, whose initial value is what was written through the reference: later loads cannot
//! read what was stored before. That a concurrent access was ordered before `get_mut` is not checked.

#[macro_use]
mod common;
mod boolean;
mod deprecated;
mod fence;
mod integer;
mod order;
mod pointer;

pub use boolean::AtomicBool;
#[expect(deprecated, reason = "they are part of std's API")]
pub use deprecated::{ATOMIC_BOOL_INIT, ATOMIC_ISIZE_INIT, ATOMIC_USIZE_INIT, spin_loop_hint};
pub use fence::{compiler_fence, fence};
pub use integer::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
    AtomicUsize,
};
pub use pointer::AtomicPtr;
pub use std::sync::atomic::Ordering;
