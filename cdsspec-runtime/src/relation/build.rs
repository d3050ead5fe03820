//! Extracts r from a recording.

use super::matrix::BitMatrix;
use super::{Cycle, CycleEdge, EdgeReason, OrderRelation};
use crate::record::{CallId, MethodCall, OperationId, Recording};

impl OrderRelation {
    /// The order r over all calls of a recording, those of all objects. Calls without ordering points are unordered with all others.
    ///
    /// Cost: O(points² + calls³ / word), plus O(calls³) where there is a cycle.
    ///
    /// # Errors
    /// A shortest cycle, if there is one: then r is no order. Contradicting pairs are cycles of two calls.
    ///
    /// # Paper
    /// CDSSpec, section 5.2, "Extracting the Ordering Relation".
    pub fn of(recording: &Recording) -> Result<Self, Cycle> {
        let calls = &recording.calls;
        let mut before = BitMatrix::new(calls.len());
        for (row, second) in calls.iter().enumerate() {
            if second.points.is_empty() {
                continue;
            }
            for (column, first) in calls.iter().enumerate() {
                if row != column && direct_edge(recording, first, second).is_some() {
                    before.insert(row, column);
                }
            }
        }
        let direct = before.clone();
        let ids = calls.iter().map(|call| call.id).collect();
        Self::close(ids, before).ok_or_else(|| Cycle::shortest(recording, &direct))
    }
}

/// Why `first` is before `second`, if it is, without going by other calls: the first pair of points, happens-before before sc.
pub(crate) fn direct_edge(
    recording: &Recording,
    first: &MethodCall,
    second: &MethodCall,
) -> Option<CycleEdge> {
    let edge = |x: OperationId, y: OperationId, reason| CycleEdge {
        from: first.id,
        to: second.id,
        first: x,
        second: y,
        reason,
    };
    let pairs = || {
        let seconds = move |x: OperationId| second.points.iter().map(move |point| (x, point.operation));
        first.points.iter().flat_map(move |point| seconds(point.operation))
    };
    let hb = pairs().find(|&(x, y)| recording.happens_before(x, y));
    if let Some((x, y)) = hb {
        return Some(edge(x, y, EdgeReason::HappensBefore));
    }
    pairs().find(|&(x, y)| recording.sc_before(x, y)).map(|(x, y)| edge(x, y, EdgeReason::Sc))
}

/// The calls around a cycle as edges.
pub(super) fn edges_around(recording: &Recording, cycle: &[CallId]) -> Vec<CycleEdge> {
    (0..cycle.len())
        .map(|index| {
            let (from, to) = (cycle[index], cycle[(index + 1) % cycle.len()]);
            direct_edge(recording, recording.call(from), recording.call(to))
                .expect("cdsspec bug: a cycle is made of direct edges")
        })
        .collect()
}
