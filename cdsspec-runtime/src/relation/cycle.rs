//! Cycles in what should be an order.

use super::edge::{CycleEdge, edges_around};
use super::matrix::BitMatrix;
use crate::record::{CallId, OperationId, Recording};
use std::collections::VecDeque;

/// A cycle in the order of the calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// The calls around the cycle: each edge ends where the next begins, the last where the first begins. No cycle is shorter; of
    /// the shortest ones it is the first, beginning at the call that was invoked first.
    pub edges: Vec<CycleEdge>,
    /// Whether hb ∪ sc on the ordering points has a cycle by itself, so that no choice of calls could avoid it. RC11 allows that.
    pub is_memory_model: bool,
}

impl Cycle {
    /// A shortest cycle of a relation that has one; row `b` of `before` is the set of calls directly before `b`.
    ///
    /// Cost: O(calls³ + points³ / word).
    pub(super) fn shortest(recording: &Recording, before: &BitMatrix) -> Self {
        let cycle = (0..before.size())
            .filter_map(|start| shortest_cycle_through(before, start))
            .min_by_key(Vec::len)
            .expect("cdsspec bug: the relation has a cycle");
        let calls: Vec<CallId> = cycle.into_iter().map(CallId::new).collect();
        Self { edges: edges_around(recording, &calls), is_memory_model: is_memory_model_cyclic(recording) }
    }
}

/// A shortest cycle through `start`, as it goes forward from there. Searches backwards, breadth first, smallest first.
pub(super) fn shortest_cycle_through(before: &BitMatrix, start: usize) -> Option<Vec<usize>> {
    let mut next = vec![None; before.size()];
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for earlier in before.columns(at) {
            if earlier == start {
                let mut cycle = vec![start];
                let mut step = at;
                while step != start {
                    cycle.push(step);
                    step = next[step].expect("cdsspec bug: a reached call has a way to the start");
                }
                return Some(cycle);
            }
            if next[earlier].is_none() {
                next[earlier] = Some(at);
                open.push_back(earlier);
            }
        }
    }
    None
}

/// Whether hb ∪ sc, restricted to the ordering points, has a cycle.
fn is_memory_model_cyclic(recording: &Recording) -> bool {
    let mut points: Vec<OperationId> =
        recording.calls.iter().flat_map(|call| call.points.iter().map(|point| point.operation)).collect();
    points.sort_unstable();
    points.dedup();
    let mut before = BitMatrix::new(points.len());
    for (row, &second) in points.iter().enumerate() {
        for (column, &first) in points.iter().enumerate() {
            if recording.happens_before(first, second) || recording.sc_before(first, second) {
                before.insert(row, column);
            }
        }
    }
    before.close();
    (0..points.len()).any(|point| before.contains(point, point))
}
