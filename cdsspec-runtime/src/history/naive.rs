//! The naive twin of the searches: all permutations, each run from the start.

use super::toy::ids;
use super::{BrokenHistory, Justification};
use crate::record::Recording;
use crate::relation::sample::distances;
use crate::specification::{Broken, Concurrent, ConcurrentCall, Step, StepMode};
use std::any::Any;

/// All orders that a relation leaves.
pub(crate) struct NaiveOrders {
    is_before: Vec<Vec<bool>>,
    /// All orders of all calls that extend the relation, in lexical order.
    whole: Vec<Vec<usize>>,
    /// The same for the predecessors of each call.
    below: Vec<Vec<Vec<usize>>>,
}

impl NaiveOrders {
    /// Whether two calls are concurrent.
    pub(crate) fn is_concurrent(&self, first: usize, second: usize) -> bool {
        first != second && !self.is_before[first][second] && !self.is_before[second][first]
    }

    /// Those of the relation that the edges give, closed.
    pub(crate) fn new(count: usize, edges: &[(usize, usize)]) -> Self {
        let distance = distances(count, edges);
        let is_before: Vec<Vec<bool>> =
            distance.iter().map(|row| row.iter().map(Option::is_some).collect()).collect();
        let all: Vec<usize> = (0..count).collect();
        let below = |call: usize| (0..count).filter(|&other| is_before[other][call]).collect::<Vec<_>>();
        Self {
            whole: extensions(&is_before, &all),
            below: (0..count).map(|call| extensions(&is_before, &below(call))).collect(),
            is_before,
        }
    }
}

/// All permutations of these calls that extend the relation, in lexical order.
fn extensions(is_before: &[Vec<bool>], members: &[usize]) -> Vec<Vec<usize>> {
    let mut permutations = vec![Vec::new()];
    for _ in members {
        permutations = permutations
            .iter()
            .flat_map(|prefix: &Vec<usize>| {
                let rest = members.iter().filter(|call| !prefix.contains(call));
                rest.map(|&call| [prefix.as_slice(), &[call]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    permutations.retain(|order| (0..order.len()).all(|i| (0..i).all(|j| !is_before[order[i]][order[j]])));
    permutations
}

/// The calls of a recording with one object, and the orders of its relation.
pub(crate) struct Naive<'a> {
    recording: &'a Recording,
    orders: &'a NaiveOrders,
}

impl<'a> Naive<'a> {
    pub(crate) fn new(recording: &'a Recording, orders: &'a NaiveOrders) -> Self {
        Self { recording, orders }
    }

    fn run(&self, state: &mut dyn Any, call: usize, mode: StepMode) -> Result<(), Broken> {
        let calls = &self.recording.calls;
        let is_concurrent = |other: &usize| {
            *other != call && !self.orders.is_before[call][*other] && !self.orders.is_before[*other][call]
        };
        let concurrent: Vec<_> = (0..calls.len())
            .filter(is_concurrent)
            .map(|other| ConcurrentCall {
                method: calls[other].method,
                call: calls[other].id,
                values: &*calls[other].values,
            })
            .collect();
        let specification = self.recording.objects[0].specification;
        let mut step = Step::new(state, &*calls[call].values, Concurrent::new(&concurrent), mode);
        (specification.method(calls[call].method).step)(&mut step)
    }

    /// The state after these calls, and the first that breaks a condition.
    fn run_all(&self, order: &[usize], mode: StepMode) -> (Box<dyn Any>, Option<(usize, Broken)>) {
        let mut state = (self.recording.objects[0].specification.state.initial)();
        for (index, &call) in order.iter().enumerate() {
            if let Err(broken) = self.run(&mut *state, call, mode) {
                return (state, Some((index, broken)));
            }
        }
        (state, None)
    }

    fn render(&self, state: &dyn Any) -> Option<String> {
        self.recording.objects[0].specification.state.render.map(|render| render(state))
    }

    /// How many sequential histories there are, and the first broken one.
    pub(crate) fn check_histories(&self) -> (u64, Option<BrokenHistory>) {
        let extensions = &self.orders.whole;
        let broken = extensions.iter().find_map(|order| {
            let (index, broken) = self.run_all(order, StepMode::Sequential).1?;
            let (state, _) = self.run_all(&order[..index], StepMode::Sequential);
            Some(BrokenHistory {
                call: ids(order)[index],
                clause: broken.clause,
                before: ids(&order[..index]),
                state: self.render(&*state),
                specified: broken.specified,
            })
        });
        (extensions.len() as u64, broken)
    }

    /// Whether a call is justified.
    pub(crate) fn justify(&self, call: usize) -> Justification {
        let extensions = &self.orders.below[call];
        let results: Vec<Result<(), Broken>> = extensions
            .iter()
            .map(|order| {
                let (mut state, _) = self.run_all(order, StepMode::EffectOnly);
                self.run(&mut *state, call, StepMode::Justifying)
            })
            .collect();
        match (results.iter().position(Result::is_ok), &results[0]) {
            (None, Err(broken)) => Justification::Unjustified {
                subhistory_count: extensions.len() as u64,
                example: ids(&extensions[0]),
                clause: broken.clause,
                state: self.render(&*self.run_all(&extensions[0], StepMode::EffectOnly).0),
                specified: broken.specified.clone(),
            },
            (found, _) => Justification::Justified(ids(&extensions[found.unwrap_or(0)])),
        }
    }
}
