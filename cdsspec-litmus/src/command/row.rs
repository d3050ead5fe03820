//! What is printed for a test.

use crate::operational::{Bounds, OperationalModel, Outcomes, Refusal, Traces, count_traces, outcomes};
use crate::run::LitmusResult;
use crate::syntax::Litmus;
use cdsspec_runtime::check::Verdict;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;

/// A line.
pub(super) trait Line: Serialize + fmt::Display {}

impl<L: Serialize + fmt::Display> Line for L {}

/// Prints a line at once, so that whatever comes later leaves it on the screen.
pub(super) fn show(line: &impl Line, is_json: bool) -> Result<(), String> {
    let line = match is_json {
        true => serde_json::to_string(line).map_err(|error| format!("JSON: {error}"))?,
        false => line.to_string(),
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| format!("stdout: {error}"))
}

/// What an engine says, or the naive twin; and under which memory model, if one was asked for.
#[derive(Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    result: LitmusResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_model: Option<&'static str>,
}

impl Row {
    pub(super) fn new(result: LitmusResult, memory_model: Option<&'static str>) -> Self {
        Self { result, memory_model }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LitmusResult { name, engine, executions, blocked, outcomes, verdict, .. } = &self.result;
        write_head(f, name, engine, self.memory_model)?;
        let outcomes = outcomes.join(" | ");
        write!(f, "{verdict:<13} {executions:>7} executions {blocked:>5} blocked   {outcomes}")
    }
}

/// What an operational twin says.
#[derive(Serialize)]
pub(super) struct MachineRow {
    name: String,
    engine: &'static str,
    memory_model: &'static str,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Refused {
        refused: String,
    },
    Known {
        /// The states of the machine.
        states: usize,
        #[serde(flatten)]
        traces: Option<TraceCounts>,
        outcomes: BTreeSet<String>,
        /// Whether some thread waits, or is in a loop after its last round.
        cut: bool,
        verdict: Verdict,
    },
}

/// What is known under sequential consistency, of a test without loops.
#[derive(Serialize)]
struct TraceCounts {
    executions: u64,
    blocked: u64,
    counts: BTreeMap<String, u64>,
}

/// Runs a test on a machine.
pub(super) fn machine_row(test: &Litmus, model: OperationalModel, rounds: usize) -> MachineRow {
    let answer = match ask(test, model, Bounds { rounds, ..Bounds::default() }) {
        Ok(answer) => answer,
        Err(refusal) => Answer::Refused { refused: refusal.to_string() },
    };
    MachineRow { name: test.name.clone(), engine: "naive", memory_model: model.name(), answer }
}

fn ask(test: &Litmus, model: OperationalModel, bounds: Bounds) -> Result<Answer, Refusal> {
    let Outcomes { set, has_blocked, is_cut, state_count } = outcomes(test, model, bounds)?;
    let has_traces = model == OperationalModel::Sc && !test.has_loop();
    let traces = if has_traces { Some(count_traces(test, bounds)?) } else { None };
    let verdict = match (has_blocked, is_cut) {
        (true, _) => Verdict::Deadlock,
        (false, true) => Verdict::HoldsWithin,
        (false, false) => Verdict::Holds,
    };
    Ok(Answer::Known {
        states: state_count,
        traces: traces.map(TraceCounts::from),
        outcomes: set,
        cut: has_blocked || is_cut,
        verdict,
    })
}

impl From<Traces> for TraceCounts {
    fn from(Traces { counts, blocked }: Traces) -> Self {
        Self { executions: counts.values().sum(), blocked, counts }
    }
}

impl fmt::Display for MachineRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_head(f, &self.name, self.engine, Some(self.memory_model))?;
        match &self.answer {
            Answer::Refused { refused } => write!(f, "refused: {refused}"),
            Answer::Known { states, traces, outcomes, verdict, .. } => {
                let outcomes = outcomes.iter().map(String::as_str).collect::<Vec<_>>().join(" | ");
                write!(f, "{verdict:<13} {states:>7} states ")?;
                if let Some(TraceCounts { executions, blocked, .. }) = traces {
                    write!(f, "{executions:>7} executions {blocked:>5} blocked ")?;
                }
                write!(f, "  {outcomes}")
            }
        }
    }
}

fn write_head(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    engine: &str,
    memory_model: Option<&str>,
) -> fmt::Result {
    write!(f, "{name:<28} {engine:<5} ")?;
    memory_model.map_or(Ok(()), |model| write!(f, "{model:<4} "))
}
