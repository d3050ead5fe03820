//! How far a run looked, and how to see it again.

use super::headline::count;
use super::limit;
use super::page::{Page, Row};
use crate::check::{Note, Verdict};
use crate::record::Exploration;
use std::collections::BTreeMap;
use std::fmt::Display;

/// The numbers of a run, for its report.
#[derive(Clone, Copy, Debug)]
pub struct Coverage<'a> {
    /// The test that runs it.
    pub test: Option<&'a str>,
    /// The engine.
    pub engine: &'a str,
    /// The verdict of the run.
    pub verdict: Verdict,
    /// How many executions were explored.
    pub executions: u64,
    /// How the exploration ended.
    pub exploration: &'a Exploration,
    /// Which execution is shown, from 1.
    pub shown: Option<u64>,
    /// The bounds of the run.
    pub bounds: &'a [String],
    /// How many executions had each verdict.
    pub counts: &'a BTreeMap<Verdict, u64>,
    /// How many executions are no results.
    pub by_products: u64,
    /// How many executions differ from another one in rounds of a loop that waits.
    pub delayed: u64,
    /// How many shapes were checked.
    pub shapes: u64,
    /// How many sequential histories they have.
    pub histories: u64,
    /// Calls of annotated methods, over all executions.
    pub calls: u64,
    /// Calls that a panic left before their ordering points.
    pub left_calls: u64,
    /// Objects that were not checked since a call of theirs was pending, over all executions.
    pub unchecked_objects: u64,
    /// Calls without an ordering point, over all executions.
    pub calls_without_points: u64,
    /// Blocks that the program allocated and left, and their bytes, over all executions.
    pub left: (u64, u64),
    /// The first inadmissible execution, in a line.
    pub inadmissible: Option<&'a str>,
    /// The memory orders that are not as written; empty if all are.
    pub overrides: &'a str,
    /// What the engine does not model.
    pub not_modelled: &'a [String],
    /// What makes the run say less than it seems to.
    pub notes: &'a [Note],
    /// Whether the run would hold, but for these.
    pub is_refused: bool,
    /// What would help, where that is known.
    pub helps: Option<&'a str>,
}

/// The report of a run that could not begin.
pub fn unusable(error: &dyn Display, columns: usize) -> String {
    let mut page = Page::new(columns);
    page.headline(&format!("{}: {error}", Verdict::Inconclusive));
    page.to_string()
}

/// What is found in an execution of a run that goes on: `text` is its description.
pub fn so_far(text: &str, execution: u64) -> String {
    format!(
        "{}\n\n  coverage  execution {execution}; the run goes on, since stop_at_first is off\n",
        text.trim_end()
    )
}

/// The report of a run: `shown` is the description of the execution that the verdict is from.
pub fn whole(shown: Option<&str>, coverage: &Coverage<'_>, columns: usize) -> String {
    let mut page = Page::new(columns);
    match shown {
        Some(shown) => page.block(shown.trim_end().lines().map(str::to_owned)),
        None => page.headline(&headline(coverage)),
    }
    page.rows(&rows(coverage));
    page.to_string()
}

fn headline(coverage: &Coverage<'_>) -> String {
    let executions = executions(coverage.executions);
    let sentence = match (coverage.verdict, coverage.exploration) {
        _ if coverage.is_refused => {
            format!("no fault in {executions}, but the run is strict, and checked less than it seems")
        }
        (Verdict::Inconclusive, Exploration::Limit(limit)) => {
            format!("stopped after {executions} ({})", limit::reached(limit, coverage.executions))
        }
        (Verdict::Inconclusive, Exploration::Failed(message)) => {
            format!("the engine gave up after {executions}: {message}")
        }
        (Verdict::Inconclusive, Exploration::Stopped) => format!("stopped after {executions}"),
        (Verdict::Inconclusive, Exploration::Complete) => {
            format!("no execution had a result, of {executions}")
        }
        _ => format!("no fault in {executions}"),
    };
    format!("{}: {sentence}", coverage.verdict)
}

fn rows(coverage: &Coverage<'_>) -> Vec<Row> {
    let mut rows: Vec<_> = coverage.helps.iter().map(|text| Row::new("what helps", *text)).collect();
    rows.push(Row::new("coverage", extent(coverage)));
    if let Exploration::Limit(limit) = coverage.exploration
        && coverage.verdict == Verdict::Inconclusive
    {
        rows.push(Row::new("do", limit::remedy(limit.kind)));
    }
    if coverage.is_refused {
        let text = "mend what the rows `note` say first, or switch `strict` off (CDSSPEC_STRICT)";
        rows.push(Row::new("do", text));
    }
    if !coverage.counts.is_empty() || coverage.by_products > 0 {
        rows.push(Row::new("executions", classes(coverage)));
    }
    if let Some(inadmissible) = coverage.inadmissible.filter(|_| coverage.verdict != Verdict::Inadmissible) {
        rows.push(Row::new("", format!("the first {inadmissible}")));
    }
    rows.push(Row::new(
        "checked",
        format!("{}, {}", number(coverage.shapes, "shape"), histories(coverage.histories)),
    ));
    rows.extend(notes(coverage).into_iter().map(|text| Row::new("note", text)));
    if !coverage.bounds.is_empty() {
        rows.push(Row::new("bounds", coverage.bounds.join("; ")));
    }
    if !coverage.overrides.is_empty() {
        rows.push(Row::new("orders", coverage.overrides));
    }
    if coverage.shown.is_some() {
        rows.extend(replay(coverage));
    }
    if !coverage.not_modelled.is_empty() {
        let text = format!("by {}: {}", coverage.engine, coverage.not_modelled.join("; "));
        rows.push(Row::new("not modelled", text));
    }
    rows
}

/// What makes a check say less than it seems to.
fn notes(coverage: &Coverage<'_>) -> Vec<String> {
    let mut notes: Vec<_> = coverage.notes.iter().map(ToString::to_string).collect();
    let is_said =
        coverage.notes.iter().any(|note| matches!(note, Note::OnlyUnspecified | Note::NoCall { .. }));
    if coverage.calls == 0 && coverage.executions > 0 && !is_said {
        notes.push(
            "no annotated method was called: only races, panics and blocking were looked for".to_owned(),
        );
    }
    let calls_of = |note: &Note| match note {
        Note::NoOrderingPoint { calls, .. } => *calls,
        _ => 0,
    };
    if coverage.calls_without_points > coverage.notes.iter().map(calls_of).sum() {
        let calls = number(coverage.calls_without_points, "call");
        notes.push(format!("{calls} had no ordering point, over all executions: concurrent with all others"));
    }
    if coverage.left_calls > 0 {
        let calls = number(coverage.left_calls, "call");
        notes.push(format!(
            "{calls}, over all executions, had no ordering point yet when a panic left them: taken as not made"
        ));
    }
    if coverage.left.0 > 0 {
        let (blocks, bytes) = (number(coverage.left.0, "block"), number(coverage.left.1, "byte"));
        notes.push(format!(
            "{blocks} of memory, {bytes}, over all executions, stay allocated: what the program had not freed where an \
             execution was cut, and what it leaked (`Builder::leaks` looks for that)"
        ));
    }
    if coverage.unchecked_objects > 0 {
        let objects = number(coverage.unchecked_objects, "object");
        notes.push(format!(
            "the histories of {objects}, over all executions, were not checked: a call was pending past its ordering point"
        ));
    }
    notes
}

/// `execution 17 of 23, complete`.
fn extent(coverage: &Coverage<'_>) -> String {
    let looked = match coverage.shown {
        Some(number) => format!("execution {number} of {}", coverage.executions),
        None => executions(coverage.executions),
    };
    let end = match coverage.exploration {
        Exploration::Complete => "complete".to_owned(),
        Exploration::Stopped => "stopped there".to_owned(),
        Exploration::Limit(limit) => {
            let reached = limit::reached(limit, coverage.executions);
            format!("stopped after {} ({reached})", executions(coverage.executions))
        }
        Exploration::Failed(message) => format!("the engine gave up: {message}"),
    };
    format!("{looked}, {end}")
}

fn classes(coverage: &Coverage<'_>) -> String {
    let mut classes: Vec<_> =
        coverage.counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    if coverage.delayed > 0 {
        classes.push(format!("{} of them delayed in a loop that waits", coverage.delayed));
    }
    if coverage.by_products > 0 {
        classes.push(format!("{} cut by the engine, no results", coverage.by_products));
    }
    classes.join(", ")
}

fn replay(coverage: &Coverage<'_>) -> Vec<Row> {
    let text = format!("run it again: {} comes to the same execution each time", coverage.engine);
    let command = coverage.test.map(|test| Row::new("", format!("cargo test {test} -- --exact")));
    std::iter::once(Row::new("replay", text)).chain(command).collect()
}

fn executions(number: u64) -> String {
    self::number(number, "execution")
}

fn histories(number: u64) -> String {
    if number == 1 { "1 sequential history".to_owned() } else { format!("{number} sequential histories") }
}

fn number(number: u64, noun: &str) -> String {
    usize::try_from(number).map_or_else(|_| format!("{number} {noun}s"), |number| count(number, noun))
}
