//! The interleaving: an operation a line, with values and reads-from.

mod spin;

use super::name::{Names, operation_text, short_place};
use crate::process::width;
use crate::record::{CallId, LocationId, Operation, OperationForm, OperationId, OperationKind};
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
    let operations = &names.recording.operations;
    if operations.is_empty() && names.recording.calls.is_empty() {
        return Vec::new();
    }
    let begin = first_shown(names);
    let boundaries = boundaries(names);
    let spins = Spins::of(names.recording);
    let mut locations = Locations::default();
    let mut lines = Vec::new();
    if begin > 0 {
        lines.push(Line::Note(format!("… {begin} operations before these")));
    }
    for index in begin..=operations.len() {
        let notes = boundaries.get(&index).into_iter().flatten();
        lines.extend(notes.map(|note| Line::Note(note.clone())));
        let Some(operation) = operations.get(index) else { continue };
        if spins.is_hidden(operation.id) {
            continue;
        }
        lines.push(operation_line(names, operation, &mut locations));
        if let Some(repeated) = spins.after(operation.id) {
            lines.push(Line::Note(repeated.text(operation.thread)));
        }
    }
    align(&lines, columns)
}

/// Some operations, in the order that is given, as they are in the interleaving.
pub(super) fn lines_of(names: &Names<'_>, operations: &[OperationId], columns: usize) -> Vec<String> {
    let mut locations = Locations::default();
    let spins = Spins::of(names.recording);
    let all = &names.recording.operations;
    let shown = all.iter().skip(first_shown(names)).filter(|operation| !spins.is_hidden(operation.id));
    for location in shown.filter_map(|operation| operation.location) {
        locations.name(location);
    }
    let line = |&id: &OperationId| operation_line(names, names.recording.operation(id), &mut locations);
    align(&operations.iter().map(line).collect::<Vec<_>>(), columns)
}

fn first_shown(names: &Names<'_>) -> usize {
    names.recording.operations.len().saturating_sub(OPERATION_COUNT_MAX)
}

/// Where the calls begin and return, by the number of operations before.
fn boundaries(names: &Names<'_>) -> BTreeMap<usize, Vec<String>> {
    let mut events = Vec::new();
    for call in &names.recording.calls {
        let thread = call.thread.index();
        let note = format!("t{thread}  {} begins", names.short(&begin_text(names, call.id)));
        events.push((call.invocation.operation_count, thread, call.id, false, note));
        if let Some(response) = call.response {
            let note = format!("t{thread}  {} returns", names.short(&names.call(call.id)));
            events.push((response.operation_count, thread, call.id, true, note));
        }
    }
    events.sort();
    let mut by_count: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (count, .., note) in events {
        by_count.entry(count).or_default().push(note);
    }
    by_count
}

/// The call without what it returns.
fn begin_text(names: &Names<'_>, call: CallId) -> String {
    let text = names.call_text(call);
    let end = text.rfind(") -> ").map_or(text.len(), |end| end + 1);
    format!("{call:?} {}", text[..end].trim_end_matches(" pending"))
}

/// Letters for the locations, in order of appearance.
#[derive(Default)]
struct Locations(Vec<LocationId>);

impl Locations {
    fn name(&mut self, location: LocationId) -> String {
        let index = self.0.iter().position(|&known| known == location).unwrap_or_else(|| {
            self.0.push(location);
            self.0.len() - 1
        });
        let letter = char::from(b'a' + u8::try_from(index % 26).unwrap_or(0));
        match index / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        }
    }
}

fn operation_line(names: &Names<'_>, operation: &Operation, locations: &mut Locations) -> Line {
    let source = operation.place.source;
    Line::Operation {
        number: operation.id.index().to_string(),
        thread: format!("t{}", operation.thread.index()),
        cells: [
            operation_text(operation),
            effect(names, operation, locations),
            reads_from(names, operation).unwrap_or_default(),
        ],
        place: [source.to_string(), short_place(source)],
        mark: mark(names, operation.id),
    }
}

fn effect(names: &Names<'_>, operation: &Operation, locations: &mut Locations) -> String {
    match operation.kind {
        OperationKind::Create(thread) => return format!("starts t{}", thread.index()),
        OperationKind::Join(thread) => return format!("joins t{}", thread.index()),
        _ => {}
    }
    let Some(location) = operation.location else { return String::new() };
    let location = locations.name(location);
    let read = operation.read.and_then(|store| names.value(store)).map(|value| names.short(&value));
    let written = operation.written.and_then(|store| names.value(store)).map(|value| names.short(&value));
    let is_failed = operation.kind == OperationKind::Load
        && operation.place.name.form() == OperationForm::CompareExchange;
    match (read, written) {
        (Some(read), Some(written)) => format!("{location}: {read} -> {written}"),
        (Some(read), None) if is_failed => format!("{location} is {read}: fails"),
        (Some(read), None) => format!("{location} is {read}"),
        (None, Some(written)) => format!("{location} = {written}"),
        (None, None) => location,
    }
}

fn reads_from(names: &Names<'_>, operation: &Operation) -> Option<String> {
    let store = names.recording.store(operation.read?);
    Some(match store.operation {
        None => "initial value".to_owned(),
        Some(writer) => {
            let thread = names.recording.operation(writer).thread.index();
            format!("reads {} of t{thread}", writer.index())
        }
    })
}

/// The calls whose ordering point it is.
fn mark(names: &Names<'_>, operation: OperationId) -> String {
    let calls = names.recording.calls.iter();
    let is_point = |call: &&crate::record::MethodCall| call.points.iter().any(|p| p.operation == operation);
    let marks: Vec<_> = calls.filter(is_point).map(|call| format!("{:?}*", call.id)).collect();
    marks.join(" ")
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
