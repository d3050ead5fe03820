//! The bounds within which a run can hold.

use super::setting::Settings;
use super::{EngineKind, Histories, SeqCstOrder};
use crate::engine::Engine;
use crate::report::Bound;

/// Each bound of a run: with one of them, `holds` is `holds_within`.
pub(super) fn bounds(engine: &dyn Engine, settings: &Settings) -> Vec<Bound> {
    let mut bounds = Vec::new();
    let is_complete = engine.capabilities().is_complete;
    let is_random = settings.engine == EngineKind::Random;
    if is_random {
        let Settings { runs, seed, .. } = *settings;
        bounds.push(Bound::Runs { count: runs, seed, strategy: settings.strategy.to_string() });
    } else if !is_complete {
        bounds.push(Bound::NeverExhaustive { engine: engine.name().to_owned() });
    }
    let is_complete = is_complete || is_random;
    if !is_complete && !settings.limits.has_call_clock {
        bounds.push(Bound::CallClockOff);
    }
    if is_complete && !settings.limits.has_spurious_failures {
        bounds.push(Bound::SpuriousFailuresOff);
    }
    if is_complete && !settings.limits.has_spurious_wakeups {
        bounds.push(Bound::SpuriousWakeupsOff);
    }
    if is_complete && settings.limits.assumes_spins {
        bounds.push(Bound::SpinsAssumed);
    }
    if let Some(count) = settings.limits.preemptions_max {
        bounds.push(Bound::Preemptions { count });
    }
    if let Histories::Random(count) = settings.histories {
        bounds.push(Bound::RandomHistories { count, seed: settings.seed });
    }
    if settings.sc_order == SeqCstOrder::Partial {
        bounds.push(Bound::PartialScOrder);
    }
    bounds
}
