//! The pages of `docs/` that are computed: they are written, and held against what would be written, but for the times.

use crate::Outcome;
use crate::source::root;
use std::path::PathBuf;

/// A page of `docs/`.
pub(crate) struct Page {
    /// Its file.
    pub(crate) file: &'static str,
    /// The table that it has, as the command line calls it.
    pub(crate) table: &'static str,
    /// What stands above the table.
    pub(crate) introduction: &'static str,
    /// The columns that are not compared.
    pub(crate) uncompared: &'static [&'static str],
}

impl Page {
    fn path(&self) -> PathBuf {
        root().join("docs").join(self.file)
    }

    fn text(&self, tables: &str) -> String {
        format!("{}\n{tables}", self.introduction)
    }

    /// Writes it.
    ///
    /// # Errors
    /// That it cannot be written.
    pub(crate) fn write(&self, tables: &str) -> Outcome {
        let path = self.path();
        std::fs::write(&path, self.text(tables)).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("\nwritten to {}", path.display());
        Ok(())
    }

    /// It says what it would say with these tables, but for the times.
    ///
    /// # Errors
    /// The first line that differs, or that there is no such page.
    pub(crate) fn check(&self, tables: &str) -> Outcome {
        let path = self.path();
        let written =
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        match difference(&written, &self.text(tables), self.uncompared) {
            None => Ok(()),
            Some([written, computed]) => Err(format!(
                "docs/{} is not what is computed\n  written   {written}\n  computed  {computed}\n\
                 `cargo run --release -p paper -- {} --markdown` writes it anew: look at the difference",
                self.file, self.table
            )),
        }
    }
}

/// The first line that differs, in each of the two pages.
fn difference(written: &str, computed: &str, uncompared: &[&str]) -> Option<[String; 2]> {
    let [written, computed] = [written, computed].map(|page| without_times(page, uncompared));
    let line = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or("(nothing)".to_owned());
    (0..written.len().max(computed.len()))
        .find(|&index| written.get(index) != computed.get(index))
        .map(|index| [line(&written, index), line(&computed, index)])
}

/// What rows, and sums, begin or end with whose counts differ from build to build: which first rounds of a loop can be told from none depends
/// on what the compiler leaves on the stack. That these programs are over is checked by kind.
const EXCESS: [&str; 2] = ["over", "open"];

/// A column that says how a program compares, and those that have its counts.
const COMPARED: [(&str, &[&str]); 2] = [
    ("comparison", &["complete", "delayed", "blocked", "explored"]),
    ("assumed: comparison", &["assumed: complete", "assumed: blocked"]),
];

/// Columns of times.
const TIMES: [&str; 2] = ["seconds", "assumed: seconds"];

/// The lines of a page without what differs from run to run, or from build to build: the counts of programs that are over, the columns of
/// times, and the sums of times.
fn without_times(page: &str, uncompared: &[&str]) -> Vec<String> {
    let mut header: Option<Vec<&str>> = None;
    let mut lines = Vec::new();
    for line in page.lines() {
        if !line.starts_with('|') {
            header = None;
            if EXCESS.iter().any(|word| line.strip_prefix("- ").is_some_and(|rest| rest.starts_with(word))) {
                continue;
            }
            let is_sum = line.starts_with("- on ");
            let kept = line.split(" take ").next().filter(|_| is_sum).unwrap_or(line);
            lines.push(kept.to_owned());
            continue;
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let header = header.get_or_insert_with(|| cells.clone());
        lines.push(compared(header, &cells, uncompared));
    }
    lines
}

/// The cells of a row that are compared.
fn compared(header: &[&str], cells: &[&str], uncompared: &[&str]) -> String {
    let is_over = |cell: &str| EXCESS.iter().any(|word| cell.starts_with(word));
    let varies = |column: &str| {
        TIMES.contains(&column)
            || uncompared.contains(&column)
            || COMPARED.iter().any(|(comparison, counts)| {
                let cell = header.iter().position(|other| other == comparison).map(|index| cells[index]);
                cell.is_some_and(is_over) && (counts.contains(&column) || column == *comparison)
            })
    };
    let kept = header.iter().zip(cells).filter(|(column, _)| !varies(column));
    kept.map(|(_, cell)| *cell).collect::<Vec<_>>().join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference_of(written: &str, computed: &str) -> Option<[String; 2]> {
        difference(written, computed, &[])
    }

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
        assert_eq!(difference_of(PAGE, &slower), None);
    }

    #[test]
    fn counts_of_programs_that_are_over_are_not_compared() {
        let page = "| program | complete | comparison |\n|---|---|---|\n| spin | 7 | over by delayed |\n- over: 1 of 2: spin\n";
        assert_eq!(difference_of(page, &page.replace(" 7 ", " 9 ").replace("by delayed", "at least")), None);
        assert!(difference_of(page, &page.replace("| spin |", "| lock |")).is_some());
        assert!(difference_of(page, &page.replace("over by delayed", "within")).is_some());
        let within = page.replace("over by delayed", "within");
        assert!(difference_of(&within, &within.replace(" 7 ", " 9 ")).is_some());
    }

    #[test]
    fn columns_of_a_page_that_are_not_compared_may_differ() {
        let other = PAGE.replace("|      6 |", "|      7 |");
        assert!(difference_of(PAGE, &other).is_some());
        assert_eq!(difference(PAGE, &other, &["shapes"]), None);
        assert!(difference(PAGE, &PAGE.replace("twice", "thrice"), &["shapes"]).is_some());
    }

    #[test]
    fn whatever_else_differs_is_named() {
        for (old, new) in
            [("     6", "     7"), ("0.17", "0.18"), ("on rc11", "on loom"), ("take 3", "take 4")]
        {
            let other = PAGE.replace(old, new);
            let [written, computed] = difference_of(PAGE, &other).expect(old);
            assert!(written.contains(old.trim()) && computed.contains(new.trim()), "{written} {computed}");
        }
        let shorter = PAGE.replace("- programs take 3 lines\n", "");
        assert!(difference_of(PAGE, &shorter).is_some());
        let longer = format!("{PAGE}more\n");
        assert_eq!(difference_of(PAGE, &longer), Some(["(nothing)".to_owned(), "more".to_owned()]));
    }
}
