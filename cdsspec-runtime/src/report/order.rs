//! Why calls are ordered, in words (CDSSpec, section 5.2).

use super::hint;
use super::name::{Names, operation_text, short_place};
use super::page::Row;
use crate::check::{CycleEdge, EdgeReason, Finding};
use crate::record::{CallId, OperationId};
use crate::relation::{OrderRelation, direct_edge, under_sc_points};

/// Why the calls are ordered that a finding puts one after the other, and which are concurrent. Nothing for findings that are
/// not about the order.
pub(super) fn rows(names: &Names<'_>, finding: &Finding) -> Vec<Row> {
    let Some(order) = Order::of(names, finding) else { return Vec::new() };
    let row =
        |(first, second)| Row::new(format!("{first:?} before {second:?}"), order.why(names, first, second));
    match finding {
        Finding::Violated { before, call, .. } => {
            let pairs = history_pairs(&order.relation, before, *call);
            let mut rows: Vec<_> = pairs.into_iter().map(row).collect();
            rows.extend(order.concurrent_row(names, *call));
            rows.extend(hint::unordered_reads(names, &order.relation, finding));
            rows.extend(pointless_row(names));
            rows
        }
        Finding::Unjustified { example, call, .. } => {
            let mut rows: Vec<_> = example.iter().map(|&first| row((first, *call))).collect();
            rows.extend(order.concurrent_row(names, *call));
            rows.extend(hint::unordered_reads(names, &order.relation, finding));
            rows.extend(pointless_row(names));
            rows
        }
        Finding::Inadmissible { first, .. } => {
            let concurrent = order.concurrent_row(names, *first).into_iter();
            concurrent.chain(hint::unordered_reads(names, &order.relation, finding)).collect()
        }
        _ => Vec::new(),
    }
}

/// The order r of the calls of the object that a finding is about, with the total order of the SeqCst points that it names.
struct Order<'a> {
    relation: OrderRelation,
    sc: &'a [OperationId],
}

impl<'a> Order<'a> {
    fn of(names: &Names<'_>, finding: &'a Finding) -> Option<Self> {
        let relation =
            OrderRelation::of_objects(names.recording).ok()?.swap_remove(finding.object()?.index());
        let sc = finding.sc();
        Some(Self { relation: under_sc_points(names.recording, &relation, sc), sc })
    }

    /// Why `first` is before `second`, in a phrase.
    fn why(&self, names: &Names<'_>, first: CallId, second: CallId) -> String {
        if let Some(text) = self.direct(names, first, second) {
            return text;
        }
        let is_between =
            |middle| self.relation.is_ordered(middle, second) && self.direct(names, first, middle).is_some();
        let middle = self.relation.calls().iter().find(|&&middle| is_between(middle));
        middle.map_or_else(|| "not ordered".to_owned(), |&middle| format!("by way of {}", names.call(middle)))
    }

    /// Why `first` is before `second`, if it is so without going by other calls.
    fn direct(&self, names: &Names<'_>, first: CallId, second: CallId) -> Option<String> {
        let recording = names.recording;
        if let Some(edge) = direct_edge(recording, recording.call(first), recording.call(second)) {
            return Some(edge_text(names, &edge));
        }
        let place = |call: CallId| {
            let is_its =
                |id: &OperationId| recording.call(call).points.iter().any(|point| point.operation == *id);
            self.sc.iter().position(is_its)
        };
        let (earlier, later) = (place(first)?, place(second)?);
        let text = |place: usize| point_text(names, self.sc[place]);
        (earlier < later).then(|| format!("{} is before {} in the order above", text(earlier), text(later)))
    }

    /// The calls of the same object that are concurrent with this one.
    fn concurrent_row(&self, names: &Names<'_>, call: CallId) -> Option<Row> {
        let others: Vec<_> = self.relation.concurrent(call).collect();
        (!others.is_empty()).then(|| Row::new(format!("{call:?} concurrent with"), names.calls(&others)))
    }
}

/// `3 store(Release) at q.rs:10 happens before 7 load(Acquire) at q.rs:20`, with the numbers of the interleaving.
pub(super) fn edge_text(names: &Names<'_>, edge: &CycleEdge) -> String {
    let [first, second] = [edge.first, edge.second].map(|id| point_text(names, id));
    let relation = match edge.reason {
        EdgeReason::HappensBefore => "happens before",
        EdgeReason::Sc => "is sc-before",
    };
    format!("{first} {relation} {second}")
}

/// `3 store(Release) at q.rs:10`, with the number of the interleaving.
fn point_text(names: &Names<'_>, id: OperationId) -> String {
    let operation = names.recording.operation(id);
    let (text, place) = (operation_text(operation), short_place(operation.place.source));
    format!("{} {text} at {place}", id.index())
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

/// Calls without an ordering point are unordered with all others: often a forgotten annotation.
fn pointless_row(names: &Names<'_>) -> Option<Row> {
    let calls = names.recording.calls.iter();
    let pointless: Vec<_> = calls.filter(|call| call.points.is_empty()).map(|call| call.id).collect();
    (!pointless.is_empty()).then(|| Row::new("no ordering point", names.calls(&pointless)))
}
