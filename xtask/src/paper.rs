//! The tables of the papers, which a package of their own computes.

use crate::Outcome;
use crate::runner::{cargo, run as run_command, target_folder};
use std::process::Command;

/// Computes a table, in release.
///
/// # Errors
/// That it failed.
pub(crate) fn run(table: &str, arguments: &[&str]) -> Outcome {
    // Of the whole workspace, and with the examples, which have the features of tests: chosen by itself, the package would have others, and the engine
    // would be built twice.
    run_command(cargo("build --quiet --release --workspace --bin paper --examples"))?;
    let mut command = Command::new(target_folder()?.join("release/paper"));
    command.arg(table).args(arguments);
    run_command(command)
}
