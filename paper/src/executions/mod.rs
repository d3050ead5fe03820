//! `executions`: figure 7 of the CDSSpec paper for the structures in `examples/`, computed.
//!
//! A structure is an example whose folder has a file of its name: `examples/ms_queue/ms_queue.rs`. The examples are built in release and run
//! with `--json`; how long a specification is, is counted in that file.
//!
//! # Rows
//! With `--json` a row is a program under an engine: the fields of an [outcome](https://docs.rs/cdsspec) as the example prints it (`program`, `engine`, `verdict`,
//! `executions`, `complete`, `complete_executions`, `delayed_executions`, `blocked`, `inadmissible`, `by_products`, `shapes`, `histories`, `seconds`,
//! `bounds`, `counts`, `calls_without_points`, …), and `structure`, and of that `spec_lines`, `ordering_points`, `methods`,
//! `admissibility_lines` and `code_lines`.

mod limit;
mod render;
mod row;
mod size;

use crate::Outcome;
use crate::examples::{self, Profile};
use crate::page::Page;
use crate::published::{FIGURE_7, Published};
use crate::runner::read;
use crate::source::root;
use crate::table::{Show, Table};
use row::Row;
use std::path::Path;
use std::process::Command;

/// What the command line calls it.
pub(crate) const NAME: &str = "executions";

/// At most so many lines of specification, on average.
const LINES_MAX: f64 = 12.0;

/// The engines that the examples run on.
pub(crate) const ENGINES: [&str; 2] = ["rc11", "loom"];

/// Computes the table, on one engine or all, and shows it.
///
/// # Errors
/// An example that failed, or what is not as it should be.
pub(crate) fn run(show: Show, engine: Option<&str>) -> Outcome {
    let Show::Print { is_json, is_markdown } = show else { return check() };
    let engines = engine.map_or(ENGINES.to_vec(), |engine| vec![engine]);
    let rows = rows(&examples::built(Profile::Release)?, &engines)?;
    let table = Table { rows: rows.iter().map(Row::json).collect(), text: render::tables(&rows) };
    table.print(is_json, is_markdown.then_some(&PAGE))
}

/// Every structure of the paper is there, every program of the figure holds, every call has an ordering point, the specifications are short, the
/// page of the docs says what is computed, and all of it is fast enough.
///
/// # Errors
/// What is not so.
fn check() -> Outcome {
    let folder = examples::built(Profile::Release)?;
    let rows = rows(&folder, &ENGINES)?;
    check_programs(&rows)?;
    PAGE.check(&render::tables(&rows))?;
    limit::check(&rows, &folder)
}

fn check_programs(rows: &[Row]) -> Outcome {
    let of_rc11 = || rows.iter().filter(|row| row.text("engine") == "rc11");
    let is_there = |published: &&Published| of_rc11().any(|row| is_of(row, published) && row.holds());
    let missing: Vec<_> = FIGURE_7.iter().filter(|one| !is_there(one)).map(|one| one.structure).collect();
    if !missing.is_empty() {
        return Err(format!("figure 7 has no row that holds for {}", missing.join(", ")));
    }
    // The examples take `holds_within` for a pass, since on loom nothing better is to be had.
    let bounded: Vec<_> = of_rc11()
        .filter(|row| row.text("verdict") == "holds_within")
        .map(|row| row.text("program"))
        .collect();
    if !bounded.is_empty() {
        return Err(format!("on rc11 programs hold without a bound, but not {}", bounded.join(", ")));
    }
    // Of a call without one nothing is said but that it may come at any time: no answer of it is unjustified.
    let pointless: Vec<_> = rows
        .iter()
        .filter(|row| row.holds() && row.text("calls_without_points") != "0")
        .map(|row| format!("{} of {}", row.text("program"), row.structure))
        .collect();
    if !pointless.is_empty() {
        return Err(format!("every call has an ordering point, but not in {}", pointless.join(", ")));
    }
    let (lines, points) = render::averages(rows);
    if lines > LINES_MAX {
        return Err(format!("{lines:.1} lines of specification on average: at most {LINES_MAX} are wanted"));
    }
    println!("{} programs; {lines:.1} lines a structure, {points:.2} ordering points a method", rows.len());
    Ok(())
}

/// Whether the row is of this program.
fn is_of(row: &Row, published: &Published) -> bool {
    row.structure == published.structure && row.text("program") == published.program
}

/// Runs the structures on each of the engines.
fn rows(folder: &Path, engines: &[&str]) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for engine in engines {
        for structure in examples::structures()? {
            let size = size_of(&structure)?;
            let mut command = Command::new(folder.join(&structure));
            command.args(["--json", "--engine", engine]);
            for line in read(command)?.lines() {
                rows.extend(Row::of(&structure, line, size)?);
            }
        }
    }
    Ok(rows)
}

/// The size of a structure: the specification is that of its file; its code is in all files of its folder but the programs.
fn size_of(structure: &str) -> Result<size::Size, String> {
    let of_file = |path: &Path| {
        let describe = |error: String| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| describe(error.to_string()))?;
        size::size_of(&text).map_err(describe)
    };
    let helpers = examples::helpers_of(structure)?;
    let codes: Vec<u64> =
        helpers.iter().map(|path| of_file(path).map(|size| size.code)).collect::<Result<_, _>>()?;
    let size = of_file(&root().join(examples::source_of(structure)))?;
    Ok(size::Size { code: size.code + codes.iter().sum::<u64>(), ..size })
}

/// The page.
pub(crate) const PAGE: Page =
    Page { file: "figure7.md", table: NAME, introduction: INTRODUCTION, uncompared: &[] };

const INTRODUCTION: &str = "\
# Figure 7, computed

The structures of the CDSSpec paper (Ou and Demsky, PPoPP 2017) and others, on both engines. `cargo xtask table executions --markdown` writes
this page; the seconds are those of one run in release on one core, checking included, and the only thing here that changes from run to run.

- executions: all that were explored. rc11 explores each execution graph once, and cuts some in which a thread waits for what another execution
  shows; loom explores schedules, within the bound on preemptions that the example gives where it would take too long without one, and never all.
- complete: those that ran to their end. delayed: those of them in which some thread went round a loop that waits before it went on. A first
  round cannot be shown to leave nothing behind, and orders calls by what it reads, so it is explored. For the paper's figures for feasible
  executions, compare complete without delayed. blocked: those in which some thread can never go on. inadmissible: those of which the specification
  says nothing.
- shapes: different sets of calls, values and orders, each checked once. histories: sequential histories of those.
- feasible: complete executions without delayed ones, of all programs of a structure that hold on rc11, as are the sums of executions and seconds beside them.
- code lines: those of the structure, without blank ones, comments and annotations, and without the programs. admissibility lines: those of `#[admit(…)]`.
- specification lines: all lines of annotations in `examples/NAME/NAME.rs`, `#[cdsspec::spec]` among them, and the type of the state. Ordering points: annotations that make an
  operation one. Methods: those with a clause.
";
