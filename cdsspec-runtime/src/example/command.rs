//! The command line of an example.

use std::fmt;

/// What is asked for.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// The names of all programs, and what is specified.
    List,
    /// Which weaker memory orders these programs find; all of them, if none is named.
    Weaken { chosen: Vec<String>, jobs: Option<usize>, is_json: bool },
    /// Which memory orders these programs need; all of them, if none is named.
    Advise { chosen: Vec<String>, jobs: Option<usize> },
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
    /// `--jobs` is the last one, or no number follows.
    NoJobs,
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { argument, names } => write!(
                f,
                "unknown argument `{argument}`: expected `--engine E`, `--json`, `--list`, `--weaken`, `--advise`, `--jobs N`, or one of {}",
                names.join(", ")
            ),
            Self::NoJobs => f.write_str("`--jobs` needs a number from 1: `--jobs 2`"),
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
    let (mut is_json, mut is_list, mut is_weaken, mut is_advise) = (false, false, false, false);
    let mut jobs = None;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--engine" => engine = Some(arguments.next().ok_or(ArgumentError::NoEngine)?),
            "--json" => is_json = true,
            "--list" => is_list = true,
            "--weaken" => is_weaken = true,
            "--advise" => is_advise = true,
            "--jobs" => {
                let count = arguments.next().and_then(|count| count.parse().ok());
                jobs = Some(count.filter(|&count| count > 0).ok_or(ArgumentError::NoJobs)?);
            }
            name if names.contains(&name) => chosen.push(argument),
            _ => return Err(ArgumentError::Unknown { argument, names: names.to_vec() }),
        }
    }
    Ok(match () {
        () if is_list => Command::List,
        () if is_advise => Command::Advise { chosen, jobs },
        () if is_weaken => Command::Weaken { chosen, jobs, is_json },
        () => Command::Run { chosen, engine, is_json },
    })
}
