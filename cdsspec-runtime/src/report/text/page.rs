//! The page that a report is written on: blocks with an empty line between them, never wider than it is to be.

use super::super::data::fold;
use crate::process::{width, wrap};
use crate::record::SourceLocation;
use std::fmt;

/// Where the places stand, if what is before them is not longer.
const PLACE_COLUMN: usize = 48;

/// The beginning of a text that is too wide.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(columns.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// One line of a block: a label, a text, and a place in the source.
#[derive(Clone, Debug)]
pub(super) struct Row {
    label: String,
    text: String,
    place: Option<SourceLocation>,
    /// Whether it stays one line, however wide: to be copied.
    is_unbroken: bool,
}

impl Row {
    pub(super) fn new(label: impl Into<String>, text: impl Into<String>) -> Self {
        Self { label: label.into(), text: text.into(), place: None, is_unbroken: false }
    }

    pub(super) fn unbroken(mut self) -> Self {
        self.is_unbroken = true;
        self
    }

    /// Whether it stands below its label, since it must not be broken.
    fn is_below(&self, columns: &Columns) -> bool {
        self.is_unbroken && columns.text + width(&self.text) > columns.all
    }

    pub(super) fn at(mut self, place: SourceLocation) -> Self {
        self.place = Some(place);
        self
    }
}

/// A report that is being written.
pub(super) struct Page {
    columns: usize,
    text: String,
}

impl Page {
    /// An empty page of so many columns.
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, text: String::new() }
    }

    /// The first line: one line whatever it says, so that it can be searched for. What does not fit follows below.
    pub(super) fn headline(&mut self, text: &str) {
        for line in wrap(&fold(text), 0, 2, self.columns) {
            self.line(&line);
        }
    }

    /// A block of labelled rows.
    pub(super) fn rows(&mut self, rows: &[Row]) {
        let label = rows.iter().map(|row| width(&row.label)).max().unwrap_or(0);
        let column = 4 + label.min(self.columns / 2);
        let columns =
            Columns { text: column, place: place_column(rows, column, self.columns), all: self.columns };
        if !rows.is_empty() && !self.text.is_empty() {
            self.text.push('\n');
        }
        for row in rows {
            row_lines(row, &columns).iter().for_each(|line| self.line(line));
            if row.is_below(&columns) {
                // It is to be copied: it stays one line.
                self.text.push_str(&row.text);
                self.text.push('\n');
            }
        }
    }

    /// A block under a title.
    pub(super) fn titled(&mut self, title: &str, lines: Vec<String>) {
        if !lines.is_empty() {
            self.block(std::iter::once(format!("{title}:")).chain(lines));
        }
    }

    /// A block of lines; nothing, if there are none.
    pub(super) fn block(&mut self, lines: impl IntoIterator<Item = String>) {
        let mut lines = lines.into_iter().peekable();
        if lines.peek().is_some() && !self.text.is_empty() {
            self.text.push('\n');
        }
        for line in lines {
            self.line(&line);
        }
    }

    /// Source, as it is: it can be copied.
    pub(super) fn verbatim(&mut self, source: &str) {
        self.text.push('\n');
        self.text.push_str(source);
        self.text.push('\n');
    }

    /// A line of a block, indented.
    pub(super) fn indented(&mut self, indent: usize, text: &str) {
        self.line(&format!("{:indent$}{text}", ""));
    }

    fn line(&mut self, text: &str) {
        let indent = width(text) - width(text.trim_start());
        if width(text) <= self.columns {
            self.text.push_str(text.trim_end());
            self.text.push('\n');
            return;
        }
        for line in wrap(text.trim(), indent, indent + 2, self.columns) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Where the places of a block stand: as far to the left as fits all texts beside which there is room for one.
fn place_column(rows: &[Row], column: usize, columns: usize) -> usize {
    let ends = rows.iter().filter_map(|row| {
        let end = column + width(&fold(&row.text)) + 2;
        (end + width(&row.place?.to_string()) <= columns).then_some(end)
    });
    ends.max().unwrap_or(0).max(PLACE_COLUMN)
}

/// Where the parts of a block stand.
struct Columns {
    text: usize,
    place: usize,
    /// How many there are.
    all: usize,
}

fn row_lines(row: &Row, columns: &Columns) -> Vec<String> {
    let place = row.place.map(|place| place.to_string());
    let text = if row.is_below(columns) { "" } else { row.text.as_str() };
    let mut lines = wrap(&fold(text), columns.text, columns.text, columns.all);
    let label = cut(&row.label, columns.text - 4);
    // What stands there so far is space.
    lines[0].replace_range(2..2 + width(&label), &label);
    let Some(place) = place else { return lines };
    let last = lines.last_mut().expect("wrapping gives at least one line");
    let gap = columns.place.saturating_sub(width(last)).max(2);
    if width(last) + gap + width(&place) <= columns.all {
        last.push_str(&" ".repeat(gap));
        last.push_str(&place);
    } else {
        lines.push(format!("{}{place}", " ".repeat(columns.text)));
    }
    lines
}
