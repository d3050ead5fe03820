//! Other orders, as a patch of the source in unified form.
//!
//! What is changed is found by syntax ([`super::syntax`]): the call at a place, its arguments, its statement. What does not read as a call, as in
//! a macro of one's own, is left for the user to change.

use super::source::{Source, Sources};
use super::syntax::{Argument, Call, Statement, Syntax};
use crate::port::{Overrides, Replacement};
use crate::record::{OperationForm, Orders, Place};
use similar::TextDiff;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// What stands instead of bytes of a file. Of two at one byte, the first one comes first.
type Edit = (Range<usize>, String);

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
        let source = sources.source(file);
        let edited = source.map(|source| (source, edited(source, &places, &mut patch.left_out)));
        match edited {
            Some((source, Some(text))) => patch.text.push_str(&file_patch(file, &source.text, &text)),
            _ => patch.left_out.extend(places.iter().map(|(place, _)| **place)),
        }
    }
    patch.left_out.sort_by_key(Place::sort_key);
    patch.left_out.dedup();
    patch
}

/// The text of a file with other orders, and the places added that are left as they are; `None`, if it would not parse any more.
fn edited(source: &Source, places: &[(&Place, &Replacement)], left_out: &mut Vec<Place>) -> Option<String> {
    let mut edits: Vec<Edit> = Vec::new();
    for (place, replacement) in places {
        for edit in [edit_orders, edit_fences] {
            match edit(source, place, replacement) {
                Some(new) => edits.extend(new),
                None => left_out.push(**place),
            }
        }
    }
    let text = applied(&source.text, edits)?;
    Syntax::read(&text).map(|_| text)
}

/// A text with edits; `None`, if two of them meet.
fn applied(text: &str, mut edits: Vec<Edit>) -> Option<String> {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut result = String::new();
    let mut at = 0;
    for (range, new) in edits {
        result.push_str(text.get(at..range.start)?);
        result.push_str(&new);
        at = range.end;
    }
    result.push_str(text.get(at..)?);
    Some(result)
}

/// What becomes of the orders that are written at a place; `None`: it cannot be done.
fn edit_orders(source: &Source, place: &Place, replacement: &Replacement) -> Option<Vec<Edit>> {
    match replacement.orders {
        None => remove(&source.text, source.call(place)?),
        Some(orders) if orders != place.orders => replace_orders(source, place, orders),
        Some(_) => Some(Vec::new()),
    }
}

/// Removes a call without a value.
fn remove(text: &str, call: &Call) -> Option<Vec<Edit>> {
    let statement = call.position.statement.as_ref().filter(|statement| statement.is_call_alone);
    let Some(Statement { range, .. }) = statement else {
        return Some(vec![(call.range.clone(), "()".to_owned())]);
    };
    let (begin, end) = (line_begin(text, range.start), line_end(text, range.end));
    let is_alone = text[begin..range.start].trim().is_empty() && is_blank(&text[range.end..end]);
    let space = text[range.end..].starts_with(' ');
    let range =
        if is_alone { begin..(end + 1).min(text.len()) } else { range.start..range.end + usize::from(space) };
    Some(vec![(range, String::new())])
}

fn replace_orders(source: &Source, place: &Place, orders: Orders) -> Option<Vec<Edit>> {
    let arguments = &source.call(place)?.arguments;
    let changes: Vec<(&Argument, Ordering, Ordering)> = match (place.orders, orders) {
        (Orders::One(from), Orders::One(to)) => vec![(arguments.last()?, from, to)],
        (Orders::Two(from, from_failure), Orders::Two(to, to_failure)) => {
            let [success, failure] = order_arguments(place.name.form(), arguments)?;
            vec![(success, from, to), (failure, from_failure, to_failure)]
        }
        _ => return None,
    };
    let changes = changes.into_iter().filter(|(_, from, to)| from != to);
    let edit = |(argument, from, to): (&Argument, Ordering, Ordering)| {
        let Argument::Path { name, range, is_single } = argument else { return None };
        (*name == format!("{from:?}")).then_some(())?;
        let new = format!("{to:?}");
        let is_imported = source.syntax.as_ref()?.is_imported(&new);
        Some((range.clone(), if *is_single && !is_imported { path_of(to) } else { new }))
    };
    changes.map(edit).collect()
}

/// Which two arguments are the orders of an operation that has two; `None` for one that is not known.
fn order_arguments(form: OperationForm, arguments: &[Argument]) -> Option<[&Argument; 2]> {
    match (form, arguments) {
        (OperationForm::FetchUpdate, [set, fetch, ..]) => Some([set, fetch]),
        (OperationForm::CompareExchange, [.., success, failure]) => Some([success, failure]),
        _ => None,
    }
}

/// Which fences are added at a place; `None`: it cannot be done.
fn edit_fences(source: &Source, place: &Place, replacement: &Replacement) -> Option<Vec<Edit>> {
    let (before, after) = (replacement.fence_before, replacement.fence_after);
    if before.is_none() && after.is_none() {
        return Some(Vec::new());
    }
    let call = source.call(place)?;
    let statement = call.position.statement.as_ref();
    let begun = statement.filter(|statement| statement.begins_with_call);
    let ended = statement.filter(|statement| statement.ends_with_call);
    let mut edits = Vec::new();
    let mut within = (None, None);
    match (before, begun) {
        (Some(order), Some(statement)) => edits.push(fence_above(&source.text, &statement.range, order)),
        (order, _) => within.0 = order,
    }
    match (after, ended) {
        (Some(order), Some(statement)) => edits.push(fence_below(&source.text, statement, order)),
        (order, _) => within.1 = order,
    }
    if within != (None, None) {
        call.position.is_replaceable.then_some(())?;
        let has_value = !matches!(place.name.form(), OperationForm::Store | OperationForm::Fence);
        edits.extend(braces(call, within, has_value));
    }
    Some(edits)
}

fn fence(order: Ordering) -> String {
    format!("cdsspec::sync::atomic::fence({});", path_of(order))
}

/// On a line of its own, unless something else stands before the statement.
fn fence_above(text: &str, statement: &Range<usize>, order: Ordering) -> Edit {
    let lead = &text[line_begin(text, statement.start)..statement.start];
    let space = if lead.trim().is_empty() { format!("\n{lead}") } else { " ".to_owned() };
    (statement.start..statement.start, fence(order) + &space)
}

/// Behind the annotations of the statement; on a line of its own, unless something else stands there.
fn fence_below(text: &str, statement: &Statement, order: Ordering) -> Edit {
    let begin = line_begin(text, statement.range.start);
    let indent: String =
        text[begin..].chars().take_while(|character| matches!(character, ' ' | '\t')).collect();
    let (at, end) = (statement.marked_end, line_end(text, statement.marked_end));
    if is_blank(&text[at..end]) {
        (end..end, format!("\n{indent}{}", fence(order)))
    } else {
        (at..at, format!(" {}", fence(order)))
    }
}

/// A call within braces, with fences before and after it.
fn braces(call: &Call, (before, after): (Option<Ordering>, Option<Ordering>), has_value: bool) -> [Edit; 2] {
    let Range { start, end } = call.range;
    let (open, close) = if call.position.needs_parentheses { ("({ ", " })") } else { ("{ ", " }") };
    let before = before.map(|order| fence(order) + " ").unwrap_or_default();
    let (name, after) = match after {
        None => ("", String::new()),
        Some(order) if has_value => ("let value = ", format!("; {} value", fence(order))),
        Some(order) => ("", format!("; {}", fence(order))),
    };
    [(start..start, format!("{open}{before}{name}")), (end..end, after + close)]
}

fn line_begin(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |before| before + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

/// Nothing but a comment, up to the end of a line.
fn is_blank(rest: &str) -> bool {
    rest.trim().is_empty() || rest.trim_start().starts_with("//")
}

fn path_of(order: Ordering) -> String {
    format!("std::sync::atomic::Ordering::{order:?}")
}

/// The hunks of one file; nothing without a change.
fn file_patch(file: &str, old: &str, new: &str) -> String {
    let difference = TextDiff::from_lines(old, new);
    let mut hunks = difference.unified_diff();
    hunks.context_radius(CONTEXT).header(&format!("a/{file}"), &format!("b/{file}")).to_string()
}

#[cfg(test)]
mod tests;
