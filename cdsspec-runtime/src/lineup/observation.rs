//! What serial executions of a matrix were seen to do.

use super::history::{Made, Results, SerialHistory};
use crate::scenario::{Caller, Entry, Matrix, Slot, Value};
use std::collections::BTreeMap;

/// The serial histories of a matrix: the specification that phase 1 synthesises.
///
/// # Paper
/// The sets `A` and `B` of Line-Up, figure 5; grouped as in section 4.2.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ObservationSet {
    call_count: usize,
    /// Whether values are compared by their texts.
    is_of_texts: bool,
    histories: Vec<SerialHistory>,
    /// The orders of the calls, by what became of them: a serial witness has the results of its history.
    groups: BTreeMap<Results, Vec<Vec<Slot>>>,
}

impl ObservationSet {
    /// The set of these histories of a matrix with so many calls. They are sorted, and each is kept once.
    pub fn new(call_count: usize, histories: impl IntoIterator<Item = SerialHistory>) -> Self {
        let mut histories: Vec<_> = histories.into_iter().collect();
        histories.sort_unstable();
        histories.dedup();
        let mut groups: BTreeMap<Results, Vec<Vec<Slot>>> = BTreeMap::new();
        for history in &histories {
            let order = history.calls.iter().map(|(slot, _)| *slot).collect();
            groups.entry(history.results(call_count)).or_default().push(order);
        }
        Self { call_count, is_of_texts: false, histories, groups }
    }

    /// The same with each value as its text, as a file has it.
    #[must_use]
    pub fn as_texts(&self) -> Self {
        let calls = |history: &SerialHistory| {
            history.calls.iter().map(|(slot, value)| (*slot, value.as_ref().map(text_of))).collect()
        };
        let histories = self.histories.iter().map(|history| SerialHistory { calls: calls(history) });
        Self { is_of_texts: true, ..Self::new(self.call_count, histories) }
    }

    /// What became of the calls of a concurrent history, in the form in which values are compared here.
    pub(super) fn in_form(&self, results: Results) -> Results {
        let made = |made| match made {
            Made::Returned(value) if self.is_of_texts => Made::Returned(text_of(&value)),
            made => made,
        };
        results.into_iter().map(made).collect()
    }

    /// What a sequential model of the structure does in a test: its state at first, and what a call, by its name, makes of a state and returns; `None`
    /// if it waits there.
    ///
    /// ```
    /// # use cdsspec_runtime::{lineup::ObservationSet, scenario::Scenario};
    /// let scenario = Scenario::new(|| ()).op("inc()", |()| ().into()).op("dec()", |()| ().into());
    /// let matrix = scenario.matrix([["inc()"], ["dec()"]]);
    /// let observations = ObservationSet::of_model(&matrix, 0_u32, |count, call| {
    ///     *count = if call == "inc()" { *count + 1 } else { count.checked_sub(1)? };
    ///     Some(().into())
    /// });
    /// assert_eq!((observations.full_count(), observations.stuck_count()), (1, 1));
    /// ```
    ///
    /// # Paper
    /// A specification automaton: Line-Up, section 2.1.2, figure 3.
    pub fn of_model<S: Clone>(
        matrix: &Matrix,
        initial: S,
        step: impl Fn(&mut S, &str) -> Option<Value>,
    ) -> Self {
        let all: Vec<(Slot, Caller, &Entry)> = matrix.calls().collect();
        let mut histories = Vec::new();
        let mut open = vec![(SerialHistory { calls: Vec::new() }, initial)];
        while let Some((history, state)) = open.pop() {
            if history.is_stuck() || history.calls.len() == all.len() {
                histories.push(history);
                continue;
            }
            let is_made = |slot: Slot| history.calls.iter().any(|(made, _)| *made == slot);
            for &(slot, caller, entry) in &all {
                let is_before =
                    |other: &&(Slot, Caller, &Entry)| other.0 < slot && comes_first(other.1, caller);
                if is_made(slot) || !all.iter().filter(is_before).all(|(before, ..)| is_made(*before)) {
                    continue;
                }
                let (mut history, mut state) = (history.clone(), state.clone());
                let value = step(&mut state, &entry.name);
                history.calls.push((slot, value));
                open.push((history, state));
            }
        }
        Self::new(all.len(), histories)
    }

    /// The histories, in order.
    pub fn histories(&self) -> &[SerialHistory] {
        &self.histories
    }

    /// How many of them are full.
    pub fn full_count(&self) -> usize {
        self.histories.iter().filter(|history| !history.is_stuck()).count()
    }

    /// How many of them are stuck.
    pub fn stuck_count(&self) -> usize {
        self.histories.len() - self.full_count()
    }

    /// How many groups there are: histories with the same calls and results.
    pub fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// The orders of the calls in the serial histories with these results.
    pub(super) fn orders(&self, results: &Results) -> &[Vec<Slot>] {
        self.groups.get(results).map_or(&[], Vec::as_slice)
    }

    /// The histories by what became of the calls, in order of that: their calls in order.
    pub fn groups(&self) -> impl Iterator<Item = (&Results, &[Vec<Slot>])> {
        self.groups.iter().map(|(results, orders)| (results, orders.as_slice()))
    }

    /// Two histories whose longest common prefix ends with an invocation: what no deterministic specification has. That a call counts as not made
    /// aside; of one whose result is exempt it is told whether it returns.
    ///
    /// Histories are sorted call by call, so those that have a prefix and the next invocation in common stand together; where they go on
    /// differently, two neighbours do. That a call counts as not made is the greatest, so it never stands between two others.
    ///
    /// # Paper
    /// Line-Up, section 2.1.2; figure 5, line 4.
    pub fn nondeterminism(&self) -> Option<(&SerialHistory, &SerialHistory)> {
        let differ = |pair: &&[SerialHistory]| {
            let (first, second) = (&pair[0].calls, &pair[1].calls);
            let difference = first.iter().zip(second).find(|(one, other)| one != other);
            difference.is_some_and(|(one, other)| one.0 == other.0 && other.1 != Some(Value::Unmade))
        };
        self.histories.windows(2).find(differ).map(|pair| (&pair[0], &pair[1]))
    }

    /// Whether some serial history has these results and keeps an order of the calls: the first one that does.
    ///
    /// # Paper
    /// A serial witness: Line-Up, section 2.1.4.
    pub(super) fn witness(&self, results: &Results, precedes: &[Vec<bool>]) -> Option<&[Slot]> {
        self.orders(results).iter().find(|order| keeps(order, precedes)).map(Vec::as_slice)
    }

    /// How many calls the matrix has.
    pub fn call_count(&self) -> usize {
        self.call_count
    }
}

fn text_of(value: &Value) -> Value {
    match value {
        Value::Exempt | Value::Unmade => value.clone(),
        value => Value::Shown(value.to_string()),
    }
}

/// Whether the calls of the one are made before those of the other.
fn comes_first(first: Caller, second: Caller) -> bool {
    first == second || first == Caller::Initial || second == Caller::Last
}

/// Whether no call of a serial history stands before one that precedes it. Cost: the square of the calls.
fn keeps(order: &[Slot], precedes: &[Vec<bool>]) -> bool {
    order.iter().enumerate().all(|(index, later)| {
        let earlier = &order[..index];
        earlier.iter().all(|earlier| !precedes[later.index()][earlier.index()])
    })
}

/// Whether each call returned, or was made at all.
pub(super) fn is_full(results: &Results) -> bool {
    results.iter().all(|made| matches!(made, Made::Returned(_)))
}
