//! What reports say may help: texts, exact.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod freed;
mod integer;
mod lock;
mod order;

use cdsspec::Builder;
use std::collections::BTreeMap;

/// The report of a program, whose texts may go over several lines, line by line.
fn report(program: fn()) -> String {
    Builder::new().name("program").check(program).report().to_owned()
}

/// The rows of a report with one of these labels, each in a line, in order; places are letters.
fn rows(report: &str, labels: &[&str]) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    let mut is_in = false;
    for line in report.lines() {
        let Some(indented) = line.strip_prefix("  ") else {
            is_in = false;
            continue;
        };
        if indented.starts_with(' ') && is_in {
            let row = rows.last_mut().expect("a row goes on");
            row.push(' ');
            row.push_str(indented.trim());
        } else {
            let label = labels.iter().find(|label| indented.starts_with(&format!("{label}  ")));
            is_in = label.is_some();
            rows.extend(label.map(|label| format!("{label}: {}", indented[label.len()..].trim())));
        }
    }
    let letters = letters(&rows);
    rows.iter().map(|row| with_places(row, &letters)).collect()
}

/// Lines move with what is above them: the places in some rows, by letters in the order in which they stand in the source.
fn letters(rows: &[String]) -> BTreeMap<(String, u32), char> {
    let places = rows.iter().flat_map(|row| row.split_whitespace()).filter_map(place);
    let mut letters: BTreeMap<_, _> = places.map(|place| (place, ' ')).collect();
    letters.values_mut().zip('A'..='Z').for_each(|(letter, name)| *letter = name);
    letters
}

fn place(word: &str) -> Option<(String, u32)> {
    let (file, line) = word.trim_end_matches([',', ';', ':']).rsplit_once(':')?;
    Some((file.rsplit('/').next()?.to_owned(), line.parse().ok()?))
}

fn with_places(row: &str, letters: &BTreeMap<(String, u32), char>) -> String {
    let word = |word: &str| match place(word) {
        Some(known) => {
            let end = &word[word.trim_end_matches([',', ';', ':']).len()..];
            format!("{}{end}", letters[&known])
        }
        None => word.to_owned(),
    };
    row.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}
