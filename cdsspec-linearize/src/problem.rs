//! What is searched at a time: the calls of one part of an object, up to a moment.

use crate::history::{CallId, History, Precedence};
use crate::order::{NEVER, Order};
use crate::specification::SequentialSpecification;

/// Calls that are to be linearized, numbered from 0; in real time by their invocations.
pub(crate) struct Problem<'h, O, R> {
    pub(crate) calls: Vec<ProblemCall<'h, O, R>>,
    pub(crate) order: Order,
}

/// One of them.
pub(crate) struct ProblemCall<'h, O, R> {
    pub(crate) id: CallId,
    pub(crate) operation: &'h O,
    /// `None`: it may return whatever it likes.
    pub(crate) result: Option<&'h R>,
    /// Whether it returned, so that it must be linearized. Others may be left out.
    pub(crate) has_returned: bool,
}

impl<'h, O: PartialEq, R: PartialEq> Problem<'h, O, R> {
    /// The prefix of the history that ends at this moment, with the calls `ids` alone. A call that returned later is pending in it. What is pending, and changes no state
    /// whatever it returns, is left out: without it a linearization is one as well.
    pub(crate) fn new<S: SequentialSpecification<Operation = O, Result = R>>(
        specification: &S,
        history: &'h History<O, R>,
        ids: &[usize],
        end: u64,
    ) -> Self {
        let is_real_time = matches!(history.precedence, Precedence::RealTime);
        let end_of =
            |id: usize| history.calls[id].returned.filter(|&returned| returned <= end).unwrap_or(NEVER);
        let counts = |&id: &usize| {
            let call = &history.calls[id];
            let is_there = !is_real_time || call.invoked <= end;
            is_there && (end_of(id) != NEVER || !specification.is_read_only(&call.operation, None))
        };
        let mut ids: Vec<usize> = ids.iter().copied().filter(counts).collect();
        ids.sort_by_key(|&id| (history.calls[id].invoked, id));
        let order = Order::of(history, &ids, ids.iter().map(|&id| end_of(id)).collect());
        let call = |&id: &usize| {
            let call = &history.calls[id];
            let has_returned = end_of(id) != NEVER;
            ProblemCall {
                id: CallId(id as u32),
                operation: &call.operation,
                result: call.result.as_ref().filter(|_| has_returned),
                has_returned,
            }
        };
        Self { calls: ids.iter().map(call).collect(), order }
    }

    /// Whether all that returned is in the cut. No call that returned comes after one that did not, so the first of those that are left would be enabled.
    pub(crate) fn is_complete(&self, enabled: &[u32]) -> bool {
        enabled.iter().all(|&call| !self.calls[call as usize].has_returned)
    }

    /// Whether the call is pending, and an equal one, that is pending as well, is enabled before it, and nothing comes after either. The two can change places in whatever is to come: the
    /// first alone is tried.
    pub(crate) fn is_twin(&self, enabled: &[u32], call: u32) -> bool {
        let of = |call: u32| &self.calls[call as usize];
        let is_free = |call: u32| !of(call).has_returned && self.order.is_last(call);
        let is_equal = |other: u32| is_free(other) && of(other).operation == of(call).operation;
        is_free(call) && enabled.iter().take_while(|&&other| other < call).any(|&other| is_equal(other))
    }

    /// The enabled calls, those that returned last first: a stack of these is worked off beginning with the most urgent one.
    pub(crate) fn by_urgency(&self, enabled: &[u32]) -> Vec<u32> {
        let mut calls = enabled.to_vec();
        calls.sort_by_key(|&call| std::cmp::Reverse((self.order.return_of(call), call)));
        calls
    }

    /// These calls, as the history numbers them.
    pub(crate) fn ids(&self, calls: &[u32]) -> Vec<CallId> {
        calls.iter().map(|&call| self.calls[call as usize].id).collect()
    }
}
