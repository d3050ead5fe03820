//! The calls of one object, ready to be searched.

use super::chain::Chains;
use super::frontier::Covers;
use crate::record::{CallId, MethodCall, ObjectId, Recording, ThreadId};
use crate::relation::OrderRelation;
use crate::specification::{Concurrent, ConcurrentCall, Method, Specification};
use std::cell::OnceCell;
use std::ops::Range;

/// The calls of one object that have returned, their order, and the calls concurrent with each.
///
/// Pending calls are not part of any history. The *slot* of a call is its number among these calls, in order of invocation.
pub struct ObjectCalls<'a> {
    /// The object.
    pub object: ObjectId,
    /// Its specification.
    pub specification: &'static Specification,
    calls: Vec<&'a MethodCall>,
    relation: OrderRelation,
    concurrent: Vec<ConcurrentCall<'a>>,
    concurrent_ranges: Vec<Range<usize>>,
    covers: OnceCell<Covers>,
    chains: OnceCell<Chains>,
}

impl<'a> ObjectCalls<'a> {
    /// The calls of an object that have returned, under their part of its order r. Cost: O(calls²).
    pub fn of(recording: &'a Recording, object: ObjectId, order: &OrderRelation) -> Self {
        let calls: Vec<&MethodCall> =
            recording.calls.iter().filter(|call| call.object == object && !call.is_pending()).collect();
        let relation = order.restrict(calls.iter().map(|call| call.id).collect());
        debug_assert!(relation.is_closed(), "cdsspec bug: r is a strict partial order");
        let mut concurrent = Vec::new();
        let mut concurrent_ranges = Vec::with_capacity(calls.len());
        // Those of each thread together: in which order several threads came, depends on how the engine ran them.
        let mut by_thread: Vec<usize> = (0..calls.len()).collect();
        by_thread.sort_by_key(|&slot| calls[slot].thread);
        for slot in 0..calls.len() {
            let begin = concurrent.len();
            let others = by_thread.iter().copied();
            concurrent.extend(others.filter(|&other| relation.is_slot_concurrent(slot, other)).map(
                |other| ConcurrentCall {
                    method: calls[other].method,
                    call: calls[other].id,
                    values: &*calls[other].values,
                },
            ));
            concurrent_ranges.push(begin..concurrent.len());
        }
        let specification = recording.specification(object);
        Self {
            object,
            specification,
            calls,
            relation,
            concurrent,
            concurrent_ranges,
            covers: OnceCell::new(),
            chains: OnceCell::new(),
        }
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// The order of the calls.
    pub fn relation(&self) -> &OrderRelation {
        &self.relation
    }

    /// The immediate successors of each call. Cost: that of [`Covers::new`], once.
    pub(super) fn covers(&self) -> &Covers {
        self.covers.get_or_init(|| Covers::new(&self.relation))
    }

    /// The calls, parted into chains. Cost: that of [`Chains::new`], once.
    pub(super) fn chains(&self) -> &Chains {
        self.chains.get_or_init(|| Chains::new(&self.relation))
    }

    /// The calls, in order of invocation.
    pub fn calls(&self) -> &[&'a MethodCall] {
        &self.calls
    }

    pub(crate) fn method(&self, slot: usize) -> &'static Method {
        self.specification.method(self.calls[slot].method)
    }

    pub(crate) fn concurrent(&self, slot: usize) -> Concurrent<'_> {
        Concurrent::new(&self.concurrent[self.concurrent_ranges[slot].clone()])
    }

    /// Whom to name when the specification fails outside of any call.
    pub(crate) fn first_thread(&self) -> ThreadId {
        self.calls.first().map_or(ThreadId::new(0), |call| call.thread)
    }

    /// Whether some clause of these calls may look at the calls concurrent with it, other than to justify.
    pub(crate) fn has_conditions_on_concurrent(&self) -> bool {
        (0..self.len()).any(|slot| self.method(slot).has_conditions_on_concurrent())
    }

    pub(super) fn ids(&self, slots: &[usize]) -> Vec<CallId> {
        slots.iter().map(|&slot| self.calls[slot].id).collect()
    }
}
