//! All states that a machine can reach.

use super::state::{End, Program, State};
use super::{Bounds, OperationalModel, Refusal, check_accesses};
use crate::syntax::Litmus;
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeSet, HashSet};
use std::hash::Hash;
use std::rc::Rc;

/// What a machine can do with a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcomes {
    /// The outcomes of the runs in which every loop ends within its rounds, and every thread ends.
    pub set: BTreeSet<String>,
    /// Whether there are runs that end with a thread that waits for ever.
    pub has_blocked: bool,
    /// Whether there are runs with a thread in a loop after its last round.
    pub is_cut: bool,
    /// How many states there are.
    pub state_count: usize,
}

/// The outcomes of a test on a machine.
///
/// Takes time and memory in the number of the machine's states, which is exponential in the number of operations.
///
/// # Errors
/// If a location has `na` accesses, or there are more states than the bound.
pub fn outcomes(test: &Litmus, model: OperationalModel, bounds: Bounds) -> Result<Outcomes, Refusal> {
    check_accesses(test)?;
    let program = Program::new(test, model, bounds);
    let mut found = Outcomes { set: BTreeSet::new(), has_blocked: false, is_cut: false, state_count: 0 };
    let next = |state: &State| program.steps(state).into_iter().map(|step| step.state).collect();
    found.state_count =
        visit_ends(program.first_state(), bounds.states_max, next, |state| match program.end(state) {
            End::Complete(outcome) => drop(found.set.insert(outcome)),
            End::Blocked => found.has_blocked = true,
            End::Cut => found.is_cut = true,
        })?;
    Ok(found)
}

/// Visits the states that can be reached and from which no step leads on, each once. Returns how many states were reached.
///
/// # Errors
/// If there are more than `states_max` states.
pub(super) fn visit_ends<S: Eq + Hash>(
    first: S,
    states_max: usize,
    next: impl Fn(&S) -> Vec<S>,
    mut visit: impl FnMut(&S),
) -> Result<usize, Refusal> {
    let first = Rc::new(first);
    let mut seen = HashSet::with_hasher(FxBuildHasher);
    seen.insert(Rc::clone(&first));
    let mut left = vec![first];
    while let Some(state) = left.pop() {
        let after = next(&state);
        if after.is_empty() {
            visit(&state);
        }
        // Most were seen before: these are not kept.
        for state in after {
            if !seen.contains(&state) {
                let state = Rc::new(state);
                seen.insert(Rc::clone(&state));
                left.push(state);
            }
        }
        if seen.len() > states_max {
            return Err(Refusal::TooLarge);
        }
    }
    Ok(seen.len())
}
