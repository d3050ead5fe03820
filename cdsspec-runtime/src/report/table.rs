//! Tables.

use comfy_table::{ContentArrangement, Table, presets::ASCII_MARKDOWN};

/// How many lines stand above the first row.
pub(super) const HEADER_LINES: usize = 2;

/// A table, a line a row below [`HEADER_LINES`].
pub(super) fn lines(header: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    table.add_rows(rows);
    let mut lines: Vec<_> = table.lines().collect();
    if let Some(rule) = lines.get_mut(1) {
        *rule = rule.replace("|-", "| ").replace("-|", " |");
    }
    lines
}
