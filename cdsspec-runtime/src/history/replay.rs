//! Runs one order of calls again: re-checks the certificates of the searches, by other code.

use super::ObjectCalls;
use super::state::{States, clause_text};
use crate::record::{SpecificationError, SpecificationErrorKind};
use crate::specification::{Broken, ClauseKind, StepMode};

/// What running one order came to.
pub(super) struct Replay {
    /// The state before the last call, where it can be shown.
    pub(super) state: Option<String>,
    /// What the last call came to.
    pub(super) result: Result<(), Broken>,
}

/// Runs the calls of `before` in `before_mode`, then `last` in `last_mode`.
///
/// # Errors
/// The specification failed, or a call of `before` breaks a condition.
///
/// # Panics
/// If the order does not extend r: a bug of the search.
pub(super) fn replay(
    calls: &ObjectCalls<'_>,
    (before, before_mode): (&[usize], StepMode),
    (last, last_mode): (usize, StepMode),
) -> Result<Replay, SpecificationError> {
    for (index, &later) in before.iter().chain([&last]).enumerate() {
        let predecessors: Vec<usize> = calls.relation().slot_predecessors(later).collect();
        assert!(
            predecessors.iter().all(|slot| before[..index].contains(slot)),
            "cdsspec bug: a certificate extends r"
        );
    }
    let states = States::new(calls);
    let mut state = states.initial()?;
    for &slot in before {
        if let Err(broken) = state.step(slot, before_mode)? {
            return Err(unstable(calls, slot, broken.clause));
        }
    }
    let text = state.render()?;
    let result = state.step(last, last_mode)?;
    drop(state);
    states.failure().map_or(Ok(Replay { state: text, result }), Err)
}

/// The error that a clause of a call gave another answer when it was run again.
pub(super) fn unstable(calls: &ObjectCalls<'_>, slot: usize, clause: ClauseKind) -> SpecificationError {
    let (text, marker) = clause_text(calls, slot, clause);
    SpecificationError {
        kind: SpecificationErrorKind::ClauseUnstable { clause: text },
        marker,
        thread: calls.calls()[slot].thread,
    }
}
