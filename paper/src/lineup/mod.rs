//! `lineup`: table 2 of the Line-Up paper, for thirteen classes of ours of the same names.
//!
//! # Rows
//! With `--json` a row is a class, and one cause of failures of it, if it has one:
//!
//! - `class`: what it is called, `(Pre)` behind the name as in the paper;
//! - `cause`: the root cause, `A` to `L`; null if it has none;
//! - `kind`: `bug`, `nondeterministic`, `nonlinearizable`, or `correct`;
//! - `found`: whether some test of the sample fails; `dimension`: the smallest failing test, threads × calls, and `published_dimension` that of the paper; null where nothing
//!   fails;
//! - `histories`: serial histories of a test of the sample, on average; `pass`, `fail`, `open`: how many tests came to what, `open` at the limit on executions;
//! - `races`, `unserializable`: of how many tests the program has a data race, and how many have an execution that is not conflict-serializable; `unserializable_pass`: how many of
//!   the latter pass, which are false alarms;
//! - `exempted`: whether the sample passes where what is meant is declared; null where nothing is;
//! - `serial_seconds`: how long phase 1 of a test took, on average; `seconds`: how long the sample took.

mod classes;
mod row;
pub(crate) mod twin;

use crate::Outcome;
use crate::grid::grid;
use crate::page::Page;
use crate::table::{Show, Table};
use row::{Form, Row};

/// What the command line calls it.
pub(crate) const NAME: &str = "lineup";

/// The page.
pub(crate) const PAGE: Page =
    Page { file: "lineup.md", table: NAME, introduction: INTRODUCTION, uncompared: &SAMPLED };

/// Columns that the fast form does not have: it ends at the first test that fails.
const SAMPLED: [&str; 7] =
    ["serial histories", "pass", "fail", "open", "races", "not serializable", "of these pass"];

/// Computes the rows, and shows the table.
///
/// # Errors
/// What is not found, is found where nothing is wrong, or is larger than in the paper; that the page is not what is computed.
pub(crate) fn run(show: Show) -> Outcome {
    let form = if show == Show::Check { Form::Fast } else { Form::Whole };
    let rows: Vec<Row> = row::subjects().iter().map(|subject| subject.row(form)).collect();
    let table = Table { rows: rows.iter().map(Row::json).collect(), text: text(&rows) };
    match show {
        Show::Print { is_json, is_markdown } => {
            table.print(is_json, is_markdown.then_some(&PAGE))?;
            row::check(&rows)
        }
        Show::Check => {
            row::check(&rows)?;
            PAGE.check(&table.text)
        }
    }
}

fn text(rows: &[Row]) -> String {
    let header = [
        "class",
        "cause",
        "kind",
        "found",
        "smallest failing test",
        "paper: smallest",
        "serial histories",
        "pass",
        "fail",
        "open",
        "paper: serial histories",
        "paper: pass, fail",
        "passes if exempted",
        "races",
        "not serializable",
        "of these pass",
        "seconds",
    ];
    grid(&header, &rows.iter().map(Row::cells).collect::<Vec<_>>())
}

const INTRODUCTION: &str = "\
# Line-Up on thirteen classes

Table 2 of the Line-Up paper, for small structures of ours with the names and methods of its table 1. `cargo run --release -p paper -- lineup --markdown`
writes this page. The classes are in `paper/src/lineup/classes/`.

- The classes are no ports: a lock and a condition variable each, as far as their errors leave that. Errors A and B are those that the paper describes; C to
  G are of our choice. H to L are what the paper found intentional.
- Each class is checked with 10 tests of 3 threads with 3 calls each, drawn from seed 1, in real time under Sc, which is the paper's setting; a test ends at
  10,000 executions, and is open then. The correct dictionary, queue and stack are checked with 100 tests, each to its end, in at most 2 minutes. The first test that fails is made as small as possible: its dimension is threads × calls.
- serial histories: of a test, on average. passes if exempted: whether the same sample passes where the methods that are meant to be so are declared:
  of H what count returns, of I that try_take fails, and of J to L calls of try_take, cancel and signal_and_wait, whose histories are then not judged.
- paper: what its table 2 has; pass and fail are of 100 tests. It measured one row for all causes of a class.
- races, not serializable (section 5.6): tests whose program has a data race, and tests of which some explored execution is not conflict-serializable. Each call is a
  transaction. A call is before another one if an operation of the one is before an operation of the other, and both are of the same thread, or accesses of
  the same location of which one writes, locks and condition variables included; an execution in which this has a cycle is an alarm. of these pass: those on tests that pass: false alarms.
  A test that is nondeterministic serially is not explored further.
- `--check` computes a fast form: up to the first test that fails; one test where none should. It compares which causes are found, and the smallest tests, and
  not what counts the sample.
";
