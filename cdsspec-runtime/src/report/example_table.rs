//! The table of an example's programs.

use super::table;
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

/// All of them as a table.
pub fn example_table(rows: &[ExampleRow<'_>]) -> String {
    let header = ["program", "verdict", "executions", "inadmissible", "shapes", "histories", "seconds"];
    let cells = rows.iter().map(|row| {
        let name = if row.is_bug { format!("bug: {}", row.name) } else { row.name.to_owned() };
        let mut cells = vec![name, row.verdict.word().to_owned()];
        cells.extend(row.numbers.iter().map(u64::to_string));
        cells.push(format!("{:.2}", row.seconds));
        cells
    });
    let mut lines = table::lines(&header.map(str::to_owned), cells);
    for (line, row) in lines[table::HEADER_LINES..].iter_mut().zip(rows) {
        if !row.is_expected {
            line.push_str(&format!("  <- expected {}", row.expected));
        }
    }
    lines.join("\n")
}
