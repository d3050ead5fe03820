//! Tables in Markdown that are written by hand and read by a chore.

use crate::source::root;

/// Reads a file of the repository that has one table of so many columns.
///
/// # Errors
/// A file that cannot be read, or a row with another number of cells.
pub(super) fn read<const COLUMNS: usize>(file: &str) -> Result<Vec<Row<COLUMNS>>, String> {
    let path = root().join(file);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(file, &text)
}

/// A row and where it stands.
#[derive(Debug)]
pub(super) struct Row<const COLUMNS: usize> {
    /// `docs/survivors.md:12`
    pub(super) place: String,
    pub(super) cells: [String; COLUMNS],
}

/// The rows below the header.
///
/// # Errors
/// A row with another number of cells.
pub(super) fn parse<const COLUMNS: usize>(file: &str, text: &str) -> Result<Vec<Row<COLUMNS>>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| line.starts_with('|'));
    let rows = lines.map(|(index, line)| {
        let place = format!("{file}:{}", index + 1);
        match cells(line) {
            Some(cells) => Ok(Row { place, cells }),
            None => Err(format!("{place}: expected {COLUMNS} cells between bars: {line}")),
        }
    });
    let rows: Vec<Row<COLUMNS>> = rows.collect::<Result<_, _>>()?;
    Ok(rows.into_iter().skip(2).collect())
}

fn cells<const COLUMNS: usize>(line: &str) -> Option<[String; COLUMNS]> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<String> = inner.split('|').map(|cell| cell.trim().to_owned()).collect();
    cells.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_what_is_below_its_header() {
        let text = "# Words\n\n| a | b |\n| - | - |\n| 1 |  |\n| 2 | x y |\n";
        let rows: Vec<Row<2>> = parse("f.md", text).unwrap();
        let found: Vec<_> =
            rows.iter().map(|row| (row.place.as_str(), [&*row.cells[0], &*row.cells[1]])).collect();
        assert_eq!(found, [("f.md:5", ["1", ""]), ("f.md:6", ["2", "x y"])]);
    }

    #[test]
    fn a_row_with_another_number_of_cells_is_a_mistake() {
        for row in ["| 1 |", "| 1 | 2 | 3 |", "| 1 | 2"] {
            let error = parse::<2>("f.md", &format!("| a | b |\n| - | - |\n{row}\n")).unwrap_err();
            assert_eq!(error, format!("f.md:3: expected 2 cells between bars: {row}"));
        }
    }
}
