//! `contracts`: table 1 of the CSV paper, three sequences of calls of a queue of one producer and one consumer.
//!
//! # Rows
//! With `--json` a row is a step of a sequence:
//!
//! - `sequence`: `a`, `b` or `c`; `step`: `t0` and so on; `event`: what the paper calls the event, or `creates T2`;
//! - `expected`, `reported`: the requirements that the step breaks in the printed order, by the paper and as found here; in `c`, where the paper says of
//!   three steps that its tool may miss them, what is printed is what breaks in that order;
//! - `expected_any`, `reported_any`: the same over all orders that the program allows.
//!
//! The printed order is one in which each step has seen the one before by a relaxed load: that synchronises nothing.

mod queue;
mod sequence;

use crate::Outcome;
use crate::grid::grid;
use crate::page::Page;
use crate::table::{Show, Table};
use sequence::{Found, SEQUENCES, Step};
use serde_json::{Value, json};

/// What the command line calls it.
pub(crate) const NAME: &str = "contracts";

/// The page.
pub(crate) const PAGE: Page =
    Page { file: "contract_sequences.md", table: NAME, introduction: INTRODUCTION, uncompared: &[] };

const INTRODUCTION: &str = "\
# Table 1 of the CSV paper

Three sequences of calls of a queue of one producer and one consumer (López-Gómez and others, *Detecting semantic violations of lock-free data structures
through C++ contracts*, 2019), as programs, in every execution of RC11. Requirement 1 is about producers, 2 about consumers, 3 about initialisation. *Printed
order*: each step has seen the one before by a relaxed load, which synchronises nothing. *Any order*: the program as it is. Of (c), where a lock is
around each call, the paper says that its tool may miss what it looks for, depending on the order; here all orders are looked at.

Written by `cargo run --release -p paper -- contracts --markdown`.
";

/// A step, and what it broke.
struct Row {
    sequence: &'static str,
    step: &'static Step,
    printed: Vec<&'static str>,
    any: Vec<&'static str>,
}

impl Row {
    fn json(&self) -> Value {
        json!({
            "sequence": self.sequence,
            "step": self.step.time,
            "event": self.step.event,
            "expected": self.step.expected,
            "reported": self.printed,
            "expected_any": self.step.expected_any,
            "reported_any": self.any,
        })
    }

    fn is_as_expected(&self) -> bool {
        self.printed == self.step.expected && self.any == self.step.expected_any
    }
}

/// Explores the sequences, and shows the table.
///
/// # Errors
/// A step that breaks something else than it should; that the page is not what is computed.
pub(crate) fn run(show: Show) -> Outcome {
    let rows = rows()?;
    let table = Table { rows: rows.iter().map(Row::json).collect(), text: text(&rows) };
    match show {
        Show::Print { is_json, is_markdown } => table.print(is_json, is_markdown.then_some(&PAGE)),
        Show::Check => {
            check(&rows)?;
            PAGE.check(&table.text)
        }
    }
}

fn rows() -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for sequence in &SEQUENCES {
        let [printed, any] = [sequence.found(true)?, sequence.found(false)?];
        rows.extend(sequence.steps.iter().enumerate().map(|(index, step)| Row {
            sequence: sequence.name,
            step,
            printed: broken(&printed, index),
            any: broken(&any, index),
        }));
    }
    Ok(rows)
}

/// What a step breaks, in order.
fn broken(found: &[Found], step: usize) -> Vec<&'static str> {
    found.iter().filter(|found| found.step == step).map(|found| found.requirement).collect()
}

fn check(rows: &[Row]) -> Outcome {
    match rows.iter().find(|row| !row.is_as_expected()) {
        None => Ok(()),
        Some(row) => Err(format!("table 1 ({}), {}: {}", row.sequence, row.step.time, row.json())),
    }
}

fn text(rows: &[Row]) -> String {
    let header =
        ["sequence", "step", "event", "who", "expected", "printed order", "any order expected", "any order"];
    let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let [found, all] = [
        rows.iter().map(|row| row.printed.len() + row.any.len()).sum::<usize>(),
        rows.iter().filter(|row| row.is_as_expected()).count(),
    ];
    format!(
        "{}\n{all} of {} steps break what they should, {found} requirements in both columns.\n",
        grid(&header, &cells),
        rows.len()
    )
}

fn cells(row: &Row) -> Vec<String> {
    let list = |requirements: &[&str]| requirements.join(", ");
    vec![
        row.sequence.to_owned(),
        row.step.time.to_owned(),
        row.step.event.to_owned(),
        format!("T{}", row.step.thread + 1),
        list(row.step.expected),
        list(&row.printed),
        list(row.step.expected_any),
        list(&row.any),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_1_is_found_step_by_step_and_in_every_order() {
        let rows = rows().expect("all of it is explored");
        assert_eq!(check(&rows), Ok(()));
        assert_eq!(rows.len(), 24);
        let names: Vec<_> = SEQUENCES.iter().map(|sequence| sequence.name).collect();
        assert_eq!(names, ["a", "b", "c"]);
    }
}
