//! std's `sync::atomic`, instrumented.
//!
//! An atomic holds its constructed value, from which every execution starts. The values of an execution live in the engine.
//!
//! Differences from std: an atomic is larger than its value, so `as_ptr` and `from_ptr` are not offered. `get_mut` in an
//! execution leaves a new location behind, whose initial value is what was written through the reference: later loads cannot
//! read what was stored before. That a concurrent access was ordered before `get_mut` is not checked.

#[macro_use]
mod common;
mod boolean;
mod fence;
mod integer;
mod order;
mod pointer;

pub use boolean::AtomicBool;
pub use fence::{compiler_fence, fence};
pub use integer::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
    AtomicUsize,
};
pub use pointer::AtomicPtr;
pub use std::sync::atomic::Ordering;
