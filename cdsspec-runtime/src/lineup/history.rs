//! Serial and concurrent histories of a matrix.

use super::interval::Boundary;
use crate::scenario::{Matrix, Slot, Value};
use std::fmt;

/// What became of a call of a matrix.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Made {
    /// It was not made.
    Not,
    /// It was invoked, and can never return.
    Pending,
    /// It returned this.
    Returned(Value),
}

/// The results of the calls of a matrix, by their slots.
pub type Results = Vec<Made>;

/// A serial history: calls one after the other. It is stuck if the last one did not return.
///
/// # Paper
/// Line-Up, sections 2.1 and 2.3.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SerialHistory {
    /// The calls in order, with what they returned; only the last may have `None`.
    pub calls: Vec<(Slot, Option<Value>)>,
}

impl SerialHistory {
    /// Whether its last call did not return.
    pub fn is_stuck(&self) -> bool {
        self.calls.last().is_some_and(|(_, value)| value.is_none())
    }

    /// What became of the calls of a matrix of so many.
    pub(super) fn results(&self, call_count: usize) -> Results {
        let mut results = vec![Made::Not; call_count];
        for (slot, value) in &self.calls {
            results[slot.index()] = value.clone().map_or(Made::Pending, Made::Returned);
        }
        results
    }

    /// The history in words, a line a call.
    pub fn lines(&self, matrix: &Matrix) -> Vec<String> {
        let names = Names::of(matrix);
        let line = |(slot, value): &(Slot, Option<Value>)| match value {
            Some(value) => names.returned(*slot, value),
            None => format!("{} does not return", names.call(*slot)),
        };
        self.calls.iter().map(line).collect()
    }
}

/// A concurrent history: what became of the calls, and which had returned before which others began. It is stuck if a call is pending.
///
/// # Paper
/// Line-Up, sections 2.1 and 2.3. The order `<_H` is that of [`Precedence`](super::Precedence).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ConcurrentHistory {
    /// What became of each call.
    pub results: Results,
    /// `precedes[a][b]`: whether `a` had returned before `b` began; transitive, and has the order of each thread.
    pub precedes: Vec<Vec<bool>>,
    /// Under [`Precedence::RealTime`](super::Precedence::RealTime) the invocations and returns in the order of time, as far as they
    /// matter.
    pub boundaries: Vec<Boundary>,
}

impl ConcurrentHistory {
    /// Whether a call is pending.
    pub fn is_stuck(&self) -> bool {
        self.results.contains(&Made::Pending)
    }

    /// The pending calls.
    pub fn pending(&self) -> impl Iterator<Item = Slot> {
        let results = self.results.iter().enumerate();
        results.filter(|(_, made)| **made == Made::Pending).map(|(index, _)| Slot::new(index))
    }

    /// `H[e]` of a pending call `e`: without the other pending ones. Of a full history it is the history.
    ///
    /// # Paper
    /// Line-Up, definition 2.
    pub(super) fn results_with(&self, pending: Option<Slot>) -> Results {
        let results = self.results.iter().enumerate();
        let kept = |(index, made): (usize, &Made)| match made {
            Made::Pending if pending != Some(Slot::new(index)) => Made::Not,
            made => made.clone(),
        };
        results.map(kept).collect()
    }

    /// The history in words: the calls of each thread, then which calls of other threads were over before which began.
    pub fn lines(&self, matrix: &Matrix) -> Vec<String> {
        let names = Names::of(matrix);
        let mut lines = Vec::new();
        for (slot, _, _) in matrix.calls() {
            match &self.results[slot.index()] {
                Made::Not => {}
                Made::Pending => lines.push(format!("{} never returns", names.call(slot))),
                Made::Returned(value) => lines.push(names.returned(slot, value)),
            }
        }
        for (first, second) in self.shown_order(&names) {
            lines.push(format!("{} is over before {} begins", names.short(first), names.short(second)));
        }
        lines
    }

    /// The pairs of the order between threads that follow from no other pairs.
    fn shown_order(&self, names: &Names) -> Vec<(Slot, Slot)> {
        let count = self.precedes.len();
        let is_before = |first: usize, second: usize| self.precedes[first][second];
        let mut pairs = Vec::new();
        for first in 0..count {
            for second in 0..count {
                let is_implied = || (0..count).any(|via| is_before(first, via) && is_before(via, second));
                let (one, other) = (Slot::new(first), Slot::new(second));
                if is_before(first, second) && !names.are_of_one_thread(one, other) && !is_implied() {
                    pairs.push((one, other));
                }
            }
        }
        pairs
    }
}

/// How the calls of a matrix are called in texts.
pub(super) struct Names {
    calls: Vec<(Option<u16>, String)>,
}

impl Names {
    pub(super) fn of(matrix: &Matrix) -> Self {
        use crate::scenario::Caller;
        let name = |caller: Caller, text: &str| match caller {
            Caller::Initial | Caller::Last => (None, text.to_owned()),
            Caller::Column(column) => (Some(column), text.to_owned()),
        };
        Self { calls: matrix.calls().map(|(_, caller, entry)| name(caller, &entry.name)).collect() }
    }

    fn thread(&self, slot: Slot) -> String {
        match self.calls[slot.index()].0 {
            Some(column) => format!("thread {}", column + 1),
            None => "main".to_owned(),
        }
    }

    /// `#3 thread 2: deq()`
    pub(super) fn call(&self, slot: Slot) -> String {
        format!("#{} {}: {}", slot.index(), self.thread(slot), self.calls[slot.index()].1)
    }

    /// The same with what it returned.
    pub(super) fn returned(&self, slot: Slot, value: &Value) -> String {
        if value.is_unit() { self.call(slot) } else { format!("{} -> {value}", self.call(slot)) }
    }

    /// `#3 deq()`
    pub(super) fn short(&self, slot: Slot) -> String {
        format!("#{} {}", slot.index(), self.calls[slot.index()].1)
    }

    fn are_of_one_thread(&self, first: Slot, second: Slot) -> bool {
        self.calls[first.index()].0 == self.calls[second.index()].0
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Not => f.write_str("not made"),
            Self::Pending => f.write_str("pending"),
            Self::Returned(value) => write!(f, "{value}"),
        }
    }
}
