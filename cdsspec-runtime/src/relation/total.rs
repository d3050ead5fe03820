//! The total orders of the SeqCst operations, as far as they matter to one object.
//!
//! The paper's sc is total; RC11 has psc⁺, which is partial. So an execution graph stands for one execution for each total order S that
//! its SeqCst operations may have, and each of them is to be checked.
//!
//! # Which S there are
//! RC11 asks that psc is acyclic: S may be any total order that extends psc⁺. C++20 says the same of its S: it agrees with coherence and with
//! "strongly happens before", which is what psc has of happens-before. C++11 asked S to agree with all of happens-before; no
//! compiler to Power holds that (Z6.U), so RC11 and C++20 gave it up. What is asked here beside psc⁺ is what the paper asks of r
//! (section 3.1): hb ∪ S between the ordering points of an object, lifted to its calls and closed, has no cycle. An S that fails
//! this gives no order of the calls, and there is always one that does not (below). A cycle that hb ∪ psc⁺ makes is looked for before, over
//! all objects.
//!
//! # Why it is enough to order calls
//! Let r be the relation under psc⁺, and K the calls with a SeqCst point.
//! - Every S that is asked for orders all of K: any two of its calls have points that S orders, and r_S has no cycle. So S gives a linear
//!   extension T of r on K, and r_S is r ∪ T, closed.
//! - Every linear extension T of r on K comes from such an S: take a linear extension L of r ∪ T, and sort the points of K by the calls in
//!   L, those of one call as they ran. An edge of psc⁺ or hb between points of two calls is in r, so in L. Within a call psc⁺ and hb are
//!   program order. So the order of these points extends psc⁺ on them, and can be completed to one of all SeqCst operations,
//!   since psc⁺ is transitive. Under it r_S is within L, so it has no cycle.
//! - Different T give different relations: they differ on K.
//!
//! A call of K that r orders against all others of K adds no edge: what is enumerated are the linear extensions of r on the calls of K that
//! are *free*, which is to say concurrent with another of K.

use super::OrderRelation;
use crate::record::{CallId, MethodCall, OperationId, Recording};
use fixedbitset::FixedBitSet;
use std::ops::ControlFlow;

/// The total orders of the SeqCst operations, each as the relation that it gives over the calls of an object.
pub(crate) struct TotalOrders<'a> {
    relation: &'a OrderRelation,
    /// The slots of the free calls, ascending; at least two.
    free: Vec<usize>,
}

impl<'a> TotalOrders<'a> {
    /// Those under which this relation, that of an object under psc⁺, comes to something else; `None` if there is nothing to choose. Cost:
    /// O(points + calls²).
    pub(crate) fn of(recording: &Recording, relation: &'a OrderRelation) -> Option<Self> {
        let has_sc_point = |slot: &usize| {
            let call = recording.call(relation.calls()[*slot]);
            sc_points(recording, call).next().is_some()
        };
        let with_sc: Vec<usize> = (0..relation.calls().len()).filter(has_sc_point).collect();
        let is_free = |slot: &usize| with_sc.iter().any(|&other| relation.is_slot_concurrent(*slot, other));
        let free: Vec<usize> = with_sc.iter().copied().filter(is_free).collect();
        (!free.is_empty()).then_some(Self { relation, free })
    }

    /// The free calls, in order of invocation.
    pub(crate) fn free_calls(&self) -> impl Iterator<Item = CallId> + '_ {
        self.free.iter().map(|&slot| self.relation.calls()[slot])
    }

    /// Visits the relations, each once, in lexical order of the free calls. Cost: O(calls³ / word) each.
    pub(crate) fn visit<B>(
        &self,
        mut visitor: impl FnMut(OrderRelation) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut passed = FixedBitSet::with_capacity(self.relation.calls().len());
        passed.insert_range(..);
        for &slot in &self.free {
            passed.remove(slot);
        }
        self.descend(&mut Vec::new(), &mut passed, &mut visitor)
    }

    /// Goes on with each free call whose free predecessors are placed. `passed` are the placed ones, and all calls that are not free.
    fn descend<B>(
        &self,
        placed: &mut Vec<usize>,
        passed: &mut FixedBitSet,
        visitor: &mut impl FnMut(OrderRelation) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if placed.len() == self.free.len() {
            return visitor(self.relation.with_chain(placed));
        }
        for &slot in &self.free {
            if passed.contains(slot) || !self.relation.is_slot_ready(slot, passed) {
                continue;
            }
            placed.push(slot);
            passed.insert(slot);
            self.descend(placed, passed, visitor)?;
            passed.remove(slot);
            placed.pop();
        }
        ControlFlow::Continue(())
    }
}

/// The SeqCst points of the calls of a relation that orders all calls with such points: one total order under which the relation comes about.
pub(crate) fn sc_points_in_order(recording: &Recording, relation: &OrderRelation) -> Vec<OperationId> {
    let mut calls: Vec<&MethodCall> = relation.calls().iter().map(|&call| recording.call(call)).collect();
    calls.retain(|call| sc_points(recording, call).next().is_some());
    // In a total order the number of those before tells the place.
    let place =
        |call: &&MethodCall| calls.iter().filter(|other| relation.is_ordered(other.id, call.id)).count();
    let mut placed: Vec<(usize, &MethodCall)> = calls.iter().map(|call| (place(call), *call)).collect();
    placed.sort_by_key(|(place, _)| *place);
    let mut points: Vec<OperationId> = Vec::new();
    for (_, call) in placed {
        let mut own: Vec<OperationId> = sc_points(recording, call).collect();
        own.sort_unstable();
        own.dedup();
        points.extend(own);
    }
    points
}

/// The relation of an object under a total order of its SeqCst points, as [`sc_points_in_order`] gives it.
pub(crate) fn under_sc_points(
    recording: &Recording,
    relation: &OrderRelation,
    points: &[OperationId],
) -> OrderRelation {
    let has = |call: CallId, point| sc_points(recording, recording.call(call)).any(|own| own == point);
    let slot = |&point| (0..relation.calls().len()).find(|&slot| has(relation.calls()[slot], point));
    let mut chain: Vec<usize> = points.iter().filter_map(slot).collect();
    chain.dedup();
    relation.with_chain(&chain)
}

fn sc_points<'a>(recording: &'a Recording, call: &'a MethodCall) -> impl Iterator<Item = OperationId> + 'a {
    let points = call.points.iter().map(|point| point.operation);
    points.filter(|&point| recording.operation(point).is_sc())
}
