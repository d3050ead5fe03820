//! What would help where memory is used that was freed: another order, or another lifetime.

use super::run::{Identity, run_ordered};
use super::setting::Settings;
use crate::check::Verdict;
use crate::engine::{Engine, Program};
use crate::port::{OrderTable, Overrides, PlaceLog};
use crate::report::Remedy;
use std::sync::Arc;

/// How many executions of the second run are looked at, at most.
const EXECUTIONS_MAX: u64 = 10_000;

/// Runs a program, of which some execution uses freed memory, with the strongest orders. `None`: it cannot be told, since something else is
/// wrong then, there are too many executions, or the engine does not look at all of them.
pub(super) fn of_freed(
    engine: &dyn Engine,
    settings: &Settings,
    identity: Identity,
    program: Program,
) -> Option<Remedy> {
    if !engine.capabilities().is_complete {
        return None;
    }
    let mut settings = Settings { stop_at_first: true, is_quiet: true, ..settings.clone() };
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
