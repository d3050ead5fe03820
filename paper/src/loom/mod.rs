//! `loom`: the loom tests of published crates, on loom and on `cdsspec-loom`.
//!
//! # Rows
//! With `--json` a row is a test:
//!
//! - `crate`, `test`: which one; `loom`, `ours`: `passes`, `fails: ` with the first line of what it says, `no end` within the limit, `not built`;
//! - `loom_executions`, `our_executions`: over all its models, `null` if it does not say or did not end;
//! - `loom_seconds`, `our_seconds`: with starting the process;
//! - `right`: where the results differ, who is right and why; `open`, if nobody has said; empty elsewhere.
//!
//! Crates are fetched by cargo at the versions of [`suite::SUITES`], copied below `target/loom`, and built with a patch of loom: by loom itself, which
//! says how many executions it has run, or by ours. Nothing of them is kept.

mod fetch;
mod ran;
mod right;
mod suite;

use crate::Outcome;
use crate::grid::grid;
use crate::page::Page;
use crate::table::{Show, Table};
use ran::{LIMIT, Ran, Result as Ended};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use suite::{SUITES, Suite};

/// What the command line calls it.
pub(crate) const NAME: &str = "loom";

/// The page.
pub(crate) const PAGE: Page =
    Page { file: "loom.md", table: NAME, introduction: INTRODUCTION, uncompared: &["loom, s", "ours, s"] };

const INTRODUCTION: &str = "\
# loom's tests, on loom and here

The loom tests of published crates, as they are published: on loom 0.7.3, and on `cdsspec-loom`, which is put in loom's place by one line (`[patch.crates-io]`). Tests that loom's
authors ignore are run as well. A test has 20 s. *Executions* are those of all models in it. Where the two differ, the last column says who is right, and by what.

Written by `cargo run --release -p paper -- loom --markdown`.
";

/// Whose loom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Loom,
    Ours,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Self::Loom => "loom",
            Self::Ours => "ours",
        }
    }
}

/// A test, and what it came to on both sides.
struct Row {
    suite: &'static str,
    test: String,
    loom: Ran,
    ours: Ran,
}

impl Row {
    fn right(&self) -> &'static str {
        let kind = |ended: &Ended| std::mem::discriminant(ended);
        if kind(&self.loom.result) == kind(&self.ours.result) {
            ""
        } else {
            right::right(self.suite, &self.test)
        }
    }

    fn json(&self) -> Value {
        json!({
            "crate": self.suite,
            "test": self.test,
            "loom": word(&self.loom.result),
            "ours": word(&self.ours.result),
            "loom_executions": self.loom.executions,
            "our_executions": self.ours.executions,
            "loom_seconds": self.loom.seconds,
            "our_seconds": self.ours.seconds,
            "right": self.right(),
        })
    }

    fn cells(&self) -> Vec<String> {
        let count = |ran: &Ran| ran.executions.map_or_else(String::new, |count| count.to_string());
        let short = |ran: &Ran| word(&ran.result).replace('|', "/");
        vec![
            self.suite.to_owned(),
            self.test.clone(),
            short(&self.loom),
            short(&self.ours),
            count(&self.loom),
            count(&self.ours),
            format!("{:.2}", self.loom.seconds),
            format!("{:.2}", self.ours.seconds),
            self.right().to_owned(),
        ]
    }
}

fn word(ended: &Ended) -> String {
    match ended {
        Ended::Passed => "passes".to_owned(),
        Ended::Failed(reason) => format!("fails: {}", reason.chars().take(80).collect::<String>()),
        Ended::NoEnd => "no end".to_owned(),
        Ended::NotBuilt => "not built".to_owned(),
    }
}

/// Fetches, builds and runs, and shows the table.
///
/// # Errors
/// What cannot be fetched; that the page is not what is computed, or that nobody has said who is right.
pub(crate) fn run(show: Show) -> Outcome {
    let rows = rows()?;
    let table = Table { rows: rows.iter().map(Row::json).collect(), text: text(&rows) };
    match show {
        Show::Print { is_json, is_markdown } => table.print(is_json, is_markdown.then_some(&PAGE)),
        Show::Check => match rows.iter().find(|row| row.right() == "open") {
            None => PAGE.check(&table.text),
            Some(row) => Err(format!("nobody has said who is right: {}", row.json())),
        },
    }
}

fn rows() -> Result<Vec<Row>, String> {
    let published = fetch::published(&SUITES)?;
    fetch::counting_loom(&published[0])?;
    let mut rows = Vec::new();
    for (suite, published) in SUITES.iter().zip(&published) {
        rows.extend(rows_of(suite, published)?);
    }
    Ok(rows)
}

/// The tests of a suite, in the order of their programs and names.
fn rows_of(suite: &Suite, published: &Path) -> Result<Vec<Row>, String> {
    let mut ran: BTreeMap<String, [Option<Ran>; 2]> = BTreeMap::new();
    for (index, side) in [Side::Loom, Side::Ours].into_iter().enumerate() {
        let folder = fetch::prepare(suite, published, side)?;
        let tests = ran::build(suite, &folder, side).unwrap_or_else(|message| {
            eprintln!("{message}");
            Vec::new()
        });
        for (name, program) in tests {
            eprintln!("{}: {name} on {}", suite.name, side.name());
            let one = ran::run(&name, &program, &folder)?;
            eprintln!("    {} after {:.1} s", word(&one.result), one.seconds);
            ran.entry(name).or_default()[index] = Some(one);
        }
    }
    let or_not =
        |ran: Option<Ran>| ran.unwrap_or(Ran { result: Ended::NotBuilt, executions: None, seconds: 0.0 });
    let rows = ran.into_iter().map(|(test, [loom, ours])| Row {
        suite: suite.name,
        test,
        loom: or_not(loom),
        ours: or_not(ours),
    });
    Ok(rows.collect())
}

fn text(rows: &[Row]) -> String {
    let header = [
        "crate",
        "test",
        "loom",
        "ours",
        "loom, executions",
        "ours, executions",
        "loom, s",
        "ours, s",
        "right",
    ];
    let cells: Vec<_> = rows.iter().map(Row::cells).collect();
    let mut text = grid(&header, &cells);
    text.push('\n');
    for suite in &SUITES {
        let of: Vec<_> = rows.iter().filter(|row| row.suite == suite.name).collect();
        text.push_str(&sums(suite, &of));
    }
    text
}

/// A line on a suite. Its last words are not compared.
fn sums(suite: &Suite, rows: &[&Row]) -> String {
    let passed = |of: fn(&Row) -> &Ran| rows.iter().filter(|row| of(row).result == Ended::Passed).count();
    let both: Vec<_> =
        rows.iter().filter(|row| row.loom.executions.is_some() && row.ours.executions.is_some()).collect();
    let executions = |of: fn(&Row) -> &Ran| both.iter().filter_map(|row| of(row).executions).sum::<u64>();
    let ended = |row: &&&Row| row.loom.result != Ended::NoEnd && row.ours.result != Ended::NoEnd;
    let seconds = |of: fn(&Row) -> &Ran| rows.iter().filter(ended).map(|row| of(row).seconds).sum::<f64>();
    format!(
        "- {} {}: {} tests, {} pass on loom, {} here; {} executions on loom, {} here, of the {} that say so on both\n- over time: {:.1} s \
         on loom, {:.1} s here, of those that end within {} s on both\n",
        suite.name,
        suite.version,
        rows.len(),
        passed(|row| &row.loom),
        passed(|row| &row.ours),
        executions(|row| &row.loom),
        executions(|row| &row.ours),
        both.len(),
        seconds(|row| &row.loom),
        seconds(|row| &row.ours),
        LIMIT.as_secs(),
    )
}
