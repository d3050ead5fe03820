//! Searches for a linearization of one part of an object: depth first for any specification, by summaries for stacks.

mod cuts;
mod depth_first;
mod fifo;
mod lifo;
mod unobserved;

use crate::limit::{Budget, Limit};
use crate::problem::Problem;
use crate::specification::{Discipline, SequentialSpecification};
use depth_first::{NoGuide, depth_first};
use unobserved::Observed;

/// What a search came to. Calls are those of the problem, in the order in which they take effect.
pub(crate) enum Found {
    /// All calls that returned are linearized.
    Witness(Vec<u32>),
    /// There is no linearization.
    Nothing(Furthest),
    /// A limit was reached.
    Stopped(Limit, Furthest),
}

/// How far a search came.
#[derive(Default)]
pub(crate) struct Furthest {
    /// Everything that returned before this moment was linearized at once, somewhere.
    pub(crate) first_return: u64,
    /// The longest order of calls that was found.
    pub(crate) order: Vec<u32>,
}

/// Searches for a linearization.
pub(crate) fn search<S: SequentialSpecification>(
    specification: &S,
    problem: &Problem<'_, S::Operation, S::Result>,
    budget: &mut Budget,
) -> Found {
    let calls: Vec<_> = problem.calls.iter().map(|call| (call.operation, call.result)).collect();
    match specification.discipline(&calls) {
        Discipline::Any => depth_first(specification, problem, &NoGuide, budget),
        Discipline::Lifo(accesses) => {
            let observed = Observed::new(problem, &accesses);
            observed.translate(lifo::search(&observed.problem(problem), budget))
        }
        Discipline::Fifo(accesses) => {
            let observed = Observed::new(problem, &accesses);
            observed.translate(fifo::search(&observed.problem(problem), budget))
        }
    }
}
