//! Writes the golden files anew.

use crate::Outcome;
use crate::runner::{self, cargo};

/// Runs all tests with golden files written instead of compared. Look at the difference before you commit it.
pub(crate) fn run() -> Outcome {
    let mut command = cargo("test --workspace --no-fail-fast");
    command.env("UPDATE_EXPECT", "1").env("TRYBUILD", "overwrite");
    runner::run(command)
}
