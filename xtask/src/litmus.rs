//! Runs a file of litmus tests under the engines, a line a test; or random ones.

mod campaign;

use campaign::{Campaign, Topic};
use cdsspec_litmus::explore::plain_limits;
use cdsspec_litmus::naive::{Effort, enumerate_rounds};
use cdsspec_litmus::syntax::{BLOCKED, RACE};
use cdsspec_litmus::{Litmus, LitmusResult, Setup, parse, run};
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::engine::graph::{self, GraphEngine, MemoryModel};
use cdsspec_runtime::engine::loom::LoomEngine;
use cdsspec_runtime::engine::{Engine, Limits};
use std::io::Write;
use std::time::Duration;

const USAGE: &str = "\
usage: cargo xtask litmus FILE [--engine rc11|loom|both|naive] [--json] [--loop-rounds K] [--executions-max N]
                               [--duration-max-ms N]
       cargo xtask litmus --random-loops N [--seed S] [--loop-rounds K] [--written-out]
                               [--about outcomes|calls|stuck]

  one line a test: how many executions there are, how many were blocked, and the outcomes; the limits are those of one test;
  --loop-rounds: the outcomes are those of executions in which every loop ends within K rounds; `cut`: there are others;
  --random-loops: rc11 against the twin on N programs with loops, for K rounds, or for 1, 2 and 3; a program on which they differ is
  made as small as it can be; --written-out: the same without loops, each round written out; --about: the outcomes, the order of
  calls with each of them, or which programs go on for ever;
  naive: not an engine, but the twin that counts consistent graphs by brute force, for programs of about ten events";

/// How many rounds of a loop the naive twin follows, if nothing is said.
const ROUNDS: usize = 3;

struct Options<'a> {
    file: &'a str,
    /// None: the naive twin.
    engines: Vec<Box<dyn Engine>>,
    is_json: bool,
    limits: Limits,
}

/// Runs what the arguments ask for.
///
/// # Errors
/// Arguments, a file or a test that cannot be read.
pub(crate) fn run_file(arguments: &[&str]) -> Result<(), String> {
    if let Some(campaign) = parse_campaign(arguments)? {
        return campaign::run(&campaign);
    }
    let options = parse_arguments(arguments)?;
    let text = std::fs::read_to_string(options.file).map_err(|error| format!("{}: {error}", options.file))?;
    let tests = parse(&text).map_err(|error| format!("{}: {error}", options.file))?;
    let setup = Setup { limits: options.limits.clone(), ..Setup::default() };
    for test in &tests {
        if options.engines.is_empty() {
            let rounds = options.limits.loop_rounds_max.unwrap_or(ROUNDS);
            show(test, &naive(test, rounds)?, options.is_json)?;
        }
        for engine in &options.engines {
            show(test, &run(test, engine.as_ref(), &setup), options.is_json)?;
        }
    }
    Ok(())
}

fn naive(test: &Litmus, rounds: usize) -> Result<LitmusResult, String> {
    let unrolled = enumerate_rounds(test, rounds, Effort::UNBOUNDED)
        .map_err(|_| format!("{}: the test is too large", test.name))?;
    let mut counts = unrolled.counts;
    let blocked = counts.remove(BLOCKED).unwrap_or(0);
    let verdict = match (counts.contains_key(RACE), blocked, unrolled.is_cut) {
        (true, _, _) => Verdict::Race,
        (false, 0, false) => Verdict::Holds,
        (false, 0, true) => Verdict::HoldsWithin,
        (false, _, _) => Verdict::Deadlock,
    };
    Ok(LitmusResult {
        name: test.name.clone(),
        engine: "naive".to_string(),
        executions: counts.values().sum(),
        blocked,
        outcomes: counts.keys().cloned().collect(),
        counts,
        cut: unrolled.is_cut || blocked > 0,
        is_limited: false,
        is_bounded: false,
        delayed: Default::default(),
        verdict,
    })
}

/// Prints a result at once, so that whatever comes later leaves it on the screen.
fn show(test: &Litmus, result: &LitmusResult, is_json: bool) -> Result<(), String> {
    let line = if is_json {
        serde_json::to_string(result).map_err(|error| format!("{}: {error}", test.name))?
    } else {
        let LitmusResult { name, engine, executions, blocked, outcomes, verdict, .. } = result;
        let outcomes = outcomes.join(" | ");
        format!(
            "{name:<28} {engine:<5} {verdict:<13} {executions:>7} executions {blocked:>5} blocked   {outcomes}"
        )
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| format!("stdout: {error}"))
}

fn parse_arguments<'a>(arguments: &[&'a str]) -> Result<Options<'a>, String> {
    let mut options = Options { file: "", engines: engines("rc11")?, is_json: false, limits: plain_limits() };
    let mut rest = arguments.iter().copied();
    while let Some(argument) = rest.next() {
        match argument {
            "--json" => options.is_json = true,
            "--engine" => options.engines = engines(rest.next().unwrap_or_default())?,
            "--loop-rounds" => options.limits.loop_rounds_max = Some(rounds(argument, rest.next())?),
            "--executions-max" => options.limits.executions_max = Some(number(argument, rest.next())?),
            "--duration-max-ms" => {
                options.limits.duration_max = Some(Duration::from_millis(number(argument, rest.next())?));
            }
            _ if argument.starts_with("--") => return Err(format!("`{argument}` is no option\n\n{USAGE}")),
            file if options.file.is_empty() => options.file = file,
            _ => return Err(format!("`{argument}`: there is one file at a time\n\n{USAGE}")),
        }
    }
    if options.file.is_empty() { Err(USAGE.to_string()) } else { Ok(options) }
}

/// What is asked for, if random programs are.
fn parse_campaign(arguments: &[&str]) -> Result<Option<Campaign>, String> {
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

/// The engines of this name. rc11 goes on after a race, so that the racy executions are counted, too.
fn engines(name: &str) -> Result<Vec<Box<dyn Engine>>, String> {
    let loom = || Box::new(LoomEngine::new()) as Box<dyn Engine>;
    let explored = |memory_model| {
        let options = graph::Options { memory_model, goes_on_after_race: true, ..graph::Options::default() };
        Box::new(GraphEngine::with_options(options)) as Box<dyn Engine>
    };
    let rc11 = || explored(MemoryModel::Rc11);
    if let Some(memory_model) = MemoryModel::by_name(name) {
        return Ok(vec![explored(memory_model)]);
    }
    match name {
        "loom" => Ok(vec![loom()]),
        "naive" => Ok(Vec::new()),
        "both" => Ok(vec![rc11(), loom()]),
        _ => Err(format!("`{name}` is no engine: rc11, loom, both or naive\n\n{USAGE}")),
    }
}
