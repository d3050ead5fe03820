//! A text as it is kept, and as it is printed.

use crate::process::{COLUMNS, columns, wrap};

/// A text as it is kept, which is the same everywhere: at 100 columns; and as it is printed: as wide as the terminal.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Text {
    kept: String,
    /// `None`: it is the same.
    printed: Option<String>,
}

impl Text {
    /// What `lay` makes of so many columns.
    pub fn of(lay: impl Fn(usize) -> String) -> Self {
        let columns = columns();
        Self { kept: lay(COLUMNS), printed: (columns != COLUMNS).then(|| lay(columns)) }
    }

    /// As it is kept.
    pub fn kept(&self) -> &str {
        &self.kept
    }

    /// As it is printed.
    pub fn printed(&self) -> &str {
        self.printed.as_deref().unwrap_or(&self.kept)
    }

    /// That of so many columns: one of the two.
    pub fn at(&self, columns: usize) -> &str {
        if columns == COLUMNS { self.kept() } else { self.printed() }
    }
}

/// A paragraph of so many columns, without the end of its last line.
pub fn paragraph(text: &str, columns: usize) -> String {
    wrap(text, 0, 2, columns).join("\n")
}
