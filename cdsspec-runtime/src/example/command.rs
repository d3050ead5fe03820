//! The command line of an example.

use crate::model::Builder;
use crate::weaken::Programs;
use std::fmt;

/// What is asked for.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// The names of all programs, and what is specified.
    List,
    /// Which weaker memory orders these programs find; all of them, if none is named.
    Weaken { chosen: Vec<String>, memory: Memory, jobs: Option<usize>, is_json: bool, classifies: bool },
    /// Which memory orders these programs need; all of them, if none is named.
    Advise { chosen: Vec<String>, memory: Memory, jobs: Option<usize>, is_from_relaxed: bool },
    /// These programs; all of them, if none is named.
    Run { chosen: Vec<String>, memory: Memory, engine: Option<String>, is_json: bool },
}

/// What to look for in the heap, where it is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Memory {
    uninitialised: Option<bool>,
    freed: Option<bool>,
}

impl Memory {
    /// For one run.
    pub(super) fn set(self, builder: Builder) -> Builder {
        let builder = self.uninitialised.into_iter().fold(builder, Builder::uninitialised);
        self.freed.into_iter().fold(builder, Builder::freed)
    }

    /// For all runs of programs whose orders are judged.
    pub(super) fn set_all(self, programs: Programs) -> Programs {
        let programs = self.uninitialised.into_iter().fold(programs, Programs::uninitialised);
        self.freed.into_iter().fold(programs, Programs::freed)
    }
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
    /// This switch is the last one, or neither `on` nor `off` follows.
    NoSwitch(&'static str),
    /// `--from` without what to begin from, or without `--advise`.
    NoBase,
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { argument, names } => write!(
                f,
                "unknown argument `{argument}`: expected `--engine E`, `--json`, `--list`, `--weaken`, `--classify`, `--advise`, `--from relaxed`, `--jobs N`, `--uninitialised on|off`, `--freed on|off`, or one of {}",
                names.join(", ")
            ),
            Self::NoBase => f.write_str("`--from` goes with advice: `--advise --from relaxed`"),
            Self::NoJobs => f.write_str("`--jobs` needs a number from 1: `--jobs 2`"),
            Self::NoSwitch(name) => write!(f, "`{name}` is either: `{name} on` or `{name} off`"),
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
    let (mut classifies, mut memory) = (false, Memory::default());
    let mut is_from_relaxed = false;
    let mut jobs = None;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--engine" => engine = Some(arguments.next().ok_or(ArgumentError::NoEngine)?),
            "--json" => is_json = true,
            "--list" => is_list = true,
            "--weaken" => is_weaken = true,
            "--advise" => is_advise = true,
            "--classify" => classifies = true,
            "--uninitialised" => {
                memory.uninitialised = Some(switch("--uninitialised", arguments.next())?);
            }
            "--freed" => memory.freed = Some(switch("--freed", arguments.next())?),
            "--from" => match arguments.next().as_deref() {
                Some("relaxed") => is_from_relaxed = true,
                Some("written") => is_from_relaxed = false,
                _ => return Err(ArgumentError::NoBase),
            },
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
        () if is_advise => Command::Advise { chosen, memory, jobs, is_from_relaxed },
        () if is_from_relaxed => return Err(ArgumentError::NoBase),
        () if is_weaken => Command::Weaken { chosen, memory, jobs, is_json, classifies },
        () => Command::Run { chosen, memory, engine, is_json },
    })
}

/// What follows a switch.
fn switch(name: &'static str, argument: Option<String>) -> Result<bool, ArgumentError> {
    match argument.as_deref() {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        _ => Err(ArgumentError::NoSwitch(name)),
    }
}
