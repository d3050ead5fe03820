//! Why calls are ordered (CDSSpec, section 5.2).

use crate::check::{CycleEdge, EdgeReason, Finding};
use crate::record::{CallId, OperationId, Recording};
use crate::relation::{OrderRelation, direct_edge, under_sc_points};
use std::collections::HashMap;

/// Two calls of which one is before the other in r.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OrderedCalls {
    /// The earlier call.
    pub first: CallId,
    /// The later call.
    pub second: CallId,
    /// Why; in the JSON it stands in this object itself.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub reason: OrderReason,
}

/// Why a call is before another. The operations are ordering points: one of the earlier call, and one of the later.
///
/// Serialised, with the feature `json`, `by` is the name of the variant in `snake_case`, beside what that has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(tag = "by", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum OrderReason {
    /// The first operation happens before the second.
    HappensBefore {
        /// The operations.
        operations: [OperationId; 2],
    },
    /// The first operation is before the second in the order of SeqCst operations that the memory model gives.
    Sc {
        /// The operations.
        operations: [OperationId; 2],
    },
    /// The first operation is before the second in the total order of SeqCst operations that the finding names.
    ChosenSc {
        /// The operations.
        operations: [OperationId; 2],
    },
    /// No operations order them: it follows from those that order the first call before this one, which is before the second.
    Through {
        /// The call.
        call: CallId,
    },
}

/// An edge of a cycle.
pub(super) fn edge(edge: &CycleEdge) -> OrderedCalls {
    let operations = [edge.first, edge.second];
    let reason = match edge.reason {
        EdgeReason::HappensBefore => OrderReason::HappensBefore { operations },
        EdgeReason::Sc => OrderReason::Sc { operations },
    };
    OrderedCalls { first: edge.from, second: edge.to, reason }
}

/// The order r of the calls of the object that a finding is about, with the total order of the SeqCst points that it names.
pub(super) struct Order<'a> {
    pub(super) relation: OrderRelation,
    sc: &'a [OperationId],
}

impl<'a> Order<'a> {
    pub(super) fn of(recording: &Recording, finding: &'a Finding) -> Option<Self> {
        let relation = OrderRelation::of_objects(recording).ok()?.swap_remove(finding.object()?.index());
        let sc = finding.sc();
        Some(Self { relation: under_sc_points(recording, &relation, sc), sc })
    }

    /// Every pair of it, sorted, with the reason. Cost: O(calls² · points² + calls³).
    pub(super) fn pairs(&self, recording: &Recording) -> Vec<OrderedCalls> {
        let calls = self.relation.calls();
        let all = calls.iter().flat_map(|&first| calls.iter().map(move |&second| (first, second)));
        let ordered: Vec<_> =
            all.filter(|&(first, second)| self.relation.is_ordered(first, second)).collect();
        let direct: HashMap<_, _> = ordered
            .iter()
            .filter_map(|&pair| Some((pair, self.direct(recording, pair.0, pair.1)?)))
            .collect();
        let through = |(first, second)| {
            let is_between = |&middle: &CallId| {
                self.relation.is_ordered(middle, second) && direct.contains_key(&(first, middle))
            };
            let call = calls.iter().copied().find(is_between);
            OrderReason::Through {
                call: call.expect("cdsspec bug: r is closed over what orders calls directly"),
            }
        };
        let reason = |pair| direct.get(&pair).copied().unwrap_or_else(|| through(pair));
        ordered
            .iter()
            .map(|&pair| OrderedCalls { first: pair.0, second: pair.1, reason: reason(pair) })
            .collect()
    }

    /// Why `first` is before `second`, if it is so without going by other calls.
    fn direct(&self, recording: &Recording, first: CallId, second: CallId) -> Option<OrderReason> {
        if let Some(direct) = direct_edge(recording, recording.call(first), recording.call(second)) {
            return Some(edge(&direct).reason);
        }
        let place = |call: CallId| {
            let is_its =
                |id: &OperationId| recording.call(call).points.iter().any(|point| point.operation == *id);
            self.sc.iter().position(is_its)
        };
        let (earlier, later) = (place(first)?, place(second)?);
        let operations = [self.sc[earlier], self.sc[later]];
        (earlier < later).then_some(OrderReason::ChosenSc { operations })
    }
}
