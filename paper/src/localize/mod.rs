//! `localize`: table II of CGVT (Zhang, Wu and Zhang, *Localization of linearizability faults on the coarse-grained level*), for objects of ours with the names of both of its tables; and faults that many calls show.
//!
//! # Rows
//! With `--json` a row is an object and a version:
//!
//! - `object`, `version`: `B` has real threads, `D` D-PCT, `H` D-PCT with the rule of one call;
//! - `threads`, `calls`: the size of a history; `histories`: how many there were; `nonlinearizable`: how many of them are not linearizable; `unknown`: how many were not judged;
//! - `prefix`: how many calls the smallest prefix of the first of them has; `checks`: how many test cases were run;
//! - `concurrent_size`: how many calls at once trigger the fault, when what is not needed is left out; `found_size`: how many the answer of algorithm 1 has; `type`: 1 if they reveal the fault themselves, 2 if a later call does;
//! - `sufficient`, `minimal`: what an exhaustive exploration shows of the smallest test case under Sc and RC11; of version D;
//! - `detect_ms`, `localize_ms`, `prove_ms`: how long the histories, algorithm 1, and the rest took;
//! - `published`: what the paper has.

#[cfg(test)]
mod long;
mod objects;
mod row;

use crate::Outcome;
use crate::grid::grid;
use crate::page::Page;
use crate::table::{Show, Table};
use row::{ObjectRow, Rows, Version};

/// What the command line calls it.
pub(crate) const NAME: &str = "localize";

/// The page.
pub(crate) const PAGE: Page =
    Page { file: "localize.md", table: NAME, introduction: INTRODUCTION, uncompared: &UNCOMPARED };

/// Columns of real threads, whose runs are no two alike, and of times.
const UNCOMPARED: [&str; 8] =
    ["B: n_l", "H: n_l", "B: P_c", "H: P_c", "B: ms", "D: ms", "H: ms", "shown in ms"];

/// Computes the rows, and shows the table.
///
/// # Errors
/// Of the whole table: what is not found, or is larger than in the paper, or takes longer than it may. Of the fast form: that the page is not what is computed.
pub(crate) fn run(show: Show) -> Outcome {
    let versions: &[Version] = if show == Show::Check { &[Version::D] } else { &Version::ALL };
    let mut rows = Rows { versions, rows: Vec::new() };
    objects::objects(&mut rows);
    let rows = rows.rows;
    let table = Table { rows: rows.iter().flat_map(ObjectRow::json).collect(), text: text(&rows) };
    match show {
        Show::Print { is_json, is_markdown } => {
            table.print(is_json, is_markdown.then_some(&PAGE))?;
            row::check(&rows)
        }
        Show::Check => {
            row::check_correct(&rows)?;
            PAGE.check(&table.text)
        }
    }
}

fn text(rows: &[ObjectRow]) -> String {
    let header = [
        "object",
        "size",
        "n_s",
        "B: n_l",
        "D: n_l",
        "H: n_l",
        "paper: n_l",
        "B: P_c",
        "D: P_c",
        "H: P_c",
        "paper: P_c",
        "D: found",
        "type",
        "shown",
        "B: ms",
        "D: ms",
        "H: ms",
        "shown in ms",
    ];
    grid(&header, &rows.iter().map(ObjectRow::cells).collect::<Vec<_>>())
}

const INTRODUCTION: &str = "\
# Localization

Table II of CGVT, for objects of ours with the names of its tables I and II. `cargo run --release -p paper -- localize --markdown`
writes this page. The objects are in `paper/src/localize/objects/`.

- size: threads times calls of each; n_s: how many histories; n_l: how many of them are not linearizable. Objects of table I, whose sizes the paper does not say, have 80 of 2*50.
- B: real threads; D: D-PCT, the strategy `dpct` of the engine `random` under Sc, with four changes of priority for each call; H: the same, with test cases first in which some thread makes one call. Each in the order B, D, H in what the paper has.
- P_c: how many calls at once trigger the fault, when what runs and, under D, an exhaustive exploration can do without is left out of the answer of algorithm 1. found: how many that answer has, of version D.
- type 1: the calls at once reveal the fault themselves; type 2: a later one does.
- shown: what all executions of the smallest test case show under Sc, in real time, and under RC11, by happens-before: that it fails (sufficient), and that it does not without any one of its calls at once (each necessary).
- ms: algorithm 1, up to so many runs of each test case as there are histories; shown in ms: what comes after it. The paper's took 51 to 2,323.
- `--check` computes version D alone, and compares neither times nor what the other versions come to.
";
