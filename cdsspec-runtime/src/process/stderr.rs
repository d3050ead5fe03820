//! The standard error output of the process itself.
//!
//! A test harness keeps back what a test prints with `eprintln!`, until the test has failed: a test that never ends, and one that
//! passes, would say nothing.

use super::layout::{columns, wrap};
use std::io::Write;

/// Writes a text and the end of its line. What cannot be written is lost: there is nobody to tell.
pub(crate) fn write_line(text: &str) {
    let line = format!("{}\n", text.trim_end());
    drop(std::io::stderr().lock().write_all(line.as_bytes()));
}

/// Writes a text of one paragraph, as wide as the terminal.
pub(crate) fn write_note(text: &str) {
    write_line(&wrap(text, 0, 2, columns()).join("\n"));
}
