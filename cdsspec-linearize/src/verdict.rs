//! What a history comes to.

use crate::history::CallId;
use crate::limit::Limit;

/// Whether a history is linearizable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// It is.
    Linearizable(Witness),
    /// It is not.
    NotLinearizable(Refusal),
    /// A limit was reached before either was known.
    Inconclusive(Stopped),
}

/// An order of calls in which the specification does what they did: all that returned, and those pending ones that took effect.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Witness {
    /// The calls, in that order.
    pub order: Vec<CallId>,
    /// How many steps of the specification were tried.
    pub step_count: u64,
}

/// Why a history is not linearizable: a prefix of it is not, which is no longer than up to a return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The call whose return ends the prefix. Whatever is before that is linearizable, with the call pending.
    pub call: CallId,
    /// The moment of that return.
    pub moment: u64,
    /// Whether what is before is known to be linearizable. Otherwise a limit was reached in finding the smallest such prefix.
    pub is_smallest: bool,
    /// How many invocations and returns are before that return: the length of the longest linearizable prefix, if `is_smallest`.
    pub event_count: usize,
    /// The calls of the part of the object that is at fault: all, if it has none.
    pub part: Vec<CallId>,
    /// Of these calls, a witness of the longest prefix that is known to be linearizable. Some of these calls may return later than it ends.
    pub prefix: Vec<CallId>,
    /// How many steps of the specification were tried.
    pub step_count: u64,
}

/// Where a search stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stopped {
    /// The limit that was reached.
    pub limit: Limit,
    /// The calls of the part of the object that was searched.
    pub part: Vec<CallId>,
    /// The longest order of these calls that was found.
    pub furthest: Vec<CallId>,
    /// All calls that return before this moment are linearizable together; `None`: not even the first one was reached.
    pub moment: Option<u64>,
    /// How many steps of the specification were tried.
    pub step_count: u64,
}
