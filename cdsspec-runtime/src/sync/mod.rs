//! std's `sync`, instrumented: names, signatures and semantics of std.
//!
//! Inside an execution every operation goes to the engine; outside of one the types behave as std's. What differs: the layout,
//! so that `as_ptr` and `from_ptr` of atomics are not offered.

pub mod atomic;
mod target;
