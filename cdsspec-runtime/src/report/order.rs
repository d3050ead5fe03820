//! Why calls are ordered, in words (CDSSpec, section 5.2).

use super::name::{Names, operation_text, short_place};
use super::page::Row;
use crate::check::{CycleEdge, EdgeReason, Finding};
use crate::record::CallId;
use crate::relation::{OrderRelation, direct_edge};

/// Why the calls are ordered that a finding puts one after the other, and which are concurrent. Nothing for findings that are
/// not about the order.
pub(super) fn rows(names: &Names<'_>, finding: &Finding) -> Vec<Row> {
    let Ok(order) = OrderRelation::of(names.recording) else { return Vec::new() };
    let row =
        |(first, second)| Row::new(format!("{first:?} before {second:?}"), why(names, &order, first, second));
    match finding {
        Finding::Violated { before, call, .. } => {
            let pairs = history_pairs(&order, before, *call);
            let mut rows: Vec<_> = pairs.into_iter().map(row).collect();
            rows.extend(concurrent_row(names, &order, *call));
            rows.extend(pointless_row(names));
            rows
        }
        Finding::Unjustified { example, call, .. } => {
            let mut rows: Vec<_> = example.iter().map(|&first| row((first, *call))).collect();
            rows.extend(concurrent_row(names, &order, *call));
            rows.extend(pointless_row(names));
            rows
        }
        Finding::Inadmissible { first, .. } => concurrent_row(names, &order, *first).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// `3 store(Release) at q.rs:10 happens before 7 load(Acquire) at q.rs:20`, with the numbers of the interleaving.
pub(super) fn edge_text(names: &Names<'_>, edge: &CycleEdge) -> String {
    let [first, second] = [edge.first, edge.second].map(|id| {
        let operation = names.recording.operation(id);
        let (text, place) = (operation_text(operation), short_place(operation.place.source));
        format!("{} {text} at {place}", id.index())
    });
    let relation = match edge.reason {
        EdgeReason::HappensBefore => "happens before",
        EdgeReason::Sc => "is sc-before",
    };
    format!("{first} {relation} {second}")
}

/// The ordered neighbours of a history that ends with `call`; and of the calls before its last gap, those that are before
/// `call` all the same.
fn history_pairs(order: &OrderRelation, before: &[CallId], call: CallId) -> Vec<(CallId, CallId)> {
    let history: Vec<_> = before.iter().copied().chain([call]).collect();
    let pairs = || history.iter().copied().zip(history.iter().copied().skip(1));
    let is_linked = |&(first, second): &(CallId, CallId)| order.is_ordered(first, second);
    let gap = pairs().collect::<Vec<_>>().iter().rposition(|pair| !is_linked(pair)).map_or(0, |gap| gap + 1);
    let earlier = history[..gap].iter().map(|&first| (first, call));
    pairs().filter(is_linked).chain(earlier.filter(is_linked)).collect()
}

/// Why `first` is before `second`, in a phrase.
fn why(names: &Names<'_>, order: &OrderRelation, first: CallId, second: CallId) -> String {
    let edge = |first, second| {
        direct_edge(names.recording, names.recording.call(first), names.recording.call(second))
    };
    if let Some(edge) = edge(first, second) {
        return edge_text(names, &edge);
    }
    let middle = order
        .calls()
        .iter()
        .find(|&&middle| order.is_ordered(middle, second) && edge(first, middle).is_some());
    middle.map_or_else(|| "not ordered".to_owned(), |&middle| format!("by way of {}", names.call(middle)))
}

/// The calls of the same object that are concurrent with this one.
fn concurrent_row(names: &Names<'_>, order: &OrderRelation, call: CallId) -> Option<Row> {
    let object = names.recording.call(call).object;
    let others: Vec<_> =
        order.concurrent(call).filter(|&other| names.recording.call(other).object == object).collect();
    (!others.is_empty()).then(|| Row::new(format!("{call:?} concurrent with"), names.calls(&others)))
}

/// Calls without an ordering point are unordered with all others: often a forgotten annotation.
fn pointless_row(names: &Names<'_>) -> Option<Row> {
    let calls = names.recording.calls.iter();
    let pointless: Vec<_> = calls.filter(|call| call.points.is_empty()).map(|call| call.id).collect();
    (!pointless.is_empty()).then(|| Row::new("no ordering point", names.calls(&pointless)))
}
