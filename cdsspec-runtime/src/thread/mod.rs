//! std's `thread`, instrumented: inside an execution, threads of the program; outside of one, std's.
//!
//! `thread_local!` is this crate's macro of that name; std's has one value for all threads of an execution, which engines cannot see.

mod builder;
mod current;
mod deprecated;
mod join;
mod local;
mod scope;

pub use builder::{Builder, spawn};
pub use current::{Thread, ThreadId, current, panicking, park, park_timeout, sleep, yield_now};
#[expect(deprecated, reason = "they are part of std's API")]
pub use deprecated::{park_timeout_ms, sleep_ms};
pub use join::JoinHandle;
pub use local::{AccessError, LocalKey};
pub use scope::{Scope, ScopedJoinHandle, scope};
pub use std::thread::{Result, available_parallelism};
