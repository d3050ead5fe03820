//! One run: the one place that names the engines and the check.

use super::conclusion::conclude;
use super::engine_kind::EngineKind;
use super::environment::SettingError;
use super::identity::Identity;
use super::setting::Settings;
use super::tally::Tally;
use super::{Outcome, Remedy, watchdog};
use crate::check::Verdict;
use crate::engine::{Engine, Exploration, Program, Visitor};
use crate::port::OrderTable;
use crate::{process, report};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Explores and checks.
pub(super) fn run(engine: &dyn Engine, settings: &Settings, identity: Identity, program: Program) -> Outcome {
    run_with(engine, settings, identity, program, |_| None)
}

/// The same; what would help is asked for by the verdict.
pub(super) fn run_with(
    engine: &dyn Engine,
    settings: &Settings,
    identity: Identity,
    program: Program,
    remedy: impl FnOnce(Verdict) -> Option<Remedy>,
) -> Outcome {
    let begin = Instant::now();
    let tally = Rc::new(RefCell::new(Tally::new(settings)));
    let exploration = visit(engine, settings, &identity, program, tally.clone());
    let mut report = conclude(&identity, engine, &tally.borrow(), exploration, settings);
    report.remedy = remedy(report.verdict);
    let mut outcome = Outcome::new(report);
    outcome.seconds = begin.elapsed().as_secs_f64();
    outcome
}

/// Explores, and hands the executions over.
pub(super) fn visit(
    engine: &dyn Engine,
    settings: &Settings,
    identity: &Identity,
    program: Program,
    visitor: Rc<RefCell<dyn Visitor>>,
) -> Exploration {
    let watch = visitor.borrow().watch().filter(|_| settings.patience.ends());
    let _watched = watch.map(|watch| watchdog::watch(watch, identity.program.clone(), settings.patience));
    let line = |crash| report::crash(crash, &identity.program, identity.test.as_deref(), process::columns());
    process::during_run(line, || engine.explore(program, &settings.limits, visitor))
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
    let orders = table.clone();
    let with_orders = move || {
        crate::port::with(|execution| execution.set_orders(&orders));
        program();
    };
    let named = identity.clone();
    let identity = Identity { overrides: table.overrides().to_string(), ..identity };
    let outcome = run(engine, settings, identity, Arc::new(with_orders));
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
