//! What orders two calls.

use crate::record::{CallId, MethodCall, OperationId, Recording};

/// Why one call is ordered before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CycleEdge {
    /// The earlier call.
    pub from: CallId,
    /// The later call.
    pub to: CallId,
    /// The ordering point of the earlier call.
    pub first: OperationId,
    /// The ordering point of the later call.
    pub second: OperationId,
    /// What orders the two.
    pub reason: EdgeReason,
}

/// What orders two ordering points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeReason {
    /// happens-before
    HappensBefore,
    /// the order of SeqCst operations
    Sc,
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
