//! The figure as text: Markdown, which reads well in a terminal, too.

use super::Figure;
use super::author::Joined;
use super::injection::{CLASSES, Injection};
use crate::grid::grid;
use crate::published::FIGURE_8;

/// The columns of the table of sums, without those that are only there with both runs.
const HEADER: [&str; 9] = [
    "structure",
    "injections",
    "built-in",
    "inadmissible",
    "violated",
    "blocked",
    "found",
    "rate",
    "rate of needed",
];

/// The table of sums, and every injection.
pub(super) fn tables(figure: &Figure) -> String {
    let rows = &figure.rows;
    let has_alone = rows.iter().any(|row| row.alone.is_some());
    let mut cells: Vec<Vec<String>> = structures_of(rows)
        .into_iter()
        .map(|name| {
            let of_structure: Vec<_> = rows.iter().filter(|row| row.text("structure") == name).collect();
            sum_cells(&name, &of_structure, has_alone, paper(&name))
        })
        .collect();
    let is_published = |row: &&Injection| !paper(&row.text("structure")).is_empty();
    let published: Vec<_> = rows.iter().filter(is_published).collect();
    let sums =
        FIGURE_8.iter().fold([0; 4], |sums, (_, of)| std::array::from_fn(|index| sums[index] + of[index]));
    cells.push(sum_cells("all of the paper", &published, has_alone, figures(sums)));
    cells.push(sum_cells("all", &rows.iter().collect::<Vec<_>>(), has_alone, String::new()));
    let alone = has_alone.then_some("specification alone");
    let paper = "paper: built-in / inadmissible / assertion of all";
    let header: Vec<&str> = HEADER.into_iter().chain(alone).chain([paper]).collect();
    let header_of_all: Vec<&str> =
        ["place", "operation", "step", "found", "first finding", "program", "executions"]
            .into_iter()
            .chain(alone)
            .collect();
    let all = grid(&header_of_all, &rows.iter().map(|row| detail_cells(row, has_alone)).collect::<Vec<_>>());
    let blame = blame(rows);
    format!("{}\n{blame}\n## Every injection\n\n{all}", grid(&header, &cells))
}

/// How well reports name the order that was weakened.
fn blame(rows: &[Injection]) -> String {
    let ranks: Vec<u64> = rows.iter().filter_map(Injection::blamed).collect();
    let count = |is: fn(u64) -> bool| ranks.iter().filter(|&&rank| is(rank)).count();
    let (named, first) = (count(|rank| rank > 0), count(|rank| rank == 1));
    format!(
        "Of the {} orders that were weakened and found, the row `cause` of the report names {named}, {first} of them alone or first.\n",
        ranks.len()
    )
}

/// What is there with the reasons only: the authors' injections, and the survivors.
pub(super) fn comparison(figure: &Figure, joined: &Joined<'_>) -> String {
    let survivors: Vec<_> = figure.rows.iter().filter_map(survivor_cells).collect();
    let together: String = figure.together.iter().map(together_line).collect();
    let survivors = grid(&["structure", "operation", "step", "needed", "reason"], &survivors);
    format!(
        "## The authors' injections\n\n{}\n## Survivors\n\n{survivors}\nAll survivors of a structure at once:\n\n{together}",
        joined.text()
    )
}

fn together_line(row: &Injection) -> String {
    let (structure, survivors, executions) =
        (row.text("structure"), row.text("survivors"), row.text("executions"));
    format!(
        "- {structure}: with {survivors} survivors at once all programs hold, after {executions} executions\n"
    )
}

fn sum_cells(name: &str, rows: &[&Injection], has_alone: bool, paper: String) -> Vec<String> {
    let count = |is: &dyn Fn(&Injection) -> bool| rows.iter().filter(|row| is(row)).count();
    let found = count(&Injection::is_found);
    let needed = count(&Injection::is_needed);
    let mut cells = vec![name.to_owned(), rows.len().to_string()];
    cells.extend(CLASSES.map(|class| count(&|row| row.is_of(class)).to_string()));
    cells.extend([found.to_string(), rate(found, rows.len()), rate(found, needed)]);
    let is_found_alone = |row: &Injection| row.alone.as_ref().is_some_and(|alone| alone.is_found);
    cells.extend(has_alone.then(|| count(&is_found_alone).to_string()));
    cells.push(paper);
    cells
}

fn rate(found: usize, all: usize) -> String {
    if all == 0 { "-".to_owned() } else { format!("{:.0}%", 100.0 * found as f64 / all as f64) }
}

fn paper(structure: &str) -> String {
    let known = FIGURE_8.iter().find(|(name, _)| *name == structure);
    known.map(|(_, of)| figures(*of)).unwrap_or_default()
}

fn figures([built_in, inadmissible, assertion, all]: [u32; 4]) -> String {
    format!("{built_in} / {inadmissible} / {assertion} of {all}")
}

/// The structures, in order.
fn structures_of(rows: &[Injection]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().map(|row| row.text("structure")).collect();
    names.dedup();
    names
}

pub(super) fn detail_cells(row: &Injection, has_alone: bool) -> Vec<String> {
    let verdict = if row.is_found() { row.text("verdict") } else { String::new() };
    let mut cells = vec![row.text("place"), row.text("operation"), row.step(), row.result(), verdict];
    cells.extend([row.text("program"), row.text("executions")]);
    cells.extend(has_alone.then(|| row.alone.as_ref().map(|alone| alone.text.clone()).unwrap_or_default()));
    cells
}

fn survivor_cells(row: &Injection) -> Option<Vec<String>> {
    let reason = row.reason.as_ref()?;
    let needed = if reason.is_needed { "yes" } else { "no" };
    Some(vec![
        row.text("structure"),
        row.text("operation"),
        row.step(),
        needed.to_owned(),
        reason.text.clone(),
    ])
}

/// Above the tables.
pub(super) const INTRODUCTION: &str = "\
# Figure 8, computed

Every memory order that the programs of the structures exercise, weakened by one step at a time (CDSSpec, Ou and Demsky, PPoPP 2017, section
6.4.2). `cargo xtask table injections --markdown` writes this page, and `cargo xtask ci` fails if it is another.

- steps: `SeqCst` to `AcqRel`, of a store to `Release`, of a load to `Acquire`; `AcqRel` to `Release` and to `Acquire`; these to `Relaxed`. The orders of a
  compare-exchange on success and on failure are weakened apart. A fence is also left out (`none`).
- found: in the class of the paper, over all programs, and up to 10,000 executions of each. built-in: some execution shows it without a specification: a race,
  a panic, a use of memory that is uninitialised or freed. inadmissible: none does, but calls are unordered that a rule wants ordered. violated:
  neither, but the specification does not hold. blocked: all that shows is that threads wait for ever; the paper's tool does not end there.
- first finding, program, executions: the verdict that stops a run at the first finding, the program that has it, and after how many
  executions; of survivors, all executions of all programs that reach the place.
- specification alone: what is found with the verdicts on memory switched off (`--uninitialised off --freed off`). In brackets: a race or a
  panic, which cannot be switched off, ends every execution that would show it, before the specification is asked.
- rate: of all. rate of needed: of those whose order is needed under the memory model that is checked, RC11 with the release sequences of
  C++20; why the others are not is in the last table, from `docs/survivors.md`, where it is written by hand. All survivors of a structure
  are also run at once: that the programs hold then is checked whenever this page is.
- The paper weakened the places that its authors chose, and no failure orders; here it is every place that the programs reach.
  `docs/authors.md` says which rows are theirs. `atomic_register` and `relaxed_counter` have no row: their orders are all relaxed.
";
