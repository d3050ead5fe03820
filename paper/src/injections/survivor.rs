//! Why weakenings that nothing shows survive: written by hand, beside the table.

use super::injection::Injection;
use super::markdown;
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
        row.is_called(&self.structure, &self.operation, &self.step)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {}", self.structure, self.operation, self.step)
    }
}

/// The reasons.
///
/// # Errors
/// A file that cannot be read, or a row that has other cells than it should.
pub(super) fn read() -> Result<Vec<Reason>, String> {
    markdown::read(FILE)?.into_iter().map(reason).collect()
}

fn reason(row: markdown::Row<5>) -> Result<Reason, String> {
    let [structure, operation, step, needed, text] = row.cells;
    let is_needed = match needed.as_str() {
        "yes" => true,
        "no" => false,
        _ => return Err(format!("{}: needed: `yes` or `no`, not `{needed}`", row.place)),
    };
    if text.is_empty() {
        return Err(format!("{}: no reason", row.place));
    }
    Ok(Reason { structure, operation, step, is_needed, text })
}

#[cfg(test)]
pub(super) fn parse(text: &str) -> Result<Vec<Reason>, String> {
    markdown::parse(FILE, text)?.into_iter().map(reason).collect()
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
            assert!(error.starts_with("docs/survivors.md:5: "), "{error}");
        }
    }
}
