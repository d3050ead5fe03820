//! One run: the one place that names the engines and the check.

#[cfg(all(feature = "checks-graphs", debug_assertions))]
use super::again;
use super::conclusion::conclude;
use super::engine_kind::EngineKind;
use super::environment::SettingError;
use super::identity::Identity;
use super::setting::Settings;
use super::tally::Tally;
use super::visit::{OrderedProgram, visit};
use super::{Outcome, Remedy, cause};
use crate::check::Verdict;
use crate::engine::{Engine, Program};
use crate::port::OrderTable;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Explores and checks.
pub(super) fn run<'t>(
    engine: &dyn Engine,
    settings: &Settings,
    identity: Identity,
    subject: impl Into<OrderedProgram<'t>>,
) -> Outcome {
    run_with(engine, settings, identity, subject.into(), |_| None)
}

/// The same; what would help is asked for by the verdict.
pub(super) fn run_with(
    engine: &dyn Engine,
    settings: &Settings,
    identity: Identity,
    subject: OrderedProgram<'_>,
    remedy: impl FnOnce(Verdict) -> Option<Remedy>,
) -> Outcome {
    let begin = Instant::now();
    let tally = Rc::new(RefCell::new(Tally::new(settings)));
    let exploration = visit(engine, settings, &identity, subject.in_force(), tally.clone());
    let tally = tally.borrow();
    #[cfg(all(feature = "checks-graphs", debug_assertions))]
    again::assert_same(engine, settings, &identity, subject.in_force(), &tally);
    let mut report = conclude(&identity, engine, &tally, exploration, settings);
    report.remedy = remedy(report.verdict);
    let shown = tally.worst.as_ref().filter(|worst| worst.verdict == report.verdict && !settings.is_quiet);
    report.orders_to_blame =
        shown.and_then(|worst| cause::find(engine, settings, &identity, &subject, worst));
    let mut outcome = Outcome::new(report);
    outcome.seconds = begin.elapsed().as_secs_f64();
    outcome.keep_schedule();
    outcome
}

/// The same with the orders of a table. A place of it that was not reached is a mistake, unless a fault was found: that one has nothing
/// to do with the place.
pub(super) fn run_ordered(
    engine: &dyn Engine,
    settings: &Settings,
    identity: Identity,
    program: Program,
    table: &Arc<OrderTable>,
) -> Outcome {
    let named = identity.clone();
    let identity = Identity { overrides: table.overrides().to_string(), ..identity };
    let outcome = run(engine, settings, identity, OrderedProgram { program, table: Some(table) });
    match table.first_unreached() {
        Some(place) if !outcome.verdict.is_fault() => {
            Outcome::unusable(named, &SettingError::UnreachedPlace { place })
        }
        _ => outcome,
    }
}

/// Models do not nest: the inner one would run as part of the outer one's executions.
pub(super) fn refuse_nesting() -> Result<(), SettingError> {
    match crate::port::with(|_| ()) {
        Some(()) => Err(SettingError::Nested),
        None => Ok(()),
    }
}

/// The engine that is chosen.
pub(super) fn make_engine(settings: &Settings) -> Result<Box<dyn Engine>, SettingError> {
    let memory_model = settings.memory_model;
    match settings.engine {
        EngineKind::Default | EngineKind::Rc11 => {
            Ok(Box::new(crate::engine::graph::GraphEngine::with_memory_model(memory_model)))
        }
        EngineKind::Random => {
            Ok(Box::new(crate::engine::random::RandomEngine::new(memory_model, settings.sampling())))
        }
        #[cfg(feature = "loom")]
        EngineKind::Loom => Ok(Box::new(crate::engine::loom::LoomEngine::new())),
        #[cfg(not(feature = "loom"))]
        EngineKind::Loom => Err(SettingError::MissingEngine { name: "loom", feature: "loom" }),
    }
}
