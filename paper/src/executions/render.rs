//! The table as text: Markdown, which reads well in a terminal, too.

use super::row::Row;
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
            "specification lines",
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
            cells.extend([row.size.lines, row.size.ordering_points, row.size.methods].map(|n| n.to_string()));
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
    let structures: Vec<_> = structures(rows)
        .into_iter()
        .filter(|row| FIGURE_7.iter().any(|one| one.structure == row.structure))
        .collect();
    let sum = |of: fn(&Row) -> u64| structures.iter().map(|row| of(row)).sum::<u64>() as f64;
    let methods = sum(|row| row.size.methods);
    (sum(|row| row.size.lines) / structures.len() as f64, sum(|row| row.size.ordering_points) / methods)
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
