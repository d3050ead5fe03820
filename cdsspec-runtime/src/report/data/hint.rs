//! What may have been forgotten, where calls are not ordered as one may think.

use super::relation::Order;
use crate::check::Finding;
use crate::record::{CallId, MethodCall, Operation, OperationId, Recording};
use crate::relation::OrderRelation;
use crate::specification::ClauseKind;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release, SeqCst};

/// Reads that are pointed to, at most.
const READ_COUNT_MAX: usize = 3;

/// What may have been forgotten.
///
/// Serialised, with the feature `json`, `hint` is the name of the variant in `snake_case`, beside what that has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(tag = "hint", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Hint {
    /// A call reads what another has written, and that orders nothing, since an order is missing.
    UnorderedRead {
        /// The call that reads.
        reader: CallId,
        /// Its read.
        load: OperationId,
        /// The call that has written.
        writer: CallId,
        /// Its write.
        store: OperationId,
        /// Whether the read acquires.
        acquires: bool,
        /// Whether the write releases.
        releases: bool,
    },
    /// No `post_condition` is written, so the call must return what the side effect does, although this clause says that it may return
    /// something else.
    UnwrittenPostCondition {
        /// The clause.
        beside: ClauseKind,
    },
}

/// The hints for a finding, about an execution with this order of calls.
pub(super) fn hints(recording: &Recording, order: Option<&Order<'_>>, finding: &Finding) -> Vec<Hint> {
    let mut hints: Vec<_> = unwritten_post_condition(recording, finding).into_iter().collect();
    hints.extend(order.iter().flat_map(|order| unordered_reads(recording, &order.relation, finding)));
    hints
}

/// A read of one call from another that orders nothing.
struct Read<'a> {
    reader: CallId,
    load: &'a Operation,
    writer: CallId,
    store: &'a Operation,
}

/// Calls that are concurrent although one reads what the other has written: first those with the call that a finding is about, then those
/// that its history puts one after the other.
fn unordered_reads(recording: &Recording, relation: &OrderRelation, finding: &Finding) -> Vec<Hint> {
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
        read(recording, one, other).or_else(|| read(recording, other, one)).and_then(|read| read.hint())
    });
    reads.take(READ_COUNT_MAX).collect()
}

/// A read by one call of what another has stored, with which the two would be ordered if it synchronised: the load is not after the last
/// ordering point of the reader, and the store not before the first one of the writer. Those of ordering points come first.
fn read(recording: &Recording, reader: CallId, writer: CallId) -> Option<Read<'_>> {
    let [reading, writing] = [reader, writer].map(|call| recording.call(call));
    let last = points(recording, reading).map(|point| point.position).max()?;
    let first = points(recording, writing).map(|point| point.position).min()?;
    let end = writing.response.map_or(u32::MAX, |moment| moment.position);
    let reads = recording.operations.iter().filter(|operation| {
        operation.thread == reading.thread
            && (reading.invocation.position + 1..=last).contains(&operation.position)
    });
    let pairs = reads.filter_map(|load| {
        let store = recording.operation(recording.store(load.read?).operation?);
        let is_of_writer = store.thread == writing.thread && (first..=end).contains(&store.position);
        let has_orders = load.order.is_some() && store.order.is_some();
        (is_of_writer && has_orders && !store.happens_before(load)).then_some(Read {
            reader,
            load,
            writer,
            store,
        })
    });
    let is_of_points = |read: &Read<'_>| is_point(reading, read.load.id) && is_point(writing, read.store.id);
    let mut pairs = pairs.collect::<Vec<_>>();
    let index = pairs.iter().position(is_of_points).unwrap_or(0);
    (!pairs.is_empty()).then(|| pairs.swap_remove(index))
}

fn points<'a>(recording: &'a Recording, call: &'a MethodCall) -> impl Iterator<Item = &'a Operation> {
    call.points.iter().map(|point| recording.operation(point.operation))
}

fn is_point(call: &MethodCall, operation: OperationId) -> bool {
    call.points.iter().any(|point| point.operation == operation)
}

impl Read<'_> {
    /// Nothing, if both orders are there: then a later operation has broken the release sequence, say.
    fn hint(&self) -> Option<Hint> {
        let acquires = matches!(self.load.order, Some(Acquire | AcqRel | SeqCst));
        let releases = matches!(self.store.order, Some(Release | AcqRel | SeqCst));
        (!acquires || !releases).then_some(Hint::UnorderedRead {
            reader: self.reader,
            load: self.load.id,
            writer: self.writer,
            store: self.store.id,
            acquires,
            releases,
        })
    }
}

/// Where no `post_condition` is written, the call must return what the side effect does, also where a justifying clause says that it may
/// return something else: as one may forget.
fn unwritten_post_condition(recording: &Recording, finding: &Finding) -> Option<Hint> {
    let Finding::Violated { call, clause: ClauseKind::SameReturn, .. } = finding else { return None };
    let call = recording.call(*call);
    let method = recording.specification(call.object).method(call.method);
    let justifying = [ClauseKind::JustifyingPostCondition, ClauseKind::JustifyingPreCondition];
    let beside = justifying.into_iter().find(|kind| method.clause(*kind).is_some())?;
    method.clause(ClauseKind::PostCondition).is_none().then_some(Hint::UnwrittenPostCondition { beside })
}
