//! Why weakenings that nothing shows survive: written by hand, beside the table.

use super::injections::Injection;
use crate::source::root;
use std::fmt;

/// Where the reasons are: a table in Markdown with the columns of [`Reason`].
pub(super) const FILE: &str = "docs/survivors.md";

/// The reason of a survivor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reason {
    structure: String,
    operation: String,
    step: String,
    /// Whether the order is needed all the same: a wider program would show it.
    pub(super) is_needed: bool,
    pub(super) text: String,
}

impl Reason {
    /// Whether it is the reason of this one.
    pub(super) fn is_about(&self, row: &Injection) -> bool {
        self.structure == row.text("structure")
            && self.operation == row.text("operation")
            && self.step == step(row)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {}", self.structure, self.operation, self.step)
    }
}

/// `SeqCst -> AcqRel`.
pub(super) fn step(row: &Injection) -> String {
    format!("{} -> {}", row.text("from"), row.text("to"))
}

/// What a reason of this one would begin with.
pub(super) fn key(row: &Injection) -> String {
    format!("{} | {} | {}", row.text("structure"), row.text("operation"), step(row))
}

/// The reasons.
///
/// # Errors
/// A file that cannot be read, or a row that has other cells than it should.
pub(super) fn read() -> Result<Vec<Reason>, String> {
    let path = root().join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&text)
}

/// The rows of the table, below its header.
pub(super) fn parse(text: &str) -> Result<Vec<Reason>, String> {
    let rows = text.lines().enumerate().filter(|(_, line)| line.starts_with('|')).skip(2);
    rows.map(|(index, line)| {
        row(line).ok_or_else(|| {
            format!(
                "{FILE}:{}: expected `| structure | operation | step | needed: yes or no | reason |`",
                index + 1
            )
        })
    })
    .collect()
}

fn row(line: &str) -> Option<Reason> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
    let [structure, operation, step, needed, text] = cells[..] else { return None };
    let is_needed = match needed {
        "yes" => true,
        "no" => false,
        _ => return None,
    };
    let own = str::to_owned;
    let reason = Reason {
        structure: own(structure),
        operation: own(operation),
        step: own(step),
        is_needed,
        text: own(text),
    };
    (!text.is_empty()).then_some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "# Survivors\n\n| structure | operation | step | needed | reason |\n| - | - | - | - | - |\n";

    #[test]
    fn a_row_is_a_reason() {
        let rows = parse(&format!("{HEAD}| a | f: x.load | Acquire -> Relaxed | no | since |\n")).unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].to_string(), "a | f: x.load | Acquire -> Relaxed");
        assert_eq!((rows[0].is_needed, rows[0].text.as_str()), (false, "since"));
    }

    #[test]
    fn a_row_without_a_reason_is_a_mistake() {
        for row in ["| a | b | c | no |  |", "| a | b | c | perhaps | d |", "| a | b | c | no |"] {
            let error = parse(&format!("{HEAD}{row}\n")).unwrap_err();
            assert!(error.starts_with("docs/survivors.md:5: expected"), "{error}");
        }
    }
}
