//! The table of an example's programs, a row at a time: what was found stays on the screen, whatever becomes of the rest.

use crate::check::Verdict;

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
}

const HEADER: [&str; 7] =
    ["program", "verdict", "executions", "inadmissible", "shapes", "histories", "seconds"];

impl ExampleTable {
    /// A table for programs and seeded bugs with these names.
    pub fn new<'a>(names: impl IntoIterator<Item = (&'a str, bool)>) -> Self {
        let mut widths = HEADER.map(str::len);
        widths[1] = Verdict::Nondeterministic.word().len();
        let longest = names.into_iter().map(|(name, is_bug)| row_name(name, is_bug).len()).max();
        widths[0] = widths[0].max(longest.unwrap_or(0));
        Self { widths }
    }

    /// The first two lines.
    pub fn header(&self) -> String {
        let line = self.line(&HEADER.map(str::to_owned));
        let rule = self.widths.map(|width| "-".repeat(width));
        format!("{line}\n{}", self.line(&rule))
    }

    /// A line.
    pub fn row(&self, row: &ExampleRow<'_>) -> String {
        let [executions, inadmissible, shapes, histories] = row.numbers.map(|number| number.to_string());
        let name = row_name(row.name, row.is_bug);
        let verdict = row.verdict.word().to_owned();
        let seconds = format!("{:.2}", row.seconds);
        let line = self.line(&[name, verdict, executions, inadmissible, shapes, histories, seconds]);
        if row.is_expected { line } else { format!("{line}  <- expected {}", row.expected) }
    }

    fn line(&self, cells: &[String; 7]) -> String {
        let padded: Vec<String> =
            cells.iter().zip(self.widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("| {} |", padded.join(" | "))
    }
}

fn row_name(name: &str, is_bug: bool) -> String {
    if is_bug { format!("bug: {name}") } else { name.to_owned() }
}
