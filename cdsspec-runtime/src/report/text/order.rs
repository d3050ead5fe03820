//! Why calls are ordered, in words (CDSSpec, section 5.2).

use super::super::data::{FindingKind, OrderReason, OrderedCalls};
use super::hint;
use super::name::{Names, operation_text, short_place};
use super::page::Row;
use crate::record::{CallId, OperationId};

/// Why the calls are ordered that the finding puts one after the other, and which are concurrent. Nothing for findings that are not about the
/// order.
pub(super) fn rows(names: &Names<'_>) -> Vec<Row> {
    let (pairs, subject, is_history) = match &names.execution.finding.kind {
        FindingKind::Violated(broken) => (history_pairs(names, &broken.history), broken.call, true),
        FindingKind::Unjustified { first, .. } => {
            let before = first.history.iter().filter(|&&call| call != first.call);
            (before.map(|&before| (before, first.call)).collect(), first.call, true)
        }
        FindingKind::Inadmissible { first, .. } => (Vec::new(), *first, false),
        _ => return Vec::new(),
    };
    let row = |(first, second)| Row::new(format!("{first:?} before {second:?}"), why(names, first, second));
    let mut rows: Vec<_> = pairs.into_iter().map(row).collect();
    rows.extend(concurrent_row(names, subject));
    rows.extend(hint::unordered_reads(names));
    rows.extend(pointless_row(names).filter(|_| is_history));
    rows
}

fn is_ordered(names: &Names<'_>, first: CallId, second: CallId) -> bool {
    names.execution.ordered(first, second).is_some()
}

/// Why `first` is before `second`, in a phrase.
fn why(names: &Names<'_>, first: CallId, second: CallId) -> String {
    let pair = names.execution.ordered(first, second);
    pair.map_or_else(|| "not ordered".to_owned(), |pair| reason_text(names, pair))
}

/// `3 store(Release) at q.rs:10 happens before 7 load(Acquire) at q.rs:20`, with the numbers of the interleaving.
pub(super) fn reason_text(names: &Names<'_>, pair: &OrderedCalls) -> String {
    let between = |[first, second]: [OperationId; 2], relation: &str, end: &str| {
        format!("{} {relation} {}{end}", point_text(names, first), point_text(names, second))
    };
    match pair.reason {
        OrderReason::HappensBefore { operations } => between(operations, "happens before", ""),
        OrderReason::Sc { operations } => between(operations, "is sc-before", ""),
        OrderReason::ChosenSc { operations } => between(operations, "is before", " in the order above"),
        OrderReason::Through { call } => format!("by way of {}", names.call(call)),
    }
}

/// The calls of the same object that are concurrent with this one.
fn concurrent_row(names: &Names<'_>, call: CallId) -> Option<Row> {
    let object = names.execution.call(call).object;
    let is_concurrent =
        |other: CallId| other != call && !is_ordered(names, call, other) && !is_ordered(names, other, call);
    let of_object = names.execution.calls.iter().filter(|other| other.object == object);
    let others: Vec<_> = of_object.map(|other| other.id).filter(|&other| is_concurrent(other)).collect();
    (!others.is_empty()).then(|| Row::new(format!("{call:?} concurrent with"), names.calls(&others)))
}

/// `3 store(Release) at q.rs:10`, with the number of the interleaving.
fn point_text(names: &Names<'_>, id: OperationId) -> String {
    let operation = names.execution.operation(id);
    let (text, place) = (operation_text(operation), short_place(operation.place.source));
    format!("{} {text} at {place}", id.index())
}

/// The ordered neighbours of a history; and of the calls before its last gap, those that are before its last call all the same.
fn history_pairs(names: &Names<'_>, history: &[CallId]) -> Vec<(CallId, CallId)> {
    let Some(&call) = history.last() else { return Vec::new() };
    let pairs = || history.iter().copied().zip(history.iter().copied().skip(1));
    let is_linked = |&(first, second): &(CallId, CallId)| is_ordered(names, first, second);
    let gap = pairs().collect::<Vec<_>>().iter().rposition(|pair| !is_linked(pair)).map_or(0, |gap| gap + 1);
    let earlier = history[..gap].iter().map(|&first| (first, call));
    pairs().filter(is_linked).chain(earlier.filter(is_linked)).collect()
}

/// Calls without an ordering point are unordered with all others: often a forgotten annotation.
fn pointless_row(names: &Names<'_>) -> Option<Row> {
    let calls = names.execution.calls.iter();
    let pointless: Vec<_> =
        calls.filter(|call| call.ordering_points.is_empty()).map(|call| call.id).collect();
    (!pointless.is_empty()).then(|| Row::new("no ordering point", names.calls(&pointless)))
}
