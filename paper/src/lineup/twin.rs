//! `lineup-twin`: the thirteen classes under Line-Up and under its naive twin, on all tests of two threads with two calls each.
//!
//! # Rows
//! With `--json` a row is a class, and one cause of failures of it, if it has one:
//!
//! - `class`, `cause`: as in `lineup`;
//! - `tests`: how many there are; `compared`: how many were compared, which must be all; `by_past`: in how many of them interleavings were left that come to a point where another one had been;
//! - `interleavings`: how many the twin went through; `executions`: how many the graph engine explored; `histories`: how many concurrent histories the twin found;
//! - `refuted`: how many tests Line-Up refutes by a history without a serial witness; `nondeterministic`: how many are refuted by their serial histories;
//! - `differ`: how many tests have other histories, or another verdict, under the twin;
//! - `seconds`.

use super::row;
use crate::Outcome;
use crate::grid::grid;
use crate::page::Page;
use crate::table::{Show, Table};
use cdsspec_runtime::lineup::{LineUp, Precedence, TwinCheck};
use cdsspec_runtime::scenario::Scenario;
use serde_json::json;
use std::time::Instant;

/// What the command line calls it.
pub(crate) const NAME: &str = "lineup-twin";

/// The page.
pub(crate) const PAGE: Page =
    Page { file: "lineup-twin.md", table: NAME, introduction: INTRODUCTION, uncompared: &COUNTED };

/// Columns that the fast form counts of fewer tests.
const COUNTED: [&str; 8] = [
    "tests",
    "compared",
    "by past",
    "interleavings",
    "executions",
    "histories",
    "refuted",
    "nondeterministic",
];

/// The fast form compares one of so many tests.
const FAST_ONE_OF: usize = 101;

/// The twin goes through no more; where there are more, through no more points.
const INTERLEAVINGS_MAX: u64 = 1_000_000;

/// What the tests of a class came to, added up.
#[derive(Default)]
pub(super) struct Compared {
    tests: u64,
    compared: u64,
    by_past: u64,
    /// The first test that is not compared.
    uncompared: Option<String>,
    interleavings: u64,
    executions: u64,
    histories: usize,
    refuted: u64,
    nondeterministic: u64,
    /// The first test that differs, and how many do.
    differing: Option<String>,
    differ: u64,
    seconds: f64,
}

impl Compared {
    fn add(&mut self, test: &str, comparison: &TwinCheck) {
        self.compared += 1;
        self.by_past += u64::from(comparison.is_by_past);
        self.interleavings += comparison.interleavings;
        self.executions += comparison.executions;
        self.histories += comparison.histories;
        self.refuted += u64::from(comparison.refuted.is_some_and(|(one, _)| one));
        self.nondeterministic += u64::from(comparison.refuted.is_none());
        if !comparison.agrees() {
            self.differ += 1;
            self.differing.get_or_insert_with(|| format!("{test}{comparison:?}"));
        }
    }
}

/// Compares one of so many of all tests of two threads with two calls each.
pub(super) fn compared<T: Send + Sync + 'static>(scenario: &Scenario<T>, one_of: usize) -> Compared {
    let lineup = LineUp::new(scenario.clone()).precedence(Precedence::RealTime);
    let (mut sum, begin) = (Compared::default(), Instant::now());
    for matrix in scenario.matrices(2, 2).step_by(one_of) {
        sum.tests += 1;
        match lineup.compare(&matrix, INTERLEAVINGS_MAX) {
            Some(comparison) => sum.add(&matrix.to_string(), &comparison),
            None => _ = sum.uncompared.get_or_insert_with(|| format!("not compared:\n{matrix}")),
        }
    }
    sum.seconds = begin.elapsed().as_secs_f64();
    sum
}

/// Computes the rows, and shows the table.
///
/// # Errors
/// A test on which the two differ, or which is not compared; that the page is not what is computed.
pub(crate) fn run(show: Show) -> Outcome {
    let one_of = if show == Show::Check { FAST_ONE_OF } else { 1 };
    let rows: Vec<_> =
        row::subjects().iter().map(|subject| (subject.name(), subject.compare(one_of))).collect();
    let table = Table { rows: rows.iter().map(json_of).collect(), text: text(&rows) };
    match show {
        Show::Print { is_json, is_markdown } => table.print(is_json, is_markdown.then_some(&PAGE))?,
        Show::Check => PAGE.check(&table.text)?,
    }
    let mistakes = rows.iter().flat_map(|(_, compared)| [&compared.differing, &compared.uncompared]);
    let mistakes: Vec<&str> = mistakes.flatten().map(String::as_str).collect();
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

type Row = ((&'static str, Option<char>), Compared);

fn json_of(((class, cause), compared): &Row) -> serde_json::Value {
    json!({
        "class": class,
        "cause": cause,
        "tests": compared.tests,
        "compared": compared.compared,
        "by_past": compared.by_past,
        "interleavings": compared.interleavings,
        "executions": compared.executions,
        "histories": compared.histories,
        "refuted": compared.refuted,
        "nondeterministic": compared.nondeterministic,
        "differ": compared.differ,
        "seconds": compared.seconds,
    })
}

fn text(rows: &[Row]) -> String {
    let header = [
        "class",
        "cause",
        "tests",
        "compared",
        "by past",
        "interleavings",
        "executions",
        "histories",
        "refuted",
        "nondeterministic",
        "differ",
        "seconds",
    ];
    let cells = |((class, cause), compared): &Row| {
        vec![
            (*class).to_owned(),
            cause.map(String::from).unwrap_or_default(),
            compared.tests.to_string(),
            compared.compared.to_string(),
            compared.by_past.to_string(),
            compared.interleavings.to_string(),
            compared.executions.to_string(),
            compared.histories.to_string(),
            compared.refuted.to_string(),
            compared.nondeterministic.to_string(),
            compared.differ.to_string(),
            format!("{:.3}", compared.seconds),
        ]
    };
    grid(&header, &rows.iter().map(cells).collect::<Vec<_>>())
}

const INTRODUCTION: &str = "\
# Line-Up against its naive twin

Every test of two threads with two calls each of the [thirteen classes](lineup.md), in real time under Sc. `cargo run --release -p paper -- lineup-twin --markdown`
writes this page.

- The twin is a machine with one memory, on which threads take turns: it goes through every interleaving of their operations. Its histories are compared with those
  that the executions of the graph engine stand for, and, for each history, all serial histories are tried as witnesses.
- histories: concurrent histories, by what the calls return and which calls precede which. A call begins anywhere before its first operation, and ends anywhere after its last.
- compared: tests of which the twin goes through all interleavings, which are up to 1,000,000 of a test; by past: those of them that have more, of which it leaves each that comes
  to a point where another one has been: each thread was told the same by the same, memory is the same, and the same calls precede each other. Of these the interleavings that it began count.
- refuted: by a history without a serial witness; nondeterministic: by the serial histories alone, where no witness is looked for.
- differ: tests with other histories, or another verdict.
- `--check` compares every 101st test, and the columns class, cause and differ.
";
