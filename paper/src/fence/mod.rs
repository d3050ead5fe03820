//! `fence`: figure 10 of the CheckFence paper (Burckhardt, Alur and Martin, PLDI 2007), for the queues of its table 1; and outcome sets of litmus tests.
//!
//! # Rows
//! With `--json` a row is a test of an implementation under a memory model:
//!
//! - `implementation`, `test`: as in table 1 and figure 8;
//! - `memory_model`: `sc`, `tso`, `pso`, `relaxed`; `fences`: whether the implementation has its fences;
//! - `expected`, `verdict`: `holds`, `holds_within`, `violated` or `inconclusive`;
//! - `accesses`, `variables`, `clauses`: the size of the unrolled test, and of the last formula; `observations`: how many serial executions have;
//! - `seconds`: how long the inclusion check took, with unrolling.

mod implementations;
pub(crate) mod litmus;
mod row;

use crate::Outcome;
use crate::grid::grid;
use crate::page::Page;
use crate::table::{Show, Table};
use implementations::{IMPLEMENTATIONS, QUEUE_TESTS};
use row::{FenceRow, Row};

/// What the command line calls it.
pub(crate) const NAME: &str = "fence";

/// The page of the small tests.
pub(crate) const PAGE: Page =
    Page { file: "fence.md", table: NAME, introduction: INTRODUCTION, uncompared: &[] };

/// The page of the large tests, which nothing holds against what is computed.
const LARGE_PAGE: Page = Page {
    file: "fence_large.md",
    table: "fence --large",
    introduction: LARGE_INTRODUCTION,
    uncompared: &[],
};

/// The tests that take a second or so in all.
const SMALL: [(&str, &[&str]); 2] =
    [("ms2", &["T0", "T1", "Ti2", "Ti3", "Tpc2", "Tpc3"]), ("msn", &["T0", "Ti2", "Tpc2"])];

/// Computes the rows of the small tests, or of the large ones, and shows the table.
///
/// # Errors
/// A verdict that is not as expected, a fence that is not necessary, or that the page is not what is computed.
pub(crate) fn run(show: Show, is_large: bool) -> Outcome {
    let mut rows: Vec<Row> = Vec::new();
    let mut fences: Vec<FenceRow> = Vec::new();
    for implementation in &IMPLEMENTATIONS {
        let is_small = |test: &str| {
            SMALL.iter().any(|(name, tests)| *name == implementation.name && tests.contains(&test))
        };
        for test in QUEUE_TESTS.iter().filter(|test| is_small(test.name) != is_large) {
            rows.extend(row::rows(implementation, test)?);
        }
        if !is_large {
            fences.extend(row::fences(implementation)?);
        }
    }
    let mut text = grid(&Row::HEADER, &rows.iter().map(Row::cells).collect::<Vec<_>>());
    if !is_large {
        text.push_str(FENCES);
        text.push_str(&grid(&FenceRow::HEADER, &fences.iter().map(FenceRow::cells).collect::<Vec<_>>()));
    }
    let table = Table { rows: rows.iter().map(Row::json).collect(), text };
    let page = if is_large { &LARGE_PAGE } else { &PAGE };
    if let Show::Print { is_json, is_markdown } = show {
        table.print(is_json, is_markdown.then_some(page))?;
    }
    let mistakes = rows.iter().filter_map(Row::mistake).chain(fences.iter().filter_map(FenceRow::mistake));
    let mistakes: Vec<String> = mistakes.collect();
    if !mistakes.is_empty() {
        return Err(mistakes.join("\n"));
    }
    if show == Show::Check { page.check(&table.text) } else { Ok(()) }
}

const INTRODUCTION: &str = "\
# CheckFence

Figure 10 of the CheckFence paper, for the two queues of its table 1, written in LSL in `paper/src/fence/implementations/`. `cargo run --release -p paper -- fence --markdown` writes this page. `--large` computes the tests that
take longer, and with `--markdown` writes `fence_large.md`.

- test: the queue tests of figure 8. Arguments are open over 0 and 1.
- memory model: SC and Relaxed are those of section 2.3.2, TSO and PSO are ours. fences: whether the implementation has the fences of the second table. The locks of ms2 always have those of figure 7; a CAS has none (figure 6).
- verdict: `holds` if every execution has an observation that a serial one has, and no error; loops are unrolled until no execution needs more rounds. `holds_within` on Relaxed: the same, but there
  a store behind these rounds might take effect before them and be why a loop goes on, which the paper does not look at either.
- accesses, variables, clauses: of the last formula; observations: of the serial executions; seconds: the inclusion check with all its unrolling, without mining.
- `--check` does not compare seconds.
";

const FENCES: &str = "
Each fence is necessary on Relaxed: some test fails without it alone. Those of msn are the seven of figure 9.

";

const LARGE_INTRODUCTION: &str = "\
# CheckFence: larger tests

As [fence.md](fence.md). `cargo run --release -p paper -- fence --large --markdown` writes this page; no check compares it with what is computed. A question that takes the solver more than ten minutes is `inconclusive`.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_is_a_program_of_every_implementation() {
        for implementation in &IMPLEMENTATIONS {
            for test in &QUEUE_TESTS {
                let program = implementation.data_type().test(test.text).unwrap();
                let count = program.threads.iter().map(Vec::len).sum::<usize>() + program.initial.len() - 1;
                let letters = test.text.chars().filter(char::is_ascii_lowercase).count();
                assert_eq!(count, letters, "{}", test.name);
            }
        }
    }
}
