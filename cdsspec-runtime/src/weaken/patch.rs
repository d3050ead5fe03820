//! Other orders, as a patch of the source in unified form.

use super::source::Sources;
use crate::port::{Overrides, Replacement};
use crate::record::{Orders, Place};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// What becomes of the lines of one file: by their index, the lines that stand there instead.
type Edits = BTreeMap<usize, Vec<String>>;

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 3;

/// A patch of the source.
#[derive(Default)]
pub(super) struct Patch {
    /// In unified form.
    pub(super) text: String,
    /// The places that it leaves as they are, since they do not read as a call with its orders where they belong.
    pub(super) left_out: Vec<Place>,
}

/// The overrides as a patch.
pub(super) fn unified(overrides: &Overrides) -> Patch {
    let mut sources = Sources::default();
    let mut by_file: BTreeMap<&'static str, Vec<(&Place, &Replacement)>> = BTreeMap::new();
    for (place, replacement) in overrides.iter() {
        by_file.entry(place.source.file).or_default().push((place, replacement));
    }
    let mut patch = Patch::default();
    for (file, places) in by_file {
        let lines = sources.lines(file).unwrap_or_default();
        let mut edits = Edits::new();
        // The last one of a line first: the columns of the others stay what they are.
        for (place, replacement) in places.into_iter().rev() {
            match edit(lines, edits.clone(), place, replacement) {
                Some(edited) => edits = edited,
                None => patch.left_out.push(*place),
            }
        }
        patch.text.push_str(&file_patch(file, lines, &edits));
    }
    patch.left_out.sort_by_key(Place::sort_key);
    patch
}

fn edit(lines: &[String], mut edits: Edits, place: &Place, replacement: &Replacement) -> Option<Edits> {
    let index = (place.source.line as usize).checked_sub(1)?;
    let line = lines.get(index)?;
    let indent: String = line.chars().take_while(|character| character.is_whitespace()).collect();
    match replacement.orders {
        None => {
            let before = line.chars().take(place.source.column as usize - 1);
            let is_statement = line.trim_end().ends_with(");") && before.into_iter().all(char::is_whitespace);
            if !is_statement {
                return None;
            }
            edits.insert(index, Vec::new());
        }
        Some(orders) if orders != place.orders => {
            replace_orders(lines, &mut edits, place, orders)?;
        }
        Some(_) => {}
    }
    let fence = |order: Ordering| format!("{indent}cdsspec::sync::atomic::fence({});", path_of(order));
    if let Some(order) = replacement.fence_before {
        edits.entry(index).or_insert_with(|| vec![line.clone()]).insert(0, fence(order));
    }
    if let Some(order) = replacement.fence_after {
        edits.entry(index).or_insert_with(|| vec![line.clone()]).push(fence(order));
    }
    Some(edits)
}

fn path_of(order: Ordering) -> String {
    format!("std::sync::atomic::Ordering::{order:?}")
}

/// An argument of a call: its line, and from which to which character.
type Argument = (usize, usize, usize);

fn replace_orders(lines: &[String], edits: &mut Edits, place: &Place, orders: Orders) -> Option<()> {
    let arguments = arguments(lines, place)?;
    let changes: Vec<(Argument, Ordering, Ordering)> = match (place.orders, orders) {
        (Orders::One(from), Orders::One(to)) => vec![(*arguments.last()?, from, to)],
        (Orders::Two(from, from_failure), Orders::Two(to, to_failure)) => {
            let [success, failure] = order_arguments(place.name, &arguments)?;
            // From the right to the left, so that columns stay what they are.
            vec![(failure, from_failure, to_failure), (success, from, to)]
        }
        _ => return None,
    };
    for ((index, begin, end), from, to) in changes {
        if from == to {
            continue;
        }
        let line = edits.get(&index).and_then(|lines| lines.first()).unwrap_or(&lines[index]);
        let characters: Vec<char> = line.chars().collect();
        let written: String = characters.get(begin..end)?.iter().collect();
        let written = written.trim();
        let path = written.strip_suffix(&format!("{from:?}"))?;
        let new = if path.is_empty() && !is_imported(lines, &format!("{to:?}")) {
            path_of(to)
        } else {
            format!("{path}{to:?}")
        };
        let lead = characters[begin..end].iter().take_while(|character| character.is_whitespace()).count();
        let begin = begin + lead;
        let after = begin + written.chars().count();
        let text: String = characters[..begin]
            .iter()
            .copied()
            .chain(new.chars())
            .chain(characters[after..].iter().copied())
            .collect();
        edits.insert(index, vec![text]);
    }
    Some(())
}

/// Which two arguments are the orders of an operation that has two; `None` for one that is not known.
fn order_arguments(name: &str, arguments: &[Argument]) -> Option<[Argument; 2]> {
    match (name, arguments) {
        ("fetch_update" | "try_update" | "update", [set, fetch, ..]) => Some([*set, *fetch]),
        ("compare_exchange" | "compare_exchange_weak", [.., success, failure]) => Some([*success, *failure]),
        _ => None,
    }
}

/// Whether a name is imported by the file.
fn is_imported(lines: &[String], name: &str) -> bool {
    let mut is_use = false;
    lines.iter().any(|line| {
        is_use |= line.trim_start().starts_with("use ") || line.trim_start().starts_with("pub use ");
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let found = is_use && line.split(|character| !is_word(character)).any(|word| word == name);
        is_use &= !line.contains(';');
        found
    })
}

/// The arguments of the call at a place, those that stand on one line each.
fn arguments(lines: &[String], place: &Place) -> Option<Vec<Argument>> {
    let first = (place.source.line as usize).checked_sub(1)?;
    let mut arguments = Vec::new();
    let mut depth = 0_usize;
    let mut begin: Argument = (first, 0, 0);
    for (index, line) in lines.iter().enumerate().skip(first).take(20) {
        let skipped = if index == first { (place.source.column as usize).checked_sub(1)? } else { 0 };
        if depth == 1 && begin.0 != index && lines[begin.0].chars().skip(begin.1).all(char::is_whitespace) {
            begin = (index, 0, 0);
        }
        for (column, character) in line.chars().enumerate().skip(skipped) {
            match character {
                '(' | '[' | '{' => {
                    depth += 1;
                    if depth == 1 {
                        begin = (index, column + 1, 0);
                    }
                }
                ')' | ']' | '}' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        push(&mut arguments, begin, (index, column), lines);
                        return Some(arguments);
                    }
                }
                ',' if depth == 1 => {
                    push(&mut arguments, begin, (index, column), lines);
                    begin = (index, column + 1, 0);
                }
                _ => {}
            }
        }
    }
    None
}

/// Adds an argument, unless it is empty, as behind a comma at the end.
fn push(arguments: &mut Vec<Argument>, begin: Argument, end: (usize, usize), lines: &[String]) {
    if begin.0 != end.0 {
        // One of several lines is no order; it keeps its place in the row.
        arguments.push((begin.0, 0, 0));
        return;
    }
    let is_empty = lines[end.0].chars().take(end.1).skip(begin.1).all(char::is_whitespace);
    if !is_empty {
        arguments.push((begin.0, begin.1, end.1));
    }
}

/// The hunks of one file; nothing without edits.
fn file_patch(file: &str, lines: &[String], edits: &Edits) -> String {
    if edits.is_empty() {
        return String::new();
    }
    let mut text = format!("--- a/{file}\n+++ b/{file}\n");
    let mut shift = 0_isize;
    let mut rest: Vec<usize> = edits.keys().copied().collect();
    while let Some(&first) = rest.first() {
        // Changes whose context would touch are one hunk.
        let mut last = first;
        while let Some(&next) = rest.first().filter(|&&next| next <= last + 2 * CONTEXT) {
            last = next;
            rest.remove(0);
        }
        let begin = first.saturating_sub(CONTEXT);
        let end = (last + CONTEXT + 1).min(lines.len());
        let (hunk, new_count) = hunk(lines, edits, begin, end);
        let new_begin = (begin as isize + shift + 1).max(0);
        text.push_str(&format!("@@ -{},{} +{new_begin},{new_count} @@\n{hunk}", begin + 1, end - begin));
        shift += new_count as isize - (end - begin) as isize;
    }
    text
}

fn hunk(lines: &[String], edits: &Edits, begin: usize, end: usize) -> (String, usize) {
    let mut text = String::new();
    let mut new_count = 0;
    for (index, line) in lines.iter().enumerate().take(end).skip(begin) {
        match edits.get(&index) {
            None => {
                text.push_str(&format!(" {line}\n"));
                new_count += 1;
            }
            Some(new) => {
                text.push_str(&format!("-{line}\n"));
                new.iter().for_each(|line| text.push_str(&format!("+{line}\n")));
                new_count += new.len();
            }
        }
    }
    (text, new_count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SourceLocation;
    use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

    /// The line of a call, with other orders.
    fn replaced(text: &str, name: &'static str, written: Orders, orders: Orders) -> Option<String> {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.push("use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};".to_owned());
        let column = text.find(name)? as u32 + 1;
        let place = Place { source: SourceLocation { file: "a.rs", line: 1, column }, name, orders: written };
        let mut edits = Edits::new();
        replace_orders(&lines, &mut edits, &place, orders)?;
        edits.remove(&0).map(|lines| lines.join("\n"))
    }

    #[test]
    fn the_orders_of_an_update_are_its_first_arguments() {
        let two = (Orders::Two(AcqRel, Acquire), Orders::Two(Release, Relaxed));
        let update = "x.fetch_update(AcqRel, Acquire, |old| next(old, 1));";
        let expected = "x.fetch_update(Release, Relaxed, |old| next(old, 1));";
        assert_eq!(replaced(update, "fetch_update", two.0, two.1).as_deref(), Some(expected));
        let lines = "x.fetch_update(AcqRel, Acquire, |old| {\n    Some(old + 1)\n});";
        let expected = "x.fetch_update(Release, Relaxed, |old| {";
        assert_eq!(replaced(lines, "fetch_update", two.0, two.1).as_deref(), Some(expected));
    }

    #[test]
    fn the_orders_of_other_operations_are_their_last_arguments() {
        let two = (Orders::Two(AcqRel, Acquire), Orders::Two(Release, Relaxed));
        for name in ["compare_exchange", "compare_exchange_weak"] {
            let text = format!("x.{name}(1, 2, AcqRel, Acquire);");
            let expected = format!("x.{name}(1, 2, Release, Relaxed);");
            assert_eq!(replaced(&text, name, two.0, two.1), Some(expected));
        }
        let swap = replaced("x.swap(1, AcqRel);", "swap", Orders::One(AcqRel), Orders::One(Release));
        assert_eq!(swap.as_deref(), Some("x.swap(1, Release);"));
        assert_eq!(replaced("x.other(AcqRel, Acquire);", "other", two.0, two.1), None, "it is not known");
    }
}
