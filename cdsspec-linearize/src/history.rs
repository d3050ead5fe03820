//! Histories: calls, and which of them precede which.

use fixedbitset::FixedBitSet;
use std::fmt;

/// A call of a history, by its place there, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u32);

impl CallId {
    /// Its place.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<O, R> {
    /// Who called: a label, which decides nothing.
    pub thread: u64,
    /// What was called, with its arguments.
    pub operation: O,
    /// What it returned. `None`: nobody knows, as of a pending call.
    pub result: Option<R>,
    /// The moment of the invocation.
    pub invoked: u64,
    /// The moment of the return, before `u64::MAX`. `None`: the call is pending, for ever, and may or may not have taken effect.
    pub returned: Option<u64>,
}

/// Calls, and which of them precede which.
#[derive(Clone, Debug)]
pub struct History<O, R> {
    pub(crate) calls: Vec<Call<O, R>>,
    pub(crate) precedence: Precedence,
}

#[derive(Clone, Debug)]
pub(crate) enum Precedence {
    /// A call precedes another one if it returned before the other was invoked.
    RealTime,
    /// For each call those that precede it, closed.
    Partial(Vec<FixedBitSet>),
}

/// Why calls are no history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryError {
    /// The call returned before it was invoked.
    ReturnsBeforeItBegins(CallId),
    /// The call returned at the last moment that `u64` has, which is behind all returns: a moment that stands for none, most often.
    ReturnsAtTheLastMoment(CallId),
    /// The call is pending, and has a result.
    ResultWithoutReturn(CallId),
    /// The first of these calls is to precede the second one, but is pending, or returned at the same moment or later; or one of them is not there.
    NotInOrderOfReturns(CallId, CallId),
    /// There are more calls than `u32` has numbers.
    TooLong,
}

impl fmt::Display for HistoryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReturnsBeforeItBegins(call) => {
                write!(formatter, "call {} returned before it was invoked", call.0)
            }
            Self::ReturnsAtTheLastMoment(call) => {
                write!(
                    formatter,
                    "call {} returned at the moment {}, which is too late: a call is pending if it has no such moment",
                    call.0,
                    u64::MAX
                )
            }
            Self::ResultWithoutReturn(call) => {
                write!(formatter, "call {} has a result, and did not return", call.0)
            }
            Self::NotInOrderOfReturns(one, other) => {
                write!(
                    formatter,
                    "call {} is to precede call {}, but did not return before it",
                    one.0, other.0
                )
            }
            Self::TooLong => write!(formatter, "there are too many calls"),
        }
    }
}

impl std::error::Error for HistoryError {}

impl<O, R> History<O, R> {
    /// Calls in real time: one precedes another one if it returned before the other was invoked (Herlihy and Wing).
    ///
    /// # Errors
    /// A call returned before it was invoked, or at the moment `u64::MAX`, or has a result without a return; or there are too many.
    pub fn new(calls: Vec<Call<O, R>>) -> Result<Self, HistoryError> {
        if u32::try_from(calls.len()).is_err() {
            return Err(HistoryError::TooLong);
        }
        for (id, call) in (0..).map(CallId).zip(&calls) {
            if call.returned.is_some_and(|returned| returned < call.invoked) {
                return Err(HistoryError::ReturnsBeforeItBegins(id));
            }
            // Searches have that moment for what never returns.
            if call.returned == Some(u64::MAX) {
                return Err(HistoryError::ReturnsAtTheLastMoment(id));
            }
            if call.returned.is_none() && call.result.is_some() {
                return Err(HistoryError::ResultWithoutReturn(id));
            }
        }
        Ok(Self { calls, precedence: Precedence::RealTime })
    }

    /// Calls in any partial order, given by pairs of which the first precedes the second: happens-before, say. It is closed here. The moments then say only which calls are
    /// pending, and the order in which prefixes are looked at. n²/8 bytes for n calls.
    ///
    /// # Errors
    /// As [`History::new`]; or the order is not one of those in which the calls returned.
    pub fn with_order(calls: Vec<Call<O, R>>, before: &[(CallId, CallId)]) -> Result<Self, HistoryError> {
        let mut history = Self::new(calls)?;
        let calls = &history.calls;
        let moment = |call: CallId| calls.get(call.index()).map(|call| call.returned.unwrap_or(u64::MAX));
        for &(one, other) in before {
            match (moment(one), moment(other)) {
                (Some(first), Some(second)) if first < second => {}
                _ => return Err(HistoryError::NotInOrderOfReturns(one, other)),
            }
        }
        let mut rows = vec![FixedBitSet::with_capacity(calls.len()); calls.len()];
        let mut sorted = before.to_vec();
        sorted.sort_by_key(|&(one, other)| (moment(other), other, one));
        for (one, other) in sorted {
            // All that precedes `one` is there already: it returned earlier.
            let row = rows[one.index()].clone();
            rows[other.index()].union_with(&row);
            rows[other.index()].insert(one.index());
        }
        history.precedence = Precedence::Partial(rows);
        Ok(history)
    }

    /// The calls, by their ids.
    #[must_use]
    pub fn calls(&self) -> &[Call<O, R>] {
        &self.calls
    }

    /// The call with this id.
    ///
    /// # Panics
    /// It is of another history.
    #[must_use]
    pub fn call(&self, id: CallId) -> &Call<O, R> {
        &self.calls[id.index()]
    }

    /// Whether one call precedes another one.
    ///
    /// # Panics
    /// One of them is of another history.
    #[must_use]
    pub fn precedes(&self, one: CallId, other: CallId) -> bool {
        match &self.precedence {
            Precedence::RealTime => {
                self.call(one).returned.is_some_and(|returned| returned < self.call(other).invoked)
            }
            Precedence::Partial(rows) => rows[other.index()].contains(one.index()),
        }
    }
}
