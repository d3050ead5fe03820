//! The interleaving: an operation a line, with values and reads-from.

mod spin;

use super::super::data::{ReadsFrom, ReportedOperation};
use super::misuse;
use super::name::{Names, operation_text, short_place};
use crate::process::width;
use crate::record::{OperationId, OperationKind};
use spin::Spins;
use std::collections::BTreeMap;

/// Operations to show, at most: the last ones.
const OPERATION_COUNT_MAX: usize = 200;

/// One line, in columns.
enum Line {
    Operation { number: String, thread: String, cells: [String; 3], place: [String; 2], mark: String },
    Note(String),
}

/// The interleaving, oldest first.
pub(super) fn lines(names: &Names<'_>, columns: usize) -> Vec<String> {
    let operations = &names.execution.interleaving;
    let has_calls = !names.execution.calls.is_empty() || !names.execution.events.is_empty();
    if operations.is_empty() && !has_calls {
        return Vec::new();
    }
    let begin = first_shown(names);
    let boundaries = boundaries(names);
    let spins = Spins::of(names.execution);
    let mut lines = Vec::new();
    if begin > 0 {
        lines.extend(left_out(names, begin).into_iter().map(Line::Note));
    }
    for index in begin..=operations.len() {
        let notes = boundaries.get(&index).into_iter().flatten();
        lines.extend(notes.map(|note| Line::Note(note.clone())));
        let Some(operation) = operations.get(index) else { continue };
        if spins.is_hidden(operation.id) {
            continue;
        }
        lines.push(operation_line(names, operation));
        if let Some(repeated) = spins.after(operation.id) {
            lines.push(Line::Note(repeated.text(operation.thread)));
        }
    }
    align(&lines, columns)
}

/// Some operations, in the order that is given, as they are in the interleaving.
pub(super) fn lines_of(names: &Names<'_>, operations: &[OperationId], columns: usize) -> Vec<String> {
    let line = |&id: &OperationId| operation_line(names, names.execution.operation(id));
    align(&operations.iter().map(line).collect::<Vec<_>>(), columns)
}

/// What is said of the operations that are not shown: how many there are, with where the calls begin and return that the finding is about.
fn left_out(names: &Names<'_>, begin: usize) -> Vec<String> {
    let mut points = Vec::new();
    for event in misuse::events(&names.execution.finding).into_iter().map(|id| &names.execution.events[id]) {
        let (thread, name) = (event.thread.index(), misuse::event_name(event));
        points.push((event.begin, event.id, format!("t{thread}  {name} begins")));
        points.extend(event.end.map(|end| (end, event.id, format!("t{thread}  {name} returns"))));
    }
    points.retain(|(count, ..)| *count < begin);
    points.sort();
    let operations = |count: usize| format!("… {count} operation{} more", if count == 1 { "" } else { "s" });
    if points.is_empty() {
        return vec![format!("… {begin} operations before these")];
    }
    let (mut lines, mut shown) = (Vec::new(), 0);
    for (count, _, note) in points {
        if count > shown {
            lines.push(operations(count - shown));
        }
        lines.push(note);
        shown = count;
    }
    lines.push(operations(begin - shown));
    lines
}

fn first_shown(names: &Names<'_>) -> usize {
    names.execution.interleaving.len().saturating_sub(OPERATION_COUNT_MAX)
}

/// Where the calls begin and return, by the number of operations before.
fn boundaries(names: &Names<'_>) -> BTreeMap<usize, Vec<String>> {
    let mut events = Vec::new();
    for event in &names.execution.events {
        let (thread, name) = (event.thread.index(), misuse::event_name(event));
        events.push((event.begin, thread, event.id, false, format!("t{thread}  {name} begins")));
        if let Some(end) = event.end {
            events.push((end, thread, event.id, true, format!("t{thread}  {name} returns")));
        }
    }
    for call in &names.execution.calls {
        let thread = call.thread.index();
        let note = format!("t{thread}  {} begins", names.short(&names.call_begin(call.id)));
        events.push((call.begin, thread, call.id.index(), false, note));
        if let Some(end) = call.end {
            let note = format!("t{thread}  {} returns", names.short(&names.call(call.id)));
            events.push((end, thread, call.id.index(), true, note));
        }
    }
    events.sort();
    let mut by_count: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (count, .., note) in events {
        by_count.entry(count).or_default().push(note);
    }
    by_count
}

fn operation_line(names: &Names<'_>, operation: &ReportedOperation) -> Line {
    let source = operation.place.source;
    Line::Operation {
        number: operation.id.index().to_string(),
        thread: format!("t{}", operation.thread.index()),
        cells: [
            operation_text(operation),
            effect(names, operation),
            reads_from(names, operation).unwrap_or_default(),
        ],
        place: [source.to_string(), short_place(source)],
        mark: mark(operation),
    }
}

fn effect(names: &Names<'_>, operation: &ReportedOperation) -> String {
    match operation.kind {
        OperationKind::Create(thread) => return format!("starts t{}", thread.index()),
        OperationKind::Join(thread) => return format!("joins t{}", thread.index()),
        _ => {}
    }
    let Some(location) = &operation.location else { return String::new() };
    let read = operation.read.as_deref().map(|value| names.short(value));
    let written = operation.written.as_deref().map(|value| names.short(value));
    match (read, written) {
        (Some(read), Some(written)) => format!("{location}: {read} -> {written}"),
        (Some(read), None) if operation.is_failed => format!("{location} is {read}: fails"),
        (Some(read), None) => format!("{location} is {read}"),
        (None, Some(written)) => format!("{location} = {written}"),
        (None, None) => location.clone(),
    }
}

fn reads_from(names: &Names<'_>, operation: &ReportedOperation) -> Option<String> {
    Some(match operation.reads_from? {
        ReadsFrom::Initial => "initial value".to_owned(),
        ReadsFrom::Operation(writer) => {
            let thread = names.execution.operation(writer).thread.index();
            format!("reads {} of t{thread}", writer.index())
        }
    })
}

/// The calls whose ordering point it is.
fn mark(operation: &ReportedOperation) -> String {
    operation.ordering_point_of.iter().map(|call| format!("{call:?}*")).collect::<Vec<_>>().join(" ")
}

/// Puts the lines in columns. The folder of the places is left out, if the lines would be too wide with it.
fn align(lines: &[Line], columns: usize) -> Vec<String> {
    let full = align_with(lines, 0);
    if full.iter().all(|line| width(line) <= columns) { full } else { align_with(lines, 1) }
}

fn align_with(lines: &[Line], which: usize) -> Vec<String> {
    let mut widths = [0; 7];
    for line in lines {
        if let Line::Operation { number, thread, cells: [a, b, c], place, mark } = line {
            for (widest, cell) in widths.iter_mut().zip([number, thread, mark, a, b, c, &place[which]]) {
                *widest = width(cell).max(*widest);
            }
        }
    }
    let note_indent = widths[0] + 2 + 2;
    lines
        .iter()
        .map(|line| match line {
            Line::Note(text) => format!("{}{text}", " ".repeat(note_indent)),
            Line::Operation { number, thread, cells: [a, b, c], place, mark } => {
                let [n, t, m, w, x, y, z] = widths;
                let place = &place[which];
                format!("  {number:>n$}  {thread:<t$}  {mark:<m$}  {a:<w$}  {b:<x$}  {c:<y$}  {place:<z$}")
            }
        })
        .map(|line| line.trim_end().to_owned())
        .collect()
}
