//! The command line of an example.

use crate::model::{Builder, MemoryModel};
use crate::weaken::Programs;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, value_parser};
use std::num::NonZeroUsize;

/// What is asked for.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// The names of all programs, and what is specified.
    List,
    /// Which weaker memory orders these programs find; all of them, if none is named.
    Weaken { chosen: Vec<String>, memory: Memory, jobs: Option<usize>, is_json: bool, classifies: bool },
    /// Which memory orders these programs need; all of them, if none is named.
    Advise { chosen: Vec<String>, memory: Memory, jobs: Option<usize>, is_json: bool, from: Option<String> },
    /// Tests that are generated.
    Explore,
    /// These programs; all of them, if none is named.
    Run {
        chosen: Vec<String>,
        memory: Memory,
        engine: Option<String>,
        memory_model: Option<String>,
        is_json: bool,
    },
}

/// What to look for in the heap, where it is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Memory {
    uninitialised: Option<bool>,
    freed: Option<bool>,
}

impl Memory {
    fn of(matches: &ArgMatches) -> Self {
        let switch = |name| matches.get_one::<String>(name).map(|value| value == "on");
        Self { uninitialised: switch("uninitialised"), freed: switch("freed") }
    }

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

/// The names that mean something to an example.
pub(super) struct Names<'a> {
    /// Its own.
    pub(super) example: &'static str,
    /// Of its programs and bugs.
    pub(super) programs: &'a [&'static str],
    /// Of the orders that advice may begin from, beside those that are written, and `relaxed`.
    pub(super) orders: &'a [&'static str],
}

/// Advice from the orders that are written.
const WRITTEN: &str = "written";
/// Advice from none.
pub(super) const RELAXED: &str = "relaxed";

/// Reads the arguments of an example, behind its name.
///
/// # Errors
/// What is not understood; or the help that was asked for.
pub(super) fn parse(
    arguments: impl IntoIterator<Item = String>,
    names: &Names<'_>,
) -> Result<Command, clap::Error> {
    let all = std::iter::once(names.example.to_owned()).chain(arguments);
    let matches = grammar(names).try_get_matches_from(all)?;
    let is_on = |name| matches.get_flag(name);
    let text = |name| matches.get_one::<String>(name).cloned();
    let chosen = matches.get_many("program").unwrap_or_default().cloned().collect();
    let (memory, is_json) = (Memory::of(&matches), is_on("json"));
    let jobs = matches.get_one::<NonZeroUsize>("jobs").map(|jobs| jobs.get());
    Ok(match () {
        () if is_on("list") => Command::List,
        () if is_on("explore") => Command::Explore,
        () if is_on("advise") => {
            let from = text("from").filter(|from| from != WRITTEN);
            Command::Advise { chosen, memory, jobs, is_json, from }
        }
        () if is_on("weaken") => {
            Command::Weaken { chosen, memory, jobs, is_json, classifies: is_on("classify") }
        }
        () => Command::Run {
            chosen,
            memory,
            engine: text("engine"),
            memory_model: text("memory-model"),
            is_json,
        },
    })
}

fn grammar(names: &Names<'_>) -> clap::Command {
    let program = Arg::new("program").value_name("PROGRAM").num_args(0..);
    let programs = program.value_parser(PossibleValuesParser::new(names.programs)).hide_possible_values(true);
    clap::Command::new(names.example)
        .about("Checks the programs of this example, and finds its seeded bugs")
        .arg(programs.help("What to run, and to show in full [default: all; --list has the names]"))
        .arg(flag("list", "Lists the programs, the bugs, and what is specified").exclusive(true))
        .arg(
            flag("explore", "Checks generated tests of what the structure can be asked to do")
                .exclusive(true),
        )
        .arg(flag("json", "Prints one JSON object a line"))
        .arg(
            one_of(
                "engine",
                "E",
                ["rc11", "random", "loom", "default"],
                "Who explores: rc11, random, loom, or default",
            )
            .conflicts_with("orders"),
        )
        .arg(
            one_of(
                "memory-model",
                "M",
                MemoryModel::ALL.map(MemoryModel::name),
                "Which executions there are: rc11, sc, tso, or pso",
            )
            .conflicts_with("orders"),
        )
        .arg(flag("weaken", "Weakens every memory order by a step: which of these are found?"))
        .arg(
            flag("classify", "With --weaken: in the class of the worst that any execution shows")
                .requires("weaken")
                .conflicts_with("advise"),
        )
        .arg(flag("advise", "Looks for the weakest orders with which the programs hold"))
        .arg(from(names.orders).requires("advise").conflicts_with("weaken"))
        .group(ArgGroup::new("orders").args(["weaken", "advise"]))
        .arg(
            valued("jobs", "N", "With --weaken or --advise: on so many cores [default: all]")
                .value_parser(value_parser!(NonZeroUsize))
                .requires("orders"),
        )
        .arg(one_of("uninitialised", "on|off", ["on", "off"], "Looks for uses of uninitialised memory"))
        .arg(one_of("freed", "on|off", ["on", "off"], "Looks for uses of freed memory"))
}

/// What advice begins from.
fn from(orders: &[&'static str]) -> Arg {
    let bases = [WRITTEN, RELAXED].iter().chain(orders).copied();
    let more: String = orders.iter().map(|name| format!(", or {name}")).collect();
    Arg::new("from")
        .long("from")
        .value_name("BASE")
        .help(format!("With --advise: from written orders, or relaxed{more}"))
        .value_parser(PossibleValuesParser::new(bases.collect::<Vec<_>>()))
        .hide_possible_values(true)
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn valued(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

fn one_of<const N: usize>(
    name: &'static str,
    value: &'static str,
    values: [&'static str; N],
    help: &'static str,
) -> Arg {
    valued(name, value, help).value_parser(PossibleValuesParser::new(values)).hide_possible_values(true)
}
