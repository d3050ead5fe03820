//! The page that a report is written on: blocks with an empty line between them, never wider than [`WIDTH`].

use crate::record::SourceLocation;
use std::fmt;

/// Columns of a page.
pub(super) const WIDTH: usize = 100;

/// Where the places stand, if what is before them is not longer.
const PLACE_COLUMN: usize = 48;

/// The columns that a text takes. Wide characters are counted as one.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

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
}

impl Row {
    pub(super) fn new(label: impl Into<String>, text: impl Into<String>) -> Self {
        Self { label: label.into(), text: text.into(), place: None }
    }

    pub(super) fn at(mut self, place: SourceLocation) -> Self {
        self.place = Some(place);
        self
    }
}

/// A report that is being written.
#[derive(Default)]
pub(super) struct Page(String);

impl Page {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// The first line: one line whatever it says, so that it can be searched for. What does not fit follows below.
    pub(super) fn headline(&mut self, text: &str) {
        for line in wrap(&fold(text), 0, 2) {
            self.line(&line);
        }
    }

    /// A block of labelled rows.
    pub(super) fn rows(&mut self, rows: &[Row]) {
        let column = 4 + rows.iter().map(|row| width(&row.label)).max().unwrap_or(0);
        let place_column = place_column(rows, column);
        self.block(rows.iter().flat_map(|row| row_lines(row, column, place_column)));
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
        if lines.peek().is_some() && !self.0.is_empty() {
            self.0.push('\n');
        }
        for line in lines {
            self.line(&line);
        }
    }

    fn line(&mut self, text: &str) {
        let indent = width(text) - width(text.trim_start());
        if width(text) <= WIDTH {
            self.0.push_str(text.trim_end());
            self.0.push('\n');
            return;
        }
        for line in wrap(text.trim(), indent, indent + 2) {
            self.0.push_str(&line);
            self.0.push('\n');
        }
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Texts of the user's may have lines: one, with what is between words folded.
pub(super) fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where the places of a block stand: as far to the left as fits all texts beside which there is room for one.
fn place_column(rows: &[Row], column: usize) -> usize {
    let ends = rows.iter().filter_map(|row| {
        let end = column + width(&fold(&row.text)) + 2;
        (end + width(&row.place?.to_string()) <= WIDTH).then_some(end)
    });
    ends.max().unwrap_or(0).max(PLACE_COLUMN)
}

fn row_lines(row: &Row, column: usize, place_column: usize) -> Vec<String> {
    let place = row.place.map(|place| place.to_string());
    let mut lines = wrap(&fold(&row.text), column, column);
    lines[0] = format!("  {}{}", row.label, &lines[0][2 + row.label.len()..]);
    let Some(place) = place else { return lines };
    let last = lines.last_mut().expect("wrapping gives at least one line");
    let gap = place_column.saturating_sub(width(last)).max(2);
    if width(last) + gap + width(&place) <= WIDTH {
        last.push_str(&" ".repeat(gap));
        last.push_str(&place);
    } else {
        lines.push(format!("{}{place}", " ".repeat(column)));
    }
    lines
}

/// Breaks a text at its spaces, or where it must. The first line is indented by `first` columns, the others by `rest`.
fn wrap(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = " ".repeat(first);
    let mut is_empty = true;
    for word in text.split(' ') {
        let needed = width(word) + usize::from(!is_empty);
        if !is_empty && width(&line) + needed > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(rest)));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        for character in word.chars() {
            if width(&line) == WIDTH {
                lines.push(std::mem::replace(&mut line, " ".repeat(rest)));
            }
            line.push(character);
        }
        is_empty = false;
    }
    lines.push(line);
    lines
}
