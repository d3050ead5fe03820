//! std's `sync::atomic`, with clocks.
//!
//! All operations of an atomic are done one after the other, under a lock of its own: so a load reads the newest store, which is one of those
//! that it may read. Differences from std: an atomic is larger than its value, so `as_ptr` and `from_ptr` are not offered.

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
