//! Runs commands of this workspace.

use crate::Outcome;
use crate::source::root;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A `cargo` command in the root of the workspace, in words.
pub(crate) fn cargo(words: &str) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(words.split_whitespace()).current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs a command to its end and lets it print.
///
/// # Errors
/// That it could not be started, or that it failed.
pub(crate) fn run(mut command: Command) -> Outcome {
    let status = command.status().map_err(|error| format!("{}: {error}", describe(&command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", describe(&command))) }
}

/// Where cargo puts what it builds.
///
/// # Errors
/// That cargo does not say.
pub(crate) fn target_folder() -> Result<PathBuf, String> {
    let metadata = read(cargo("metadata --format-version 1 --no-deps --locked"))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    metadata["target_directory"].as_str().map(PathBuf::from).ok_or_else(|| "no target directory".to_owned())
}

/// Runs a command to its end and returns what it printed; its errors go through.
///
/// # Errors
/// That it could not be started, that it failed, or that its output is no text.
pub(crate) fn read(mut command: Command) -> Result<String, String> {
    let output = output(&mut command)?;
    if !output.status.success() {
        return Err(format!("`{}` failed: {}", describe(&command), output.status));
    }
    text(&command, output)
}

/// Runs a command to its end and returns what it printed, and whether it succeeded: for one that prints why it fails.
///
/// # Errors
/// That it could not be started, or that its output is no text.
pub(crate) fn read_any(mut command: Command) -> Result<(String, bool), String> {
    let output = output(&mut command)?;
    let is_success = output.status.success();
    Ok((text(&command, output)?, is_success))
}

fn output(command: &mut Command) -> Result<Output, String> {
    command.stderr(Stdio::inherit()).output().map_err(|error| format!("{}: {error}", describe(command)))
}

fn text(command: &Command, output: Output) -> Result<String, String> {
    String::from_utf8(output.stdout)
        .map_err(|error| format!("`{}` printed no text: {error}", describe(command)))
}

fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
