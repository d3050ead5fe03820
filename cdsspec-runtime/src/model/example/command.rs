//! The command line of an example.

use std::fmt;

/// What is asked for.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// The names of all programs, and what is specified.
    List,
    /// These programs; all of them, if none is named.
    Run { chosen: Vec<String>, engine: Option<String>, is_json: bool },
}

/// Arguments that are not understood.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum ArgumentError {
    /// Nothing is called that.
    Unknown { argument: String, names: Vec<&'static str> },
    /// `--engine` is the last one.
    NoEngine,
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { argument, names } => write!(
                f,
                "unknown argument `{argument}`: expected `--engine E`, `--json`, `--list`, or one of {}",
                names.join(", ")
            ),
            Self::NoEngine => f.write_str("`--engine` needs a name: `--engine rc11` or `--engine loom`"),
        }
    }
}

/// Reads the arguments.
pub(super) fn parse(
    arguments: impl IntoIterator<Item = String>,
    names: &[&'static str],
) -> Result<Command, ArgumentError> {
    let mut chosen = Vec::new();
    let mut engine = None;
    let (mut is_json, mut is_list) = (false, false);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--engine" => engine = Some(arguments.next().ok_or(ArgumentError::NoEngine)?),
            "--json" => is_json = true,
            "--list" => is_list = true,
            name if names.contains(&name) => chosen.push(argument),
            _ => return Err(ArgumentError::Unknown { argument, names: names.to_vec() }),
        }
    }
    Ok(if is_list { Command::List } else { Command::Run { chosen, engine, is_json } })
}
