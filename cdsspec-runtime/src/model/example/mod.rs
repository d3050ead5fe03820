//! The form that every example speaks: its programs and seeded bugs, what is expected of each, and one command line.

mod command;
mod expected;

pub use expected::Expected;

use super::Outcome;
use crate::report::{self, ExampleRow, ExampleTable};
use crate::specification::{helper_markers, registry};
use command::Command;
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

/// An example: programs that hold, and seeded bugs that are found.
///
/// ```no_run
/// # use cdsspec_runtime::{check::Verdict, model::{Builder, example::Example}};
/// # fn two_pushes() {}
/// fn main() -> std::process::ExitCode {
///     Example::new("stack")
///         .program("push__push", Verdict::HoldsWithin, || Builder::new().check(two_pushes))
///         .seeded_bug("relaxed_push", Verdict::Violated, || Builder::new().name("push__push").check(two_pushes))
///         .main()
/// }
/// ```
#[must_use = "an example does nothing until `main` is called"]
pub struct Example {
    name: &'static str,
    entries: Vec<Entry>,
}

struct Entry {
    name: &'static str,
    is_bug: bool,
    expected: Expected,
    run: Box<dyn Fn() -> Outcome>,
}

/// One line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    example: &'static str,
    #[serde(flatten)]
    outcome: &'a Outcome,
    #[serde(flatten)]
    bug: Option<BugLine>,
}

/// What a seeded bug has beside that.
#[derive(Serialize)]
struct BugLine {
    seeded_bug: &'static str,
    expected: String,
    found: bool,
}

impl Example {
    /// An example without programs.
    pub fn new(name: &'static str) -> Self {
        Self { name, entries: Vec::new() }
    }

    /// Adds a program, the verdict that it has, and how it is checked.
    pub fn program(
        self,
        name: &'static str,
        expected: impl Into<Expected>,
        run: impl Fn() -> Outcome + 'static,
    ) -> Self {
        self.entry(Entry { name, is_bug: false, expected: expected.into(), run: Box::new(run) })
    }

    /// Adds a seeded bug, the class in which it is found, and how it is checked. Let the builder name the program that shows it.
    pub fn seeded_bug(
        self,
        name: &'static str,
        expected: impl Into<Expected>,
        run: impl Fn() -> Outcome + 'static,
    ) -> Self {
        self.entry(Entry { name, is_bug: true, expected: expected.into(), run: Box::new(run) })
    }

    /// Does what the command line asks for: all programs and seeded bugs, or those named; `--json`: one object a line;
    /// `--list`: the names, and what is specified. Succeeds if each came to what is expected of it.
    #[must_use = "the exit code says whether the example came to what is expected"]
    pub fn main(self) -> ExitCode {
        match self.run(std::env::args().skip(1), &mut io::stdout().lock()) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                eprintln!("{}: {error}", self.name);
                ExitCode::from(2)
            }
        }
    }

    /// The same with the arguments and the output given: whether each came to what is expected of it.
    ///
    /// # Errors
    /// An argument that is not understood, or an output that cannot be written to.
    pub fn run(
        &self,
        arguments: impl IntoIterator<Item = String>,
        output: &mut dyn Write,
    ) -> io::Result<bool> {
        let names: Vec<_> = self.entries.iter().map(|entry| entry.name).collect();
        let command = command::parse(arguments, &names)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))?;
        match command {
            Command::List => print_list(&names, output).map(|()| true),
            Command::Run { chosen, is_json: true } => self.print_lines(&chosen, output),
            Command::Run { chosen, is_json: false } => self.print_table(&chosen, output),
        }
    }

    fn entry(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }

    fn chosen<'a>(&'a self, names: &'a [String]) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(|entry| names.is_empty() || names.iter().any(|name| name == entry.name))
    }

    fn print_lines(&self, names: &[String], output: &mut dyn Write) -> io::Result<bool> {
        let mut is_all_expected = true;
        for entry in self.chosen(names) {
            let outcome = entry.outcome();
            let found = entry.expected.includes(outcome.verdict);
            is_all_expected &= found;
            let bug = entry.is_bug.then(|| BugLine {
                seeded_bug: entry.name,
                expected: entry.expected.to_string(),
                found,
            });
            let line = Line { example: self.name, outcome: &outcome, bug };
            serde_json::to_writer(&mut *output, &line)?;
            writeln!(output)?;
            output.flush()?;
        }
        Ok(is_all_expected)
    }

    /// The table, a row at a time; then in full whatever was asked for by name or is not as expected, and else the first seeded bug.
    fn print_table(&self, names: &[String], output: &mut dyn Write) -> io::Result<bool> {
        let table = ExampleTable::new(self.chosen(names).map(|entry| (entry.name, entry.is_bug)));
        writeln!(output, "{}", table.header())?;
        let mut ran = Vec::new();
        for entry in self.chosen(names) {
            let outcome = entry.outcome();
            writeln!(output, "{}", table.row(&entry.row(&outcome)))?;
            output.flush()?;
            ran.push((entry, outcome));
        }
        let is_expected = |(entry, outcome): &(&Entry, Outcome)| entry.expected.includes(outcome.verdict);
        let first_bug = ran.iter().position(|(entry, _)| entry.is_bug);
        for (index, row) in ran.iter().enumerate() {
            if !names.is_empty() || !is_expected(row) || Some(index) == first_bug {
                let kind = if row.0.is_bug { "seeded bug" } else { "program" };
                writeln!(output, "\n{kind} {}\n\n{}", row.0.name, row.1.report().trim_end())?;
            }
        }
        Ok(ran.iter().all(is_expected))
    }
}

/// The programs, then the specifications.
fn print_list(names: &[&str], output: &mut dyn Write) -> io::Result<()> {
    for name in names {
        writeln!(output, "{name}")?;
    }
    let specifications = registry();
    if !specifications.is_empty() {
        write!(output, "\n{}", report::listing(&specifications, &helper_markers()))?;
    }
    Ok(())
}

impl Entry {
    fn row(&self, outcome: &Outcome) -> ExampleRow<'static> {
        ExampleRow {
            name: self.name,
            is_bug: self.is_bug,
            verdict: outcome.verdict,
            expected: self.expected.to_string(),
            is_expected: self.expected.includes(outcome.verdict),
            numbers: [outcome.executions, outcome.inadmissible, outcome.shapes, outcome.histories],
            seconds: outcome.seconds,
        }
    }

    /// Runs it. A program is called here what the example calls it.
    fn outcome(&self) -> Outcome {
        let mut outcome = (self.run)();
        if !self.is_bug {
            self.name.clone_into(&mut outcome.name);
        }
        outcome
    }
}
