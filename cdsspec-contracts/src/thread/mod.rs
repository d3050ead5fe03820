//! std's `thread`, with clocks: to make a thread happens before all that it does, and that before its end is joined.

mod builder;
mod current;
mod deprecated;
mod end;
mod scope;
mod scoped;

pub use builder::{Builder, JoinHandle, spawn};
pub use current::{Thread, ThreadId, current, panicking, park, park_timeout, sleep, yield_now};
#[expect(deprecated, reason = "they are part of std's API")]
pub use deprecated::{park_timeout_ms, sleep_ms};
pub use scope::{Scope, scope};
pub use scoped::ScopedJoinHandle;
pub use std::thread::{AccessError, LocalKey, Result, available_parallelism};
