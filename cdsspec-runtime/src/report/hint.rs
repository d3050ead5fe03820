//! What may help where calls are not ordered as one may think.

use super::name::{Names, operation_text};
use super::page::Row;
use crate::check::Finding;
use crate::record::{CallId, MethodCall, Operation, OperationId};
use crate::relation::OrderRelation;
use crate::specification::{ClauseKind, Method};
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// Reads that are pointed to, at most.
const READ_COUNT_MAX: usize = 3;

/// A read of one call from another that orders nothing.
struct Read<'a> {
    reader: (CallId, &'a Operation, Ordering),
    writer: (CallId, &'a Operation, Ordering),
}

/// Calls that are concurrent although one reads what the other has written: first those with the call that a finding is about, then those
/// that its history puts one after the other.
pub(super) fn unordered_reads(names: &Names<'_>, relation: &OrderRelation, finding: &Finding) -> Vec<Row> {
    let (call, before) = match finding {
        Finding::Violated { call, before, .. } => (*call, before.as_slice()),
        Finding::Unjustified { call, example, .. } => (*call, example.as_slice()),
        Finding::Inadmissible { first, .. } => (*first, &[][..]),
        _ => return Vec::new(),
    };
    let with_call = relation.concurrent(call).map(|other| (call, other));
    let among = before.iter().enumerate().flat_map(|(index, &first)| {
        let is_concurrent = move |second: &&CallId| {
            !relation.is_ordered(first, **second) && !relation.is_ordered(**second, first)
        };
        before[index + 1..].iter().filter(is_concurrent).map(move |&second| (first, second))
    });
    let reads = with_call.chain(among).filter_map(|(one, other)| {
        read(names, one, other).or_else(|| read(names, other, one)).and_then(|read| read.text(names))
    });
    reads.take(READ_COUNT_MAX).map(|text| Row::new("hint", text)).collect()
}

/// A read by one call of what another has stored, with which the two would be ordered if it synchronised: the load is not after the last
/// ordering point of the reader, and the store not before the first one of the writer. Those of ordering points come first.
fn read<'a>(names: &Names<'a>, reader: CallId, writer: CallId) -> Option<Read<'a>> {
    let recording = names.recording;
    let [reading, writing] = [reader, writer].map(|call| recording.call(call));
    let last = points(names, reading).map(|point| point.position).max()?;
    let first = points(names, writing).map(|point| point.position).min()?;
    let end = writing.response.map_or(u32::MAX, |moment| moment.position);
    let reads = recording.operations.iter().filter(|operation| {
        operation.thread == reading.thread
            && (reading.invocation.position + 1..=last).contains(&operation.position)
    });
    let pairs = reads.filter_map(|load| {
        let store = recording.operation(recording.store(load.read?).operation?);
        let is_of_writer = store.thread == writing.thread && (first..=end).contains(&store.position);
        (is_of_writer && !store.happens_before(load))
            .then_some(Read { reader: (reader, load, load.order?), writer: (writer, store, store.order?) })
    });
    let is_of_points =
        |read: &Read<'_>| is_point(reading, read.reader.1.id) && is_point(writing, read.writer.1.id);
    let mut pairs = pairs.collect::<Vec<_>>();
    let index = pairs.iter().position(is_of_points).unwrap_or(0);
    (!pairs.is_empty()).then(|| pairs.swap_remove(index))
}

fn points<'a>(names: &Names<'a>, call: &'a MethodCall) -> impl Iterator<Item = &'a Operation> {
    let recording = names.recording;
    call.points.iter().map(|point| recording.operation(point.operation))
}

fn is_point(call: &MethodCall, operation: OperationId) -> bool {
    call.points.iter().any(|point| point.operation == operation)
}

impl Read<'_> {
    /// What is missing; nothing, if both orders are there: then a later operation has broken the release sequence, say.
    fn text(&self, names: &Names<'_>) -> Option<String> {
        let [(reader, load, loaded), (writer, store, stored)] = [self.reader, self.writer];
        let acquires = matches!(loaded, Acquire | AcqRel | SeqCst);
        let releases = matches!(stored, Release | AcqRel | SeqCst);
        let (missing, needed) = match (acquires, releases) {
            (false, false) => (format!("but does not acquire it ({loaded:?})"), "Acquire/Release"),
            (false, true) => (format!("but does not acquire it ({loaded:?})"), "Acquire"),
            (true, false) => (format!("which is not released ({stored:?})"), "Release"),
            (true, true) => return None,
        };
        let reads = format!("{} reads {}", subject(names, reader, load), subject(names, writer, store));
        Some(format!(
            "{reads}, {missing}: that orders no calls; {needed} would, or allow it through `concurrent`"
        ))
    }
}

/// `#1*`, if it is an ordering point; else `4 load(Relaxed) of #1`, with the number of the interleaving.
fn subject(names: &Names<'_>, call: CallId, operation: &Operation) -> String {
    if is_point(names.recording.call(call), operation.id) {
        format!("{call:?}*")
    } else {
        format!("{} {} of {call:?}", operation.id.index(), operation_text(operation))
    }
}

/// Where no `post_condition` is written, the call must return what the side effect does, also where a justifying clause says that it may
/// return something else: as one may forget.
pub(super) fn unwritten_post_condition(method: &Method, broken: ClauseKind) -> Option<Row> {
    let is_forgotten = broken == ClauseKind::SameReturn && method.clause(ClauseKind::PostCondition).is_none();
    let justifying = [ClauseKind::JustifyingPostCondition, ClauseKind::JustifyingPreCondition];
    let written = justifying.into_iter().find(|kind| method.clause(*kind).is_some())?;
    is_forgotten.then(|| {
        let name = written.name();
        Row::new(
            "hint",
            format!(
                "that rule holds since no `post_condition` is written beside the `{name}`: `#[post_condition(true)]` switches it off"
            ),
        )
    })
}
