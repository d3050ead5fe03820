//! What every table can do: to be printed, as text or as JSON; to be written to its page; to be held against it.

use crate::Outcome;
use crate::page::Page;
use serde_json::Value;

/// What to do with a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Show {
    /// Print it, and write its page if that is asked for.
    Print {
        /// One JSON object a row, instead of text.
        is_json: bool,
        /// Whether the page is written, too.
        is_markdown: bool,
    },
    /// Say whether the page is what is computed, and the limits are kept.
    Check,
}

/// A table, computed.
pub(crate) struct Table {
    /// One object a row.
    pub(crate) rows: Vec<Value>,
    /// Markdown, which reads well in a terminal, too.
    pub(crate) text: String,
}

impl Table {
    /// Prints it, and writes the page if that is asked for.
    ///
    /// # Errors
    /// That the page cannot be written.
    pub(crate) fn print(&self, is_json: bool, page: Option<&Page>) -> Outcome {
        if is_json {
            self.rows.iter().for_each(|row| println!("{row}"));
        } else {
            print!("{}", self.text);
        }
        page.map_or(Ok(()), |page| page.write(&self.text))
    }
}
