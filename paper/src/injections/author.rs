//! What the paper's authors injected, and the row of the figure that is the same: written by hand, beside the table.

use super::injection::Injection;
use super::markdown;
use crate::grid::grid;
use crate::published::FIGURE_8;

/// Where they are: a table in Markdown with the columns of [`Original`].
const FILE: &str = "docs/authors.md";

/// The word of a weakening that their tool misses.
const MISSED: &str = "missed";

/// An injection of the authors, and the row that is the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Original {
    /// Where it stands in the file.
    place: String,
    structure: String,
    /// From 1, or `known bug N`, which is none of the injections.
    number: String,
    /// Where, in their words.
    operation: String,
    /// The orders, in their words.
    weakened: String,
    /// How their tool finds it.
    found_as: String,
    /// The operation and the step here; the step is empty if there is no such row, and the operation then says why.
    here: (String, String),
}

impl Original {
    fn of(row: markdown::Row<7>) -> Result<Self, String> {
        let place = row.place;
        if let Some(index) = row.cells[..6].iter().position(String::is_empty) {
            return Err(format!("{place}: cell {} is empty", index + 1));
        }
        let [structure, number, operation, weakened, found_as, here, step] = row.cells;
        Ok(Self { place, structure, number, operation, weakened, found_as, here: (here, step) })
    }

    fn is_injection(&self) -> bool {
        self.number.parse::<u32>().is_ok()
    }

    fn is_found_by_them(&self) -> bool {
        self.found_as != MISSED
    }
}

/// The authors' injections beside the rows that are the same.
pub(super) struct Joined<'a>(Vec<(Original, Option<&'a Injection>)>);

/// Reads them.
///
/// # Errors
/// A file that cannot be read, or a row that is not as it should be.
pub(super) fn read() -> Result<Vec<Original>, String> {
    markdown::read(FILE)?.into_iter().map(Original::of).collect()
}

/// Puts the rows beside them.
///
/// # Errors
/// A row that is named and does not exist; other numbers of injections, or of those found, than figure 8 of the paper has.
pub(super) fn join(originals: Vec<Original>, rows: &[Injection]) -> Result<Joined<'_>, String> {
    let mut mistakes = counted(&originals);
    let mut joined = Vec::new();
    for original in originals {
        let (operation, step) = &original.here;
        let row = rows.iter().find(|row| row.is_called(&original.structure, operation, step));
        if row.is_none() && !step.is_empty() {
            let Original { place, structure, .. } = &original;
            mistakes.push(format!("{place}: there is no row {structure} | {operation} | {step}"));
        }
        joined.push((original, row));
    }
    if mistakes.is_empty() { Ok(Joined(joined)) } else { Err(mistakes.join("\n")) }
}

/// Where the file has other numbers than the paper.
fn counted(originals: &[Original]) -> Vec<String> {
    let mut mistakes = Vec::new();
    for (structure, [built_in, inadmissible, assertion, all]) in FIGURE_8 {
        let of_structure = || originals.iter().filter(|one| one.structure == structure && one.is_injection());
        let found = of_structure().filter(|one| one.is_found_by_them()).count();
        let expected = ((built_in + inadmissible + assertion) as usize, all as usize);
        if (found, of_structure().count()) != expected {
            let (found_in_paper, all) = expected;
            mistakes.push(format!(
                "{FILE}: {structure}: {found} of {} injections found; the paper has {found_in_paper} of {all}",
                of_structure().count()
            ));
        }
    }
    mistakes
}

impl Joined<'_> {
    /// How many are found here, of all that `is_counted`: `51 of 53`.
    fn count(&self, is_counted: impl Fn(&Original) -> bool) -> String {
        let counted: Vec<_> = self.0.iter().filter(|(original, _)| is_counted(original)).collect();
        let found = counted.iter().filter(|(_, row)| row.is_some_and(Injection::is_found)).count();
        format!("{found} of {}", counted.len())
    }

    /// The table, below what it comes to.
    pub(super) fn text(&self) -> String {
        let by_both = self.count(|original| original.is_injection() && original.is_found_by_them());
        let all = self.count(Original::is_injection);
        let known = self.count(|original| !original.is_injection());
        let header = [
            "structure",
            "#",
            "operation",
            "weakened",
            "their tool",
            "operation here",
            "step",
            "here",
            "alone",
        ];
        let table = grid(&header, &self.0.iter().map(cells).collect::<Vec<_>>());
        format!(
            "Of those that the authors' tool finds {by_both} are found here, of all their injections {all}, of the known bugs {known}.\n\n{table}"
        )
    }
}

fn cells((original, row): &(Original, Option<&Injection>)) -> Vec<String> {
    let result = match row {
        Some(row) if row.is_survivor() && row.is_needed() => format!("{}: needed", row.result()),
        Some(row) if row.is_survivor() => format!("{}: not needed", row.result()),
        Some(row) => row.result(),
        None => "no such row".to_owned(),
    };
    let alone = row.and_then(|row| row.alone.as_ref()).map(|alone| alone.text.clone());
    let Original { structure, number, operation, weakened, found_as, here, .. } = original.clone();
    vec![structure, number, operation, weakened, found_as, here.0, here.1, result, alone.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::super::injection::tests::row;
    use super::*;

    fn original(number: &str, found_as: &str, here: &str, step: &str) -> Original {
        let cells = ["a", number, "f: load", "acq to rlx", found_as, here, step].map(str::to_owned);
        Original::of(markdown::Row { place: "f.md:1".to_owned(), cells }).unwrap()
    }

    /// The file has all injections of the paper, and finds as many as the paper does.
    #[test]
    fn the_file_has_the_numbers_of_the_paper() {
        let originals = read().unwrap();
        assert_eq!(counted(&originals), [""; 0]);
        let is = |is: fn(&Original) -> bool| originals.iter().filter(|one| is(one)).count();
        assert_eq!(is(Original::is_injection), 57);
        assert_eq!(is(|one| one.is_injection() && one.is_found_by_them()), 53);
        assert_eq!(is(|one| !one.is_injection()), 3);
        let short = counted(&originals[1..]);
        let line = "docs/authors.md: chase_lev_deque: 6 of 6 injections found; the paper has 7 of 7";
        assert_eq!(short, [line]);
    }

    #[test]
    fn a_row_that_is_named_must_exist() {
        let rows = [row("found")];
        let named = |operation| vec![original("1", "condition", operation, "Acquire -> Relaxed")];
        let mistake = |originals| join(originals, &rows).err().unwrap_or_default();
        let absent = "f.md:1: there is no row a | f: y.load | Acquire -> Relaxed";
        assert!(mistake(named("f: y.load")).contains(absent));
        assert!(!mistake(named("f: x.load")).contains("there is no row"));
        let without = vec![original("1", "condition", "written otherwise", "")];
        assert!(!mistake(without).contains("there is no row"));
    }

    #[test]
    fn what_their_tool_misses_counts_only_among_all() {
        let (found, survived) = (row("found"), row("survived"));
        let joined = Joined(vec![
            (original("1", "condition", "f: x.load", "Acquire -> Relaxed"), Some(&found)),
            (original("2", "never ends", "f: x.load", "Acquire -> Relaxed"), Some(&survived)),
            (original("3", MISSED, "f: x.load", "Acquire -> Relaxed"), Some(&found)),
            (original("known bug 1", "unjustified", "none", ""), None),
        ]);
        let text = joined.text();
        let line = "finds 1 of 2 are found here, of all their injections 2 of 3, of the known bugs 0 of 1.";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("survived: needed") && text.contains("no such row"), "{text}");
    }
}
