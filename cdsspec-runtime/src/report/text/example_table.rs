//! The table of an example's programs, a row at a time: what was found stays on the screen, whatever becomes of the rest.

use super::super::data::fold;
use super::paragraph;
use crate::check::Verdict;
use crate::process::width;

/// A program or a seeded bug, and what it came to.
#[derive(Clone, Debug)]
pub struct ExampleRow<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether it is a seeded bug.
    pub is_bug: bool,
    /// What it came to.
    pub verdict: Verdict,
    /// What is expected, in words.
    pub expected: String,
    /// Whether it came to that.
    pub is_expected: bool,
    /// Executions, inadmissible ones among them, shapes, histories.
    pub numbers: [u64; 4],
    /// How long it took.
    pub seconds: f64,
}

/// The columns of a table whose rows are not known yet.
#[derive(Clone, Debug)]
pub struct ExampleTable {
    widths: [usize; 7],
    columns: usize,
}

const HEADER: [&str; 7] =
    ["program", "verdict", "executions", "inadmissible", "shapes", "histories", "seconds"];

/// Between two columns.
const GAP: &str = "  ";

impl ExampleTable {
    /// A table for programs and seeded bugs with these names, of so many columns. A name that does not fit stands in a line of its own.
    pub fn new<'a>(names: impl IntoIterator<Item = (&'a str, bool)>, columns: usize) -> Self {
        let mut widths = HEADER.map(width);
        widths[1] = Verdict::Uninitialised.word().len();
        let others = widths[1..].iter().map(|width| width + GAP.len()).sum::<usize>();
        let longest = names.into_iter().map(|(name, is_bug)| width(&row_name(name, is_bug))).max();
        widths[0] = longest.unwrap_or(0).min(columns.saturating_sub(others)).max(widths[0]);
        Self { widths, columns }
    }

    /// The first two lines.
    pub fn header(&self) -> String {
        let rule = self.widths.map(|width| "-".repeat(width));
        format!("{}\n{}", self.line(&HEADER.map(str::to_owned)), self.line(&rule))
    }

    /// A row.
    pub fn row(&self, row: &ExampleRow<'_>) -> String {
        let [executions, inadmissible, shapes, histories] = row.numbers.map(|number| number.to_string());
        let verdict = row.verdict.word().to_owned();
        let seconds = format!("{:.2}", row.seconds);
        let (above, name) = match row_name(row.name, row.is_bug) {
            long if width(&long) > self.widths[0] => (long + "\n", String::new()),
            name => (String::new(), name),
        };
        let line = self.line(&[name, verdict, executions, inadmissible, shapes, histories, seconds]);
        let mark = if row.is_expected { String::new() } else { format!("\n  <- expected {}", row.expected) };
        format!("{above}{line}{mark}")
    }

    fn line(&self, cells: &[String; 7]) -> String {
        let padded = cells.iter().zip(self.widths).map(|(cell, width)| format!("{cell:<width$}"));
        let line = padded.collect::<Vec<_>>().join(GAP);
        // Where the page is too narrow for the columns as well.
        let line = line.trim_end();
        if width(line) <= self.columns { line.to_owned() } else { paragraph(&fold(line), self.columns) }
    }
}

fn row_name(name: &str, is_bug: bool) -> String {
    if is_bug { format!("bug: {name}") } else { name.to_owned() }
}
