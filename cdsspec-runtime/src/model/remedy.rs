//! What would help where memory is used that was freed: another order, or another lifetime.

use super::Outcome;
use super::identity::Identity;
use super::run::{run_ordered, run_with};
use super::setting::Settings;
use crate::check::Verdict;
use crate::engine::{Engine, Program};
use crate::port::{OrderTable, Overrides, PlaceLog};
use crate::report::Remedy;
use std::sync::Arc;

/// How many executions of the second run are looked at, at most.
const EXECUTIONS_MAX: u64 = 10_000;

/// Explores and checks a program as it is written; what would help where it uses freed memory, is found out as well.
pub(super) fn run_written(
    engine: &dyn Engine,
    settings: &Settings,
    identity: Identity,
    program: Program,
) -> Outcome {
    let again = (identity.clone(), program.clone());
    let remedy = |verdict| match verdict {
        Verdict::Freed if settings.replay.is_none() => of_freed(engine, settings, again.0, again.1),
        _ => None,
    };
    run_with(engine, settings, identity, program.into(), remedy)
}

/// Runs a program, of which some execution uses freed memory, with the strongest orders. `None`: it cannot be told, since something else is
/// wrong then, there are too many executions, or the engine does not look at all of them.
fn of_freed(
    engine: &dyn Engine,
    settings: &Settings,
    identity: Identity,
    program: Program,
) -> Option<Remedy> {
    if !engine.capabilities().is_complete {
        return None;
    }
    let mut settings = Settings { stop_at_first: true, is_quiet: true, replay: None, ..settings.clone() };
    let executions_max = settings.limits.executions_max.unwrap_or(EXECUTIONS_MAX);
    settings.limits.executions_max = Some(executions_max.min(EXECUTIONS_MAX));
    let table = Arc::new(OrderTable::new(Overrides::strongest(), PlaceLog::default()).allow_unreached());
    let outcome = run_ordered(engine, &settings, identity, program, &table);
    match outcome.verdict {
        Verdict::Freed => Some(Remedy::Lifetime),
        Verdict::Holds | Verdict::HoldsWithin | Verdict::Inadmissible => Some(Remedy::Order),
        _ => None,
    }
}
