//! The arguments.

use super::campaign::{Campaign, Topic};
use crate::explore::plain_limits;
use cdsspec_runtime::engine::graph::{self, GraphEngine, MemoryModel};
#[cfg(feature = "loom")]
use cdsspec_runtime::engine::loom::LoomEngine;
use cdsspec_runtime::engine::{Engine, Limits};
use std::time::Duration;

const USAGE: &str = "\
usage: cargo xtask litmus FILE [--memory-model rc11|sc|tso|pso] [--engine loom|both|naive] [--json]
                               [--loop-rounds K] [--executions-max N] [--duration-max-ms N]
       cargo xtask litmus --random-loops N [--seed S] [--loop-rounds K] [--written-out]
                               [--about outcomes|calls|stuck]

  `cargo run --release -p cdsspec-litmus -- …` does the same, on loom with `--features loom`;
  --engine: the engine of the memory model, if nothing is said; `--engine tso` is `--memory-model tso`; both: rc11 and loom;
  one line a test: how many executions there are, how many were blocked, and the outcomes; the limits are those of one test;
  --loop-rounds: the outcomes are those of executions in which every loop ends within K rounds; `cut`: there are others;
  --random-loops: rc11 against the twin on N programs with loops, for K rounds, or for 1, 2 and 3; a program on which they differ is
  made as small as it can be; --written-out: the same without loops, each round written out; --about: the outcomes, the order of
  calls with each of them, or which programs go on for ever;
  naive: not an engine, but a twin. Under rc11 it counts consistent graphs by brute force, for programs of about ten events; under
  sc, tso and pso it searches the states of a machine with queues of stores, and refuses tests with `na` accesses; under sc its
  executions are the Mazurkiewicz traces";

/// How many rounds of a loop a twin follows, if nothing is said.
const ROUNDS: usize = 3;

/// What is asked for.
pub(super) struct Options<'a> {
    pub(super) file: &'a str,
    /// None: the twin.
    pub(super) engines: Vec<Box<dyn Engine>>,
    /// The memory model, if one is named.
    pub(super) memory_model: Option<MemoryModel>,
    pub(super) is_json: bool,
    pub(super) limits: Limits,
}

impl Options<'_> {
    /// How many rounds of a loop a twin follows.
    pub(super) fn rounds(&self) -> usize {
        self.limits.loop_rounds_max.unwrap_or(ROUNDS)
    }
}

/// Reads the arguments of a run of a file.
pub(super) fn parse<'a>(arguments: &[&'a str]) -> Result<Options<'a>, String> {
    let (mut file, mut engine, mut memory_model, mut is_json) = ("", None, None, false);
    let mut limits = plain_limits();
    let mut rest = arguments.iter().copied();
    while let Some(argument) = rest.next() {
        match argument {
            "--json" => is_json = true,
            "--engine" => engine = Some(rest.next().unwrap_or_default()),
            "--memory-model" => memory_model = Some(model(rest.next().unwrap_or_default())?),
            "--loop-rounds" => limits.loop_rounds_max = Some(rounds(argument, rest.next())?),
            "--executions-max" => limits.executions_max = Some(number(argument, rest.next())?),
            "--duration-max-ms" => {
                limits.duration_max = Some(Duration::from_millis(number(argument, rest.next())?));
            }
            _ if argument.starts_with("--") => return Err(format!("`{argument}` is no option\n\n{USAGE}")),
            name if file.is_empty() => file = name,
            _ => return Err(format!("`{argument}`: there is one file at a time\n\n{USAGE}")),
        }
    }
    let engines = engines(engine, memory_model)?;
    if file.is_empty() {
        return Err(USAGE.to_string());
    }
    Ok(Options { file, engines, memory_model, is_json, limits })
}

/// What is asked for, if random programs are.
pub(super) fn parse_campaign(arguments: &[&str]) -> Result<Option<Campaign>, String> {
    let mut campaign =
        Campaign { count: 0, seed: 1, rounds: None, is_written_out: false, topic: Topic::Outcomes };
    if !arguments.contains(&"--random-loops") {
        return Ok(None);
    }
    let mut rest = arguments.iter().copied();
    while let Some(argument) = rest.next() {
        match argument {
            "--random-loops" => campaign.count = number(argument, rest.next())?,
            "--seed" => campaign.seed = number(argument, rest.next())?,
            "--loop-rounds" => campaign.rounds = Some(rounds(argument, rest.next())?),
            "--about" => {
                let topic = rest.next().and_then(Topic::parse);
                campaign.topic =
                    topic.ok_or_else(|| format!("`--about` wants outcomes, calls or stuck\n\n{USAGE}"))?;
            }
            "--written-out" => campaign.is_written_out = true,
            _ => return Err(format!("`{argument}` does not go with `--random-loops`\n\n{USAGE}")),
        }
    }
    Ok(Some(campaign))
}

fn rounds(argument: &str, value: Option<&str>) -> Result<usize, String> {
    usize::try_from(number(argument, value)?).map_err(|_| format!("`{argument}` wants a smaller number"))
}

fn number(argument: &str, value: Option<&str>) -> Result<u64, String> {
    let number = value.and_then(|value| value.parse().ok());
    number.ok_or_else(|| format!("`{argument}` wants a number\n\n{USAGE}"))
}

/// The memory model of this name.
fn model(name: &str) -> Result<MemoryModel, String> {
    MemoryModel::by_name(name)
        .ok_or_else(|| format!("`{name}` is no memory model: rc11, sc, tso or pso\n\n{USAGE}"))
}

/// The engines of this name, under a memory model. Without a name it is that of the memory model.
fn engines(name: Option<&str>, model: Option<MemoryModel>) -> Result<Vec<Box<dyn Engine>>, String> {
    let Some(name) = name else { return Ok(vec![explored(model.unwrap_or_default())]) };
    let of_name = match name {
        "naive" => return Ok(Vec::new()),
        "loom" | "both" => Some(MemoryModel::Rc11),
        _ => MemoryModel::by_name(name),
    };
    let Some(of_name) = of_name else {
        return Err(format!("`{name}` is no engine: rc11, sc, tso, pso, loom, both or naive\n\n{USAGE}"));
    };
    if model.is_some_and(|model| model != of_name) {
        return Err(format!("`--engine {name}` has another memory model\n\n{USAGE}"));
    }
    match name {
        "loom" => Ok(vec![loom()?]),
        "both" => Ok(vec![explored(of_name), loom()?]),
        _ => Ok(vec![explored(of_name)]),
    }
}

/// The engine of a memory model. It goes on after a race, so that the racy executions are counted, too.
fn explored(memory_model: MemoryModel) -> Box<dyn Engine> {
    let options = graph::Options { memory_model, goes_on_after_race: true, ..graph::Options::default() };
    Box::new(GraphEngine::with_options(options))
}

#[cfg(feature = "loom")]
fn loom() -> Result<Box<dyn Engine>, String> {
    Ok(Box::new(LoomEngine::new()))
}

#[cfg(not(feature = "loom"))]
fn loom() -> Result<Box<dyn Engine>, String> {
    Err("loom is not in this build: it takes `--features loom`".to_string())
}
