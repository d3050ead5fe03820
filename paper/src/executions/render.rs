//! The table as text: Markdown, which reads well in a terminal, too.

use super::row::Row;
use super::size::Size;
use super::{is_of, limit};
use crate::grid::grid;
use crate::published::{FIGURE_7, Published};
use std::fmt::Write;

/// The columns of a program that are fields of the example's JSON.
const FIELDS: [&str; 10] = [
    "program",
    "engine",
    "verdict",
    "executions",
    "complete_executions",
    "delayed_executions",
    "blocked",
    "inadmissible",
    "shapes",
    "histories",
];

/// All of it: programs, structures, sums.
pub(super) fn tables(rows: &[Row]) -> String {
    let programs = grid(
        &[
            "structure",
            "program",
            "engine",
            "verdict",
            "executions",
            "complete",
            "delayed",
            "blocked",
            "inadmissible",
            "shapes",
            "histories",
            "seconds",
            "bounds",
        ],
        &rows.iter().map(program_cells).collect::<Vec<_>>(),
    );
    let structures = grid(
        &[
            "structure",
            "programs",
            "executions",
            "feasible",
            "seconds",
            "code lines",
            "specification lines",
            "admissibility lines",
            "ordering points",
            "methods",
            "paper: executions (feasible)",
            "paper: seconds",
        ],
        &structure_cells(rows),
    );
    format!("{programs}\n{structures}\n{}", sums(rows))
}

fn program_cells(row: &Row) -> Vec<String> {
    let mut cells = vec![row.structure.clone()];
    cells.extend(FIELDS.map(|field| row.text(field)));
    cells.push(format!("{:.3}", row.seconds()));
    cells.push(row.bounds());
    cells
}

fn structure_cells(rows: &[Row]) -> Vec<Vec<String>> {
    let published = |name: &str| FIGURE_7.iter().find(|one| one.structure == name);
    structures(rows)
        .into_iter()
        .map(|row| {
            let mut cells = vec![row.structure.clone()];
            cells.extend(sum_cells(rows, &row.structure));
            let Size { lines, ordering_points, methods, admissibility, code } = row.size;
            cells.extend([code, lines, admissibility, ordering_points, methods].map(|n| n.to_string()));
            cells.extend(match published(&row.structure) {
                Some(Published { executions: [all, feasible], seconds, .. }) => {
                    [format!("{all} ({feasible})"), format!("{seconds:.2}")]
                }
                None => [String::new(), String::new()],
            });
            cells
        })
        .collect()
}

/// The row of a structure in the paper's figure: how many programs there are, their executions, the feasible ones, and seconds.
fn sum_cells(rows: &[Row], structure: &str) -> [String; 4] {
    let is_in = |row: &&Row| row.structure == structure && row.text("engine") == "rc11" && row.holds();
    let of_structure = || rows.iter().filter(is_in);
    let sum = |key: &str| of_structure().map(|row| row.count(key)).sum::<u64>();
    let seconds = of_structure().fold(0.0, |sum, row| sum + row.seconds());
    let feasible = sum("complete_executions") - sum("delayed_executions");
    [
        of_structure().count().to_string(),
        sum("executions").to_string(),
        feasible.to_string(),
        format!("{seconds:.3}"),
    ]
}

/// One row of each structure, in order.
fn structures(rows: &[Row]) -> Vec<&Row> {
    let mut firsts: Vec<&Row> = Vec::new();
    for row in rows {
        if firsts.iter().all(|first| first.structure != row.structure) {
            firsts.push(row);
        }
    }
    firsts
}

/// What the issue of all this is: how much there is to write, and how long it takes.
fn sums(rows: &[Row]) -> String {
    let mut text = String::new();
    let (lines, points) = averages(rows);
    let add = |text: &mut String, line: String| {
        writeln!(text, "{line}").expect("writing to a string does not fail");
    };
    add(
        &mut text,
        format!("- specification lines of a structure of the paper, on average: {lines:.1} (paper: 11.5)"),
    );
    add(&mut text, format!("- ordering points of a method, on average: {points:.2} (paper: 1.22)"));
    let (code, rules) = (sum_of(rows, |size| size.code), sum_of(rows, |size| size.admissibility));
    add(
        &mut text,
        format!(
            "- lines of the structures of the paper: {code} of code (paper: 1253), {rules} of admissibility (paper: 7)"
        ),
    );
    let published: f64 = FIGURE_7.iter().map(|one| one.seconds).sum();
    for engine in engines(rows) {
        let [figure, all] = limit::seconds_of(&engine, rows);
        add(
            &mut text,
            format!(
                "- on {engine}: the programs of figure 7 take {figure:.2} s (paper: {published:.2} s), all {all:.2} s"
            ),
        );
    }
    text
}

/// Lines of a structure, and ordering points of a method: those of the paper only.
pub(super) fn averages(rows: &[Row]) -> (f64, f64) {
    let sum = |of: fn(Size) -> u64| sum_of(rows, of) as f64;
    let methods = sum(|size| size.methods);
    let count = of_paper(rows).count() as f64;
    (sum(|size| size.lines) / count, sum(|size| size.ordering_points) / methods)
}

/// A sum over the structures of the paper.
fn sum_of(rows: &[Row], of: fn(Size) -> u64) -> u64 {
    of_paper(rows).map(|row| of(row.size)).sum()
}

/// One row of each structure of the paper.
fn of_paper(rows: &[Row]) -> impl Iterator<Item = &Row> {
    let is_published = |row: &&Row| FIGURE_7.iter().any(|one| one.structure == row.structure);
    structures(rows).into_iter().filter(is_published)
}

/// Whether it is one of the programs that the paper measured.
pub(super) fn is_in_figure(row: &Row) -> bool {
    FIGURE_7.iter().any(|published| is_of(row, published))
}

fn engines(rows: &[Row]) -> Vec<String> {
    let mut engines: Vec<String> = Vec::new();
    for row in rows {
        let engine = row.text("engine");
        if !engines.contains(&engine) {
            engines.push(engine);
        }
    }
    engines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_of_a_structure_sums_its_programs_that_hold_on_rc11() {
        let row = |program: &str, engine: &str, verdict: &str| {
            let line = serde_json::json!({
                "program": program, "engine": engine, "verdict": verdict, "executions": 9, "complete_executions": 7,
                "delayed_executions": 2, "seconds": 0.25,
            });
            Row::of("rcu", &line.to_string(), Size::default()).unwrap().unwrap()
        };
        let rows = [
            row("a", "rc11", "holds"),
            row("b", "rc11", "holds"),
            row("c", "rc11", "race"),
            row("a", "loom", "holds_within"),
        ];
        assert_eq!(sum_cells(&rows, "rcu"), ["2", "18", "10", "0.500"]);
        assert_eq!(sum_cells(&rows, "seqlock"), ["0", "0", "0", "0.000"]);
    }
}
