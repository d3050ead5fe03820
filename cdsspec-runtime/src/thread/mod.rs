//! std's `thread`, instrumented: inside an execution, threads of the program; outside of one, std's.
//!
//! Not offered yet: `scope`, `park_timeout`. `thread_local!` is std's and cannot be seen by engines.

mod builder;
mod current;
mod join;

pub use builder::{Builder, spawn};
pub use current::{Thread, ThreadId, current, panicking, park, sleep, yield_now};
pub use join::JoinHandle;
pub use std::thread::{AccessError, LocalKey, Result, available_parallelism};
