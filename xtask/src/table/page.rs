//! Whether a page of `docs/` is still what would be written, but for the times.

use crate::Outcome;
use crate::source::root;

/// The page says what this one would say, which the table of this name computes.
///
/// # Errors
/// The first line that differs, or that there is no such page.
pub(super) fn check(name: &str, computed: &str, table: &str) -> Outcome {
    let path = root().join("docs").join(name);
    let written = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    match difference(&written, computed) {
        None => Ok(()),
        Some([written, computed]) => Err(format!(
            "docs/{name} is not what is computed\n  written   {written}\n  computed  {computed}\n\
             `cargo xtask table {table} --markdown` writes it anew: look at the difference"
        )),
    }
}

/// The first line that differs, in each of the two pages.
fn difference(written: &str, computed: &str) -> Option<[String; 2]> {
    let [written, computed] = [written, computed].map(without_times);
    let line = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or("(nothing)".to_owned());
    (0..written.len().max(computed.len()))
        .find(|&index| written.get(index) != computed.get(index))
        .map(|index| [line(&written, index), line(&computed, index)])
}

/// The lines of a page without what differs from run to run: the column `seconds` of its tables, and the sums of times.
fn without_times(page: &str) -> Vec<String> {
    let mut is_in_table = false;
    let mut seconds_column = None;
    let mut lines = Vec::new();
    for line in page.lines() {
        if !line.starts_with('|') {
            is_in_table = false;
            let is_sum = line.starts_with("- on ");
            let kept = line.split(" take ").next().filter(|_| is_sum).unwrap_or(line);
            lines.push(kept.to_owned());
            continue;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if !is_in_table {
            is_in_table = true;
            seconds_column = cells.iter().position(|&cell| cell == "seconds");
        }
        let kept = cells.iter().enumerate().filter(|(index, _)| Some(*index) != seconds_column);
        lines.push(kept.map(|(_, &cell)| cell).collect::<Vec<_>>().join("|"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
| program | shapes | seconds | bounds |
| ------- | -----: | ------: | ------ |
| twice   |      6 |   0.001 |        |

| structure   | paper: seconds |
| ----------- | -------------: |
| ticket_lock |           0.17 |

- programs take 3 lines
- on rc11: the programs of figure 7 take 0.64 s (paper: 21.88 s), all 0.90 s
";

    #[test]
    fn a_page_with_other_times_is_the_same() {
        let slower = PAGE
            .replace("| seconds |", "|  seconds |")
            .replace("| ------: |", "| -------: |")
            .replace("|   0.001 |", "| 1234.001 |")
            .replace("0.64 s (paper: 21.88 s), all 0.90 s", "1.64 s (paper: 21.88 s), all 1.90 s");
        assert_ne!(slower, PAGE);
        assert_eq!(difference(PAGE, &slower), None);
    }

    #[test]
    fn whatever_else_differs_is_named() {
        for (old, new) in
            [("     6", "     7"), ("0.17", "0.18"), ("on rc11", "on loom"), ("take 3", "take 4")]
        {
            let other = PAGE.replace(old, new);
            let [written, computed] = difference(PAGE, &other).expect(old);
            assert!(written.contains(old.trim()) && computed.contains(new.trim()), "{written} {computed}");
        }
        let shorter = PAGE.replace("- programs take 3 lines\n", "");
        assert!(difference(PAGE, &shorter).is_some());
        let longer = format!("{PAGE}more\n");
        assert_eq!(difference(PAGE, &longer), Some(["(nothing)".to_owned(), "more".to_owned()]));
    }
}
