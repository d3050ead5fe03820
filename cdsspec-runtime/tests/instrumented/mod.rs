//! The instrumented types, outside of executions (where they are to be as std's), and inside of one, under the smallest engine.
#![allow(clippy::unwrap_used, reason = "tests")]

mod arc;
mod atomic;
mod cell;
mod channel;
mod fake;
mod hint;
mod lock;
mod once;
mod scope;
mod thread;
