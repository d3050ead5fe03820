//! The command line of an example.

use std::fmt;

/// What is asked for.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// The names of all programs, and what is specified.
    List,
    /// These programs; all of them, if none is named.
    Run { chosen: Vec<String>, is_json: bool },
}

/// An argument that is not understood.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct UnknownArgument {
    argument: String,
    names: Vec<&'static str>,
}

impl fmt::Display for UnknownArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { argument, names } = self;
        write!(
            f,
            "unknown argument `{argument}`: expected `--json`, `--list`, or one of {}",
            names.join(", ")
        )
    }
}

/// Reads the arguments.
pub(super) fn parse(
    arguments: impl IntoIterator<Item = String>,
    names: &[&'static str],
) -> Result<Command, UnknownArgument> {
    let mut chosen = Vec::new();
    let (mut is_json, mut is_list) = (false, false);
    for argument in arguments {
        match argument.as_str() {
            "--json" => is_json = true,
            "--list" => is_list = true,
            name if names.contains(&name) => chosen.push(argument),
            _ => return Err(UnknownArgument { argument, names: names.to_vec() }),
        }
    }
    Ok(if is_list { Command::List } else { Command::Run { chosen, is_json } })
}
