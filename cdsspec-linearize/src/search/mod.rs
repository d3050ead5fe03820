//! Searches for a linearization of one part of an object: depth first for any specification, by summaries for stacks.

mod cuts;
mod depth_first;
mod fifo;
mod found;
mod lifo;
mod unobserved;

use crate::limit::Budget;
use crate::problem::Problem;
use crate::specification::{Discipline, SequentialSpecification};
use depth_first::depth_first;
use unobserved::Observed;

pub(crate) use found::Found;

/// Searches for a linearization.
pub(crate) fn search<S: SequentialSpecification>(
    specification: &S,
    problem: &Problem<'_, S::Operation, S::Result>,
    budget: &mut Budget,
) -> Found {
    let calls: Vec<_> = problem.calls.iter().map(|call| (call.operation, call.result)).collect();
    match specification.discipline(&calls) {
        Discipline::Any => depth_first(specification, problem, budget),
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
