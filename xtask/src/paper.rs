//! The tables of the papers, which a package of their own computes.

use crate::Outcome;
use crate::runner::{cargo, run as run_command};

/// Computes a table, in release.
///
/// # Errors
/// That it failed.
pub(crate) fn run(table: &str, arguments: &[&str]) -> Outcome {
    let mut command = cargo("run --quiet --release --package paper --");
    command.arg(table).args(arguments);
    run_command(command)
}
