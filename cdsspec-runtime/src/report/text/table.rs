//! Tables.

use super::paragraph;
use crate::process::{width, wrap};
use comfy_table::{ContentArrangement, Table, presets::ASCII_MARKDOWN};

/// How many lines stand above the first row.
pub(super) const HEADER_LINES: usize = 2;

/// Between two columns of a table that is fitted.
const GAP: usize = 2;

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

/// A table of so many columns, whose rows are in groups, each under its name: its lines. A cell that does not fit goes over several lines.
/// Every row has as many cells as the header.
pub fn grouped_table(header: &[&str], groups: &[(String, Vec<Vec<String>>)], columns: usize) -> Vec<String> {
    let header: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
    let rows = groups.iter().flat_map(|(_, rows)| rows);
    let widths = fitted(&rows.chain([&header]).collect::<Vec<_>>(), columns);
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let mut lines = row_lines(&header, &widths);
    lines.extend(row_lines(&rule, &widths));
    for (name, rows) in groups {
        lines.push(paragraph(name, columns));
        lines.extend(rows.iter().flat_map(|row| row_lines(row, &widths)));
    }
    lines
}

/// How wide the columns of a table are: as wide as their widest cells, if that fits. Else the widest column in which a space may be broken at
/// is narrowed, and where there is none, the widest.
fn fitted(rows: &[&Vec<String>], columns: usize) -> Vec<usize> {
    let count = rows.first().map_or(0, |row| row.len());
    let widest = |of: fn(&str) -> usize| -> Vec<usize> {
        (0..count).map(|index| rows.iter().map(|row| of(&row[index])).max().unwrap_or(0)).collect()
    };
    let mut widths = widest(width);
    let words = widest(|cell| cell.split(' ').map(width).max().unwrap_or(0));
    let room = columns.saturating_sub(GAP * count.saturating_sub(1)).max(count);
    while widths.iter().sum::<usize>() > room {
        let breakable = (0..count).filter(|&index| widths[index] > words[index]);
        let narrowed = breakable.max_by_key(|&index| widths[index]);
        let narrowed = narrowed.or((0..count).max_by_key(|&index| widths[index]));
        narrowed.into_iter().for_each(|index| widths[index] -= 1);
    }
    widths
}

/// A row: its lines.
fn row_lines(row: &[String], widths: &[usize]) -> Vec<String> {
    let cells: Vec<Vec<String>> =
        row.iter().zip(widths).map(|(cell, width)| wrap(cell, 0, 0, *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |index: usize| {
        let parts = cells.iter().zip(widths).map(|(cell, width)| {
            let part = cell.get(index).map_or("", String::as_str);
            format!("{part:<width$}")
        });
        parts.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn table(columns: usize) -> String {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let groups = [
            ("src/queue.rs".to_owned(), vec![row(["1", "push: head.store", "panic by push_pop"])]),
            ("src/stack.rs".to_owned(), vec![row(["200", "pop", ""])]),
        ];
        grouped_table(&["line", "operation", "what shows it"], &groups, columns).join("\n")
    }

    #[test]
    fn a_table_that_fits_has_a_line_a_row() {
        expect![[r#"
            line  operation         what shows it
            ----  ----------------  -----------------
            src/queue.rs
            1     push: head.store  panic by push_pop
            src/stack.rs
            200   pop"#]]
        .assert_eq(&table(100));
        assert_eq!(table(41), table(100));
    }

    #[test]
    fn cells_are_broken_at_spaces_first_and_where_they_must() {
        expect![[r#"
            line  operation   what shows
                              it
            ----  ----------  ----------
            src/queue.rs
            1     push:       panic by
                  head.store  push_pop
            src/stack.rs
            200   pop"#]]
        .assert_eq(&table(28));
        for columns in 12..60 {
            let text = table(columns);
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}\n{text}");
        }
    }
}
