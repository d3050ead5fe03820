//! `table executions`: figure 7 of the CDSSpec paper for the structures in `examples/`, computed.
//!
//! A structure is an example whose folder has a file of its name: `examples/ms_queue/ms_queue.rs`. The examples are built in release and run
//! with `--json`; how long a specification is, is counted in that file.

mod figure8;
mod limit;
mod page;
mod render;
mod row;
mod size;

pub(crate) use limit::check_injections;

use crate::Outcome;
use crate::runner::{self, cargo, read};
use crate::source::root;
use row::Row;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the paper has measured of a structure (figure 7).
struct Published {
    structure: &'static str,
    /// Its program, as it is called here.
    program: &'static str,
    /// All, and those that are feasible.
    executions: [u32; 2],
    seconds: f64,
}

/// A row of the figure.
const fn published(
    structure: &'static str,
    program: &'static str,
    executions: [u32; 2],
    seconds: f64,
) -> Published {
    Published { structure, program, executions, seconds }
}

/// Figure 7, in its order.
const FIGURE_7: [Published; 10] = [
    published("chase_lev_deque", "main", [893, 158], 0.10),
    published("spsc_queue", "enq__deq", [18, 15], 0.01),
    published("rcu", "three", [47, 18], 0.01),
    published("hashmap", "empty", [6, 6], 0.01),
    published("mcs_lock", "twice", [21_126, 13_786], 3.00),
    published("mpmc_queue", "both", [2_911, 1_274], 4.83),
    published("ms_queue", "enq_deq__enq_deq", [296, 150], 0.03),
    published("linux_rwlock", "both", [69_386, 1_822], 13.71),
    published("seqlock", "write__read", [89, 36], 0.01),
    published("ticket_lock", "twice", [1_790, 978], 0.17),
];

/// At most so many lines of specification, on average.
const LINES_MAX: f64 = 12.0;

const ENGINES: [&str; 2] = ["rc11", "loom"];

const USAGE: &str = "\
usage: cargo xtask table executions [--json] [--markdown] [--engine rc11|loom]
       cargo xtask table executions --check

  --json      one object a line
  --markdown  writes docs/figure7.md
  --check     whether docs/figure7.md is what is computed, and the programs are fast enough";

/// Prints the table.
///
/// # Errors
/// Arguments that are not understood, or an example that failed.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let (mut is_json, mut is_markdown) = (false, false);
    let mut engines = ENGINES.to_vec();
    let mut rest = match arguments {
        ["executions", "--check"] => return check(),
        ["executions", rest @ ..] => rest,
        ["injections", rest @ ..] => return figure8::run(rest),
        _ => return Err(format!("{USAGE}\n{}", figure8::USAGE)),
    };
    loop {
        rest = match rest {
            [] => break,
            ["--json", rest @ ..] => {
                is_json = true;
                rest
            }
            ["--markdown", rest @ ..] => {
                is_markdown = true;
                rest
            }
            ["--engine", engine, rest @ ..] if ENGINES.contains(engine) => {
                engines = vec![*engine];
                rest
            }
            _ => return Err(USAGE.to_owned()),
        };
    }
    let rows = rows(&built()?, &engines)?;
    if is_json {
        rows.iter().for_each(|row| println!("{}", row.json()));
        return Ok(());
    }
    let tables = render::tables(&rows);
    print!("{tables}");
    if is_markdown { write_page("figure7.md", INTRODUCTION, &tables) } else { Ok(()) }
}

/// Builds the examples in release: where they are.
fn built() -> Result<PathBuf, String> {
    runner::run(cargo("build --quiet --release --examples"))?;
    Ok(target_folder()?.join("release/examples"))
}

/// Every structure of the paper is there, every program of the figure holds, every call has an ordering point, the specifications are short, the
/// page of the docs says what is computed, and all of it is fast enough.
///
/// # Errors
/// What is not so.
pub(crate) fn check() -> Outcome {
    let folder = built()?;
    let rows = rows(&folder, &ENGINES)?;
    check_programs(&rows)?;
    page::check("figure7.md", &format!("{INTRODUCTION}\n{}", render::tables(&rows)), "executions")?;
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
        for structure in structures()? {
            let path = root().join(source_of(&structure));
            let describe = |error: String| format!("{}: {error}", path.display());
            let text = std::fs::read_to_string(&path).map_err(|error| describe(error.to_string()))?;
            let size = size::size_of(&text).map_err(describe)?;
            let mut command = Command::new(folder.join(&structure));
            command.args(["--json", "--engine", engine]);
            for line in read(command)?.lines() {
                rows.extend(Row::of(&structure, line, size)?);
            }
        }
    }
    Ok(rows)
}

/// The structures in `examples/`: those of the paper first, in the order of its figure, then the others by name.
fn structures() -> Result<Vec<String>, String> {
    let examples = root().join("examples");
    let entries = std::fs::read_dir(&examples).map_err(|error| format!("{}: {error}", examples.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| root().join(source_of(name)).is_file())
        .collect();
    let place =
        |name: &String| FIGURE_7.iter().position(|one| one.structure == name).unwrap_or(FIGURE_7.len());
    names.sort_by_key(|name| (place(name), name.clone()));
    Ok(names)
}

fn source_of(structure: &str) -> PathBuf {
    Path::new("examples").join(structure).join(format!("{structure}.rs"))
}

fn target_folder() -> Result<PathBuf, String> {
    let metadata = read(cargo("metadata --format-version 1 --no-deps --locked"))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    Ok(metadata["target_directory"].as_str().unwrap_or("target").into())
}

/// Writes a page of `docs/`.
fn write_page(name: &str, introduction: &str, tables: &str) -> Outcome {
    let folder = root().join("docs");
    let path = folder.join(name);
    let describe = |error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(&folder).map_err(describe)?;
    std::fs::write(&path, format!("{introduction}\n{tables}")).map_err(describe)?;
    println!("\nwritten to {}", path.display());
    Ok(())
}

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
- specification lines: all lines of annotations in `examples/NAME/NAME.rs`, `#[cdsspec::spec]` among them, and the type of the state. Ordering points: annotations that make an
  operation one. Methods: those with a clause.
";
