//! The bounds within which a run can hold.

use super::setting::Settings;
use super::{Histories, SeqCstOrder};
use crate::engine::Engine;

/// Each bound of a run as text: with one of them, `holds` is `holds_within`.
pub(super) fn bounds(engine: &dyn Engine, settings: &Settings) -> Vec<String> {
    let mut bounds = Vec::new();
    let is_complete = engine.capabilities().is_complete;
    if !is_complete {
        bounds.push(format!("{} is never exhaustive", engine.name()));
    }
    if !is_complete && !settings.limits.has_call_clock {
        bounds.push("call clock off".to_owned());
    }
    if is_complete && !settings.limits.has_spurious_failures {
        bounds.push("spurious failures off".to_owned());
    }
    if is_complete && !settings.limits.has_spurious_wakeups {
        bounds.push("spurious wake-ups off".to_owned());
    }
    if let Some(count) = settings.limits.preemptions_max {
        bounds.push(format!("preemptions_max = {count}"));
    }
    if let Histories::Random(count) = settings.histories {
        bounds.push(format!("histories = random({count}), seed {}", settings.seed));
    }
    if settings.sc_order == SeqCstOrder::Partial {
        bounds.push("sc_order = partial".to_owned());
    }
    bounds
}
