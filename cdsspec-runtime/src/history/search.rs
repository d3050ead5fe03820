//! The search over linear extensions.

use super::ObjectCalls;
use super::chain::DownSet;
use super::frontier::Frontier;
use super::memo::{Known, Memo};
use super::state::{State, States};
use crate::record::SpecificationError;
use fixedbitset::FixedBitSet;
use std::ops::ControlFlow;

/// How many histories one execution may still look at. One that ends at a state that was seen before counts, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    left: Option<u64>,
    forgotten: u64,
}

impl Budget {
    /// So many; `None`: any number.
    pub fn new(histories_max: Option<u64>) -> Self {
        Self { left: histories_max, forgotten: 0 }
    }

    /// How many states that were looked at the searches have forgotten: they may have looked at some of them again.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// Takes one; `false` if none is left.
    pub(crate) fn take(&mut self) -> bool {
        match &mut self.left {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchEnd<S> {
    /// All that was asked for was looked at.
    Finished,
    /// What was looked for was found.
    Stopped(S),
    /// The budget is used up.
    Limit,
    /// The specification failed.
    Failed(SpecificationError),
}

/// Why a search does not go on.
pub(super) enum Stop<S> {
    Found(S),
    Limit,
    Failed(SpecificationError),
}

impl<S> From<SpecificationError> for Stop<S> {
    fn from(error: SpecificationError) -> Self {
        Self::Failed(error)
    }
}

/// What a search does at each step.
pub(super) trait Walker {
    /// What ends the search.
    type Found;

    /// The next call, after those in `before`.
    fn step(
        &mut self,
        before: &[usize],
        slot: usize,
        state: &mut State<'_>,
    ) -> ControlFlow<Stop<Self::Found>>;

    /// All calls are placed.
    fn end(&mut self, order: &[usize], state: State<'_>) -> ControlFlow<Stop<Self::Found>>;
}

/// Visits the orders of some calls of an object that extend r, in lexical order of slots, without those that end in a (down-set,
/// state) pair that was seen before.
///
/// Cost: O(pairs · chains) with the memo, as long as it forgets nothing, beside the steps of the specification, where pairs is the number of different (down-set, state) pairs, at most 2^calls · states;
/// O(calls!) without it.
pub(super) struct Search<'a, 'b, V> {
    /// Which calls may come next.
    frontier: Frontier<'a>,
    member_count: usize,
    budget: &'b mut Budget,
    memo: Option<Memo<'a>>,
    pub(super) visitor: V,
    done: DownSet<'a>,
    order: Vec<usize>,
    /// How many orders were completed, those behind a seen pair included.
    pub(super) count: u64,
}

impl<'a, 'b, V: Walker> Search<'a, 'b, V> {
    /// `members`: which calls; with each all its predecessors.
    pub(super) fn new(
        calls: &'a ObjectCalls<'a>,
        members: FixedBitSet,
        memo_bytes_max: usize,
        budget: &'b mut Budget,
        visitor: V,
    ) -> Self {
        let has_memo = memo_bytes_max > 0 && State::has_key(calls) && !calls.relation().is_total();
        Self {
            member_count: members.count_ones(..),
            frontier: Frontier::new(calls.covers(), members),
            budget,
            memo: has_memo.then(|| Memo::new(memo_bytes_max)),
            visitor,
            done: DownSet::new(calls.chains()),
            order: Vec::with_capacity(calls.len()),
            count: 0,
        }
    }

    /// Runs it on states of `states`, which must be those of the same calls.
    pub(super) fn run(&mut self, states: &'a States<'a>) -> SearchEnd<V::Found> {
        let end = match states.initial() {
            Ok(state) => self.descend(state),
            Err(error) => ControlFlow::Break(Stop::Failed(error)),
        };
        if let Some(memo) = self.memo.take() {
            self.budget.forgotten += memo.forgotten();
        }
        let end = match end {
            ControlFlow::Continue(()) => SearchEnd::Finished,
            ControlFlow::Break(Stop::Found(found)) => SearchEnd::Stopped(found),
            ControlFlow::Break(Stop::Limit) => SearchEnd::Limit,
            ControlFlow::Break(Stop::Failed(error)) => SearchEnd::Failed(error),
        };
        states.failure().map_or(end, SearchEnd::Failed)
    }

    fn descend(&mut self, state: State<'a>) -> ControlFlow<Stop<V::Found>> {
        if self.order.len() == self.member_count {
            self.take_budget()?;
            self.count = self.count.saturating_add(1);
            return self.visitor.end(&self.order, state);
        }
        let entry = match self.enter(&state)? {
            Some(Known::Count(count)) => {
                self.take_budget()?;
                self.count = self.count.saturating_add(count);
                return ControlFlow::Continue(());
            }
            Some(Known::New(entry)) => Some(entry),
            None => None,
        };
        let count_before = self.count;
        self.expand(state)?;
        if let (Some(memo), Some(entry)) = (&mut self.memo, entry) {
            memo.leave(&entry, self.count - count_before);
        }
        ControlFlow::Continue(())
    }

    /// Goes on with each call that may come next. The last one gets the state itself.
    fn expand(&mut self, state: State<'a>) -> ControlFlow<Stop<V::Found>> {
        let mut state = Some(state);
        let mut next = self.frontier.next(0);
        while let Some(slot) = next {
            next = self.frontier.next(slot + 1);
            let copy = if next.is_some() { state.as_ref().map(State::copy) } else { state.take().map(Ok) };
            let mut child = match copy.expect("cdsspec bug: the state is there until the last call has it") {
                Ok(child) => child,
                Err(error) => return ControlFlow::Break(error.into()),
            };
            self.visitor.step(&self.order, slot, &mut child)?;
            self.order.push(slot);
            self.done.insert(slot);
            self.frontier.place(slot);
            self.descend(child)?;
            self.frontier.take_back(slot);
            self.done.remove(slot);
            self.order.pop();
        }
        ControlFlow::Continue(())
    }

    /// What the memo says. Down-sets of fewer than two calls are reached in one way only.
    fn enter(&mut self, state: &State<'a>) -> ControlFlow<Stop<V::Found>, Option<Known>> {
        let memo = self.memo.as_mut().filter(|_| self.order.len() >= 2);
        let Some(memo) = memo else { return ControlFlow::Continue(None) };
        match memo.enter(&self.done, state) {
            Ok(known) => ControlFlow::Continue(Some(known)),
            Err(error) => ControlFlow::Break(error.into()),
        }
    }

    fn take_budget(&mut self) -> ControlFlow<Stop<V::Found>> {
        if self.budget.take() { ControlFlow::Continue(()) } else { ControlFlow::Break(Stop::Limit) }
    }
}
