//! Why calls are ordered, in words (CDSSpec, section 5.2).

use super::name::{Names, operation_text};
use crate::check::EdgeReason;
use crate::record::{CallId, OperationId, Recording};

/// The order of the calls, as far as a report needs it: direct edges, and what follows from them.
pub(super) struct Order {
    direct: Vec<Vec<Option<Edge>>>,
    closed: Vec<Vec<bool>>,
}

#[derive(Clone, Copy)]
struct Edge {
    first: OperationId,
    second: OperationId,
    reason: EdgeReason,
}

impl Order {
    pub(super) fn of(recording: &Recording) -> Self {
        let calls: Vec<_> = recording.calls.iter().map(|call| call.id).collect();
        let direct: Vec<Vec<_>> = calls
            .iter()
            .map(|&first| calls.iter().map(|&second| direct_edge(recording, first, second)).collect())
            .collect();
        let mut closed: Vec<Vec<bool>> =
            direct.iter().map(|row| row.iter().map(Option::is_some).collect()).collect();
        for middle in 0..calls.len() {
            let onward = closed[middle].clone();
            for row in closed.iter_mut().filter(|row| row[middle]) {
                row.iter_mut().zip(&onward).for_each(|(reached, next)| *reached |= next);
            }
        }
        Self { direct, closed }
    }

    pub(super) fn is_ordered(&self, first: CallId, second: CallId) -> bool {
        self.closed[first.index()][second.index()]
    }

    /// Neither before the other.
    pub(super) fn is_concurrent(&self, first: CallId, second: CallId) -> bool {
        first != second && !self.is_ordered(first, second) && !self.is_ordered(second, first)
    }

    /// Why `first` is before `second`, in a phrase.
    pub(super) fn why(&self, names: &Names<'_>, first: CallId, second: CallId) -> String {
        match self.direct[first.index()][second.index()] {
            Some(edge) => edge_text(names, edge.first, edge.second, edge.reason),
            None => {
                let middle = (0..self.closed.len()).map(CallId::new).find(|&middle| {
                    self.direct[first.index()][middle.index()].is_some() && self.is_ordered(middle, second)
                });
                match middle {
                    Some(middle) => format!("by way of {}", names.call(middle)),
                    None => "not ordered".to_owned(),
                }
            }
        }
    }
}

/// `store(Release) at q.rs:10 happens before load(Acquire) at q.rs:20`.
pub(super) fn edge_text(
    names: &Names<'_>,
    first: OperationId,
    second: OperationId,
    reason: EdgeReason,
) -> String {
    let [first, second] = [first, second].map(|id| {
        let operation = names.recording.operation(id);
        format!("{} at {}", operation_text(operation), operation.place.source)
    });
    let relation = match reason {
        EdgeReason::HappensBefore => "happens before",
        EdgeReason::Sc => "is sc-before",
    };
    format!("{first} {relation} {second}")
}

fn direct_edge(recording: &Recording, first: CallId, second: CallId) -> Option<Edge> {
    if first == second {
        return None;
    }
    let points = |call| recording.call(call).points.iter().map(|point| point.operation);
    let pairs = || points(first).flat_map(|x| points(second).map(move |y| (x, y)));
    let edge = |(first, second), reason| Edge { first, second, reason };
    pairs()
        .find(|&(x, y)| recording.happens_before(x, y))
        .map(|pair| edge(pair, EdgeReason::HappensBefore))
        .or_else(|| pairs().find(|&(x, y)| recording.sc_before(x, y)).map(|pair| edge(pair, EdgeReason::Sc)))
}
