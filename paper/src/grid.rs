//! A table in Markdown.

/// Columns as wide as they must be; numbers to the right.
pub(crate) fn grid(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].len());
        cells.chain([header[column].len()]).max().unwrap_or(0)
    };
    let is_number = |column: usize| {
        rows.iter().all(|row| {
            row[column].starts_with(|first: char| first.is_ascii_digit()) || row[column].is_empty()
        })
    };
    let widths: Vec<(usize, bool)> =
        (0..header.len()).map(|column| (width(column), is_number(column))).collect();
    let line = |cells: Vec<&str>| {
        let padded: Vec<String> = cells
            .iter()
            .zip(&widths)
            .map(
                |(cell, &(width, right))| {
                    if right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
                },
            )
            .collect();
        format!("| {} |\n", padded.join(" | "))
    };
    let mut text = line(header.to_vec());
    let rules: Vec<String> = widths
        .iter()
        .map(|&(width, right)| if right { format!("{}:", "-".repeat(width - 1)) } else { "-".repeat(width) })
        .collect();
    text.push_str(&line(rules.iter().map(String::as_str).collect()));
    for row in rows {
        text.push_str(&line(row.iter().map(String::as_str).collect()));
    }
    text
}
