//! What the process has once, whichever run uses it: the standard error output.

mod stderr;

pub(crate) use stderr::write_line;
