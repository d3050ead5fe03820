//! The search for any specification: depth first over configurations, which are a cut and a state, none of them twice.
//!
//! The cache of cuts and states is Lowe's (*Testing for linearizability*, 2017), on top of Wing and Gong's search. Nothing recurses. Of a non-deterministic specification each state is a
//! configuration of its own, so that what the cache has of a cut is the set of states that can be behind it.
//!
//! The number of configurations is the worst case: cuts times states. With `t` calls at a time there are at most `n * 2^(t-1)` cuts, with `p` pending calls `2^p` as many.

use super::cuts::{CutId, Cuts};
use super::found::{Found, Furthest};
use crate::limit::{Budget, Limit, set_bytes, vec_bytes};
use crate::order::Enabled;
use crate::problem::Problem;
use crate::specification::SequentialSpecification;
use indexmap::IndexSet;

/// A configuration by its number; and of the first one, where it came from.
const ROOT: u32 = u32::MAX;

struct Search<'s, S: SequentialSpecification> {
    specification: &'s S,
    problem: &'s Problem<'s, S::Operation, S::Result>,
    cuts: Cuts<'s>,
    states: IndexSet<S::State>,
    state_bytes: usize,
    /// Cut and state.
    configurations: IndexSet<(CutId, u32)>,
    /// For each, from which one, and with which call.
    origins: Vec<(u32, u32)>,
    /// Those that wait to be looked at. The last one is next.
    waiting: Vec<u32>,
    /// The first return that the cut lacks which lacks the latest, and the configuration with the most calls.
    first_return: u64,
    deepest: u32,
}

/// Searches for a linearization.
pub(crate) fn depth_first<S: SequentialSpecification>(
    specification: &S,
    problem: &Problem<'_, S::Operation, S::Result>,
    budget: &mut Budget,
) -> Found {
    let mut search = Search {
        specification,
        problem,
        cuts: Cuts::new(&problem.order),
        states: IndexSet::new(),
        state_bytes: 0,
        configurations: IndexSet::new(),
        origins: Vec::new(),
        waiting: Vec::new(),
        first_return: 0,
        deepest: 0,
    };
    search.reach(CutId(0), specification.initial(), (ROOT, 0));
    match search.run(budget) {
        Ok(Some(last)) => Found::Witness(search.order(last)),
        Ok(None) => Found::Nothing(search.furthest()),
        Err(limit) => Found::Stopped(limit, search.furthest()),
    }
}

impl<S: SequentialSpecification> Search<'_, S> {
    /// Looks at one configuration after the other, up to a complete one.
    fn run(&mut self, budget: &mut Budget) -> Result<Option<u32>, Limit> {
        while let Some(configuration) = self.waiting.pop() {
            let (cut, _) = self.configurations[configuration as usize];
            let enabled = self.cuts.enabled(cut).clone();
            if self.problem.is_complete(&enabled) {
                return Ok(Some(configuration));
            }
            self.first_return = self.first_return.max(self.problem.order.first_return(&enabled));
            let (deepest, _) = self.configurations[self.deepest as usize];
            if self.cuts.size(cut) > self.cuts.size(deepest) {
                self.deepest = configuration;
            }
            self.expand(configuration, &enabled, budget)?;
        }
        Ok(None)
    }

    /// Reaches what comes after a configuration.
    fn expand(&mut self, configuration: u32, enabled: &Enabled, budget: &mut Budget) -> Result<(), Limit> {
        let (cut, state) = self.configurations[configuration as usize];
        let (mut steps, mut heap_bytes): (Vec<(u32, S::State)>, usize) = (Vec::new(), 0);
        for call in self.problem.by_urgency(enabled) {
            if self.problem.is_twin(enabled, call) {
                continue;
            }
            budget.step()?;
            let begin = steps.len();
            self.step(call, state, &mut steps);
            let new = &steps[begin..];
            heap_bytes += new.iter().map(|(_, state)| self.specification.heap_bytes(state)).sum::<usize>();
            budget.keep(self.bytes() + heap_bytes + vec_bytes(steps.len(), size_of::<(u32, S::State)>()))?;
            if steps.len() > begin && self.commits(call) {
                steps.drain(..begin);
                break;
            }
        }
        for (call, state) in steps {
            let cut = self.cuts.after(cut, call);
            self.reach(cut, state, (configuration, call));
            // As often as it grows: with n calls that may come next this makes n cuts, each of which has n - 1.
            budget.keep(self.bytes())?;
        }
        Ok(())
    }

    /// The states after a call, if it may return there what it did.
    fn step(&self, call: u32, state: u32, steps: &mut Vec<(u32, S::State)>) {
        let state = &self.states[state as usize];
        let asked = &self.problem.calls[call as usize];
        for (result, state) in self.specification.step(state, asked.operation) {
            if asked.result.is_none_or(|expected| *expected == result) {
                steps.push((call, state));
            }
        }
    }

    /// Whether nothing else need be tried in the cut. A call that leaves every state as it is can be moved to the front of any linearization that goes on from here: it is enabled, it returns here what
    /// it did, and no other call sees whether it was there.
    fn commits(&self, call: u32) -> bool {
        let asked = &self.problem.calls[call as usize];
        asked.has_returned && self.specification.is_read_only(asked.operation, asked.result)
    }

    /// Has a configuration wait, unless it was reached before.
    fn reach(&mut self, cut: CutId, state: S::State, origin: (u32, u32)) {
        let heap_bytes = self.specification.heap_bytes(&state);
        let (state, is_new_state) = self.states.insert_full(state);
        if is_new_state {
            self.state_bytes += heap_bytes;
        }
        let (configuration, is_new) = self.configurations.insert_full((cut, state as u32));
        if is_new {
            self.origins.push(origin);
            self.waiting.push(configuration as u32);
        }
    }

    /// At most how many bytes it keeps.
    fn bytes(&self) -> usize {
        let of_states = set_bytes(self.states.len(), size_of::<S::State>()) + self.state_bytes;
        let count = self.configurations.len();
        let of_configurations = set_bytes(count, size_of::<(CutId, u32)>());
        let of_lists = vec_bytes(count, size_of::<(u32, u32)>() + size_of::<u32>());
        self.cuts.bytes() + of_states + of_configurations + of_lists
    }

    /// The calls up to a configuration.
    fn order(&self, last: u32) -> Vec<u32> {
        let origins = std::iter::successors(Some(self.origins[last as usize]), |&(from, _)| {
            self.origins.get(from as usize).copied()
        });
        let mut calls: Vec<u32> =
            origins.take_while(|&(from, _)| from != ROOT).map(|(_, call)| call).collect();
        calls.reverse();
        calls
    }

    fn furthest(&self) -> Furthest {
        Furthest { first_return: self.first_return, order: self.order(self.deepest) }
    }
}
