//! Other orders, as a patch of the source in unified form.

use super::source::Sources;
use crate::port::{Overrides, Replacement};
use crate::record::{OperationForm, Orders, Place};
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
        // All orders before the first fence, and the last one of a line first: the columns of the others stay what they are.
        for edit in [edit_orders as Edit, edit_fences] {
            for (place, replacement) in places.iter().rev() {
                match edit(lines, edits.clone(), place, replacement) {
                    Some(edited) => edits = edited,
                    None => patch.left_out.push(**place),
                }
            }
        }
        patch.text.push_str(&file_patch(file, lines, &edits));
    }
    patch.left_out.sort_by_key(Place::sort_key);
    patch.left_out.dedup();
    patch
}

/// Edits what is written at a place; `None`: it cannot be done.
type Edit = fn(&[String], Edits, &Place, &Replacement) -> Option<Edits>;

fn edit_orders(
    lines: &[String],
    mut edits: Edits,
    place: &Place,
    replacement: &Replacement,
) -> Option<Edits> {
    match replacement.orders {
        None => {
            let index = statement(lines, place)?;
            let is_fence_alone = index.first == index.last
                && lines[index.last].chars().take(index.column).all(char::is_whitespace);
            is_fence_alone.then_some(())?;
            edits.insert(index.last, Vec::new());
        }
        Some(orders) if orders != place.orders => replace_orders(lines, &mut edits, place, orders)?,
        Some(_) => {}
    }
    Some(edits)
}

fn edit_fences(
    lines: &[String],
    mut edits: Edits,
    place: &Place,
    replacement: &Replacement,
) -> Option<Edits> {
    let (before, after) = (replacement.fence_before, replacement.fence_after);
    if before.is_none() && after.is_none() {
        return Some(edits);
    }
    let statement = statement(lines, place)?;
    let line = &lines[statement.last];
    let indent: String = line.chars().take_while(|character| character.is_whitespace()).collect();
    let fence = |order: Ordering| format!("{indent}cdsspec::sync::atomic::fence({});", path_of(order));
    let mut at = |index: usize, line: String, is_before: bool| {
        let written = edits.entry(index).or_insert_with(|| vec![lines[index].clone()]);
        written.insert(if is_before { 0 } else { written.len() }, line);
    };
    if let Some(order) = before {
        at(statement.first, fence(order), true);
    }
    if let Some(order) = after {
        is_over_here(line).then_some(())?;
        at(statement.last, fence(order), false);
    }
    Some(edits)
}

/// A statement whose first line of code is the one of a place.
struct Statement {
    /// The line that it begins with: an attribute, or the next.
    first: usize,
    /// The line of the place.
    last: usize,
    /// The column of the place, from 0.
    column: usize,
}

/// The statement at whose beginning something can be added that is done just before what is done at a place, whenever that is; `None` if it
/// does not read as one: in a closure, the condition of a loop, an arm of a match, a call of several lines.
fn statement(lines: &[String], place: &Place) -> Option<Statement> {
    let last = (place.source.line as usize).checked_sub(1)?;
    let column = (place.source.column as usize).checked_sub(1)?;
    let line = lines.get(last)?.trim_start();
    let before: String = lines[last].chars().take(column).collect();
    let is_inner = before.contains(['|', '{']) || line.contains("=>");
    let is_continued = line.starts_with(['.', '&', '|', ')', ']', '}', '?', '+', '-', '*', '/', '=']);
    let is_loop = line.starts_with("while ") || line.split_whitespace().any(|word| word == "else");
    if is_inner || is_continued && !line.starts_with("*") || is_loop {
        return None;
    }
    let is_attribute = |line: &&String| line.trim_start().starts_with("#[") && line.trim_end().ends_with(']');
    let attribute_count = lines[..last].iter().rev().take_while(is_attribute).count();
    let first = last - attribute_count;
    let above = lines[..first].iter().rev().map(|line| line.trim());
    let above = above.into_iter().find(|line| !line.is_empty() && !line.starts_with("//"))?;
    above.ends_with([';', '{', '}']).then_some(Statement { first, last, column })
}

/// Whether a statement that begins on this line ends there, and nowhere before its end.
fn is_over_here(line: &str) -> bool {
    let is_left = line.split(|character: char| !character.is_alphanumeric() && character != '_');
    line.trim_end().ends_with(';')
        && !line.contains(['{', '?'])
        && !is_left.into_iter().any(|word| ["return", "break"].contains(&word))
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
            let [success, failure] = order_arguments(place.name.form(), &arguments)?;
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
fn order_arguments(form: OperationForm, arguments: &[Argument]) -> Option<[Argument; 2]> {
    match (form, arguments) {
        (OperationForm::FetchUpdate, [set, fetch, ..]) => Some([*set, *fetch]),
        (OperationForm::CompareExchange, [.., success, failure]) => Some([*success, *failure]),
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
    use crate::record::{OperationName, SourceLocation, operation_name};
    use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

    /// The line of a call, with other orders.
    fn replaced(text: &str, name: OperationName, written: Orders, orders: Orders) -> Option<String> {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.push("use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};".to_owned());
        let column = text.find(name.spelling())? as u32 + 1;
        let place = Place { source: SourceLocation { file: "a.rs", line: 1, column }, name, orders: written };
        let mut edits = Edits::new();
        replace_orders(&lines, &mut edits, &place, orders)?;
        edits.remove(&0).map(|lines| lines.join("\n"))
    }

    /// Line 3 of a body, with a fence on either side of what stands at `at`.
    fn fenced(body: &[&str], at: &str) -> [Option<Vec<String>>; 2] {
        let lines: Vec<String> = body.iter().map(|&line| line.to_owned()).collect();
        let column = lines[2].find(at).expect("it stands there") as u32 + 1;
        let place = Place {
            source: SourceLocation { file: "a.rs", line: 3, column },
            name: operation_name!("load", Load),
            orders: Orders::One(Relaxed),
        };
        let none = Replacement { orders: Some(place.orders), fence_before: None, fence_after: None };
        let with = |replacement: Replacement| {
            let edits = edit_fences(&lines, Edits::new(), &place, &replacement)?;
            let edited = lines
                .iter()
                .enumerate()
                .flat_map(|(index, line)| edits.get(&index).cloned().unwrap_or_else(|| vec![line.clone()]));
            Some(edited.collect())
        };
        let [before, after] = [(Some(Release), None), (None, Some(Acquire))];
        [before, after]
            .map(|(fence_before, fence_after)| with(Replacement { fence_before, fence_after, ..none }))
    }

    #[test]
    fn a_fence_stands_beside_the_statement_and_above_its_attributes() {
        let fence =
            |order: &str| format!("    cdsspec::sync::atomic::fence(std::sync::atomic::Ordering::{order});");
        let [before, after] =
            fenced(&["fn f() {", "    #[op_define]", "    let x = a.load(Relaxed);", "}"], "load");
        assert_eq!(before.expect("it can stand there")[1], fence("Release"));
        assert_eq!(after.expect("it can stand there")[3], fence("Acquire"));
    }

    #[test]
    fn a_fence_stands_nowhere_where_it_would_be_done_at_another_time() {
        let cases = [
            ("{", "    while a.load(Relaxed) == 0 {}", [false, false]),
            ("{", "    if a.load(Relaxed) == 0 {", [true, false]),
            ("{", "    a.load(Relaxed)", [true, false]),
            ("{", "    *slot = a.load(Relaxed);", [true, true]),
            ("{", "    let x = f(a.load(Relaxed))?;", [true, false]),
            ("{", "    return a.load(Relaxed);", [true, false]),
            ("{", "    scope.spawn(|| a.load(Relaxed));", [false, false]),
            ("{", "    0 => a.load(Relaxed),", [false, false]),
            ("}", "    } else if a.load(Relaxed) == 0 {", [false, false]),
            ("f(", "    a.load(Relaxed);", [false, false]),
            ("x", "    .load(Relaxed);", [false, false]),
        ];
        for (above, line, expected) in cases {
            let found = fenced(&["fn f() {", above, line, "}"], "load").map(|edited| edited.is_some());
            assert_eq!(found, expected, "{above} {line}");
        }
    }

    #[test]
    fn the_orders_of_an_update_are_its_first_arguments() {
        let two = (Orders::Two(AcqRel, Acquire), Orders::Two(Release, Relaxed));
        let update = "x.fetch_update(AcqRel, Acquire, |old| next(old, 1));";
        let expected = "x.fetch_update(Release, Relaxed, |old| next(old, 1));";
        assert_eq!(
            replaced(update, operation_name!("fetch_update", FetchUpdate), two.0, two.1).as_deref(),
            Some(expected)
        );
        let lines = "x.fetch_update(AcqRel, Acquire, |old| {\n    Some(old + 1)\n});";
        let expected = "x.fetch_update(Release, Relaxed, |old| {";
        assert_eq!(
            replaced(lines, operation_name!("fetch_update", FetchUpdate), two.0, two.1).as_deref(),
            Some(expected)
        );
    }

    #[test]
    fn the_orders_of_other_operations_are_their_last_arguments() {
        let two = (Orders::Two(AcqRel, Acquire), Orders::Two(Release, Relaxed));
        let strong = operation_name!("compare_exchange", CompareExchange);
        for name in [strong, operation_name!("compare_exchange_weak", CompareExchange)] {
            let text = format!("x.{name}(1, 2, AcqRel, Acquire);");
            let expected = format!("x.{name}(1, 2, Release, Relaxed);");
            assert_eq!(replaced(&text, name, two.0, two.1), Some(expected));
        }
        let swap = replaced(
            "x.swap(1, AcqRel);",
            operation_name!("swap", Update),
            Orders::One(AcqRel),
            Orders::One(Release),
        );
        assert_eq!(swap.as_deref(), Some("x.swap(1, Release);"));
        assert_eq!(
            replaced("x.other(AcqRel, Acquire);", operation_name!("other"), two.0, two.1),
            None,
            "it is not known"
        );
    }
}
