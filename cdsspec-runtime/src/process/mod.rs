//! What the process has once, whichever run uses it: the standard error output, and the signals that end it.

#[cfg(unix)]
mod crash;
#[cfg(not(unix))]
#[path = "no_crash.rs"]
mod crash;
mod stderr;

pub(crate) use crash::{Crash, during as during_run};
pub(crate) use stderr::write_line;
