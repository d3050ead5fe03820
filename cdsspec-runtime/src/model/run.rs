//! One run: the one place that names the engines and the check.

use super::builder::EngineKind;
use super::environment::SettingError;
use super::setting::Settings;
use super::tally::Tally;
use super::{Outcome, bound};
use crate::check::{CheckOptions, ExecutionCheck, ShapeMemo};
use crate::engine::{Engine, Program};
use crate::history::{self, SearchOptions};
use crate::record::Recording;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

/// What a run is called.
pub(super) struct Identity {
    pub(super) program: String,
    /// The name of the test that runs it, if it is one.
    pub(super) test: Option<String>,
}

/// Explores and checks.
pub(super) fn run(engine: &dyn Engine, settings: &Settings, identity: Identity, program: Program) -> Outcome {
    let begin = Instant::now();
    let tally = Rc::new(RefCell::new(Tally::new(settings)));
    let exploration = engine.explore(program, &settings.limits, tally.clone());
    let mut outcome =
        Outcome::new(identity, engine, bound::bounds(engine, settings), &tally.borrow(), &exploration);
    outcome.seconds = begin.elapsed().as_secs_f64();
    outcome
}

/// Models do not nest: the inner one would run as part of the outer one's executions.
pub(super) fn refuse_nesting() -> Result<(), SettingError> {
    match crate::port::with(|_| ()) {
        Some(()) => Err(SettingError::Nested),
        None => Ok(()),
    }
}

/// The engine of this kind.
pub(super) fn make_engine(kind: EngineKind) -> Result<Box<dyn Engine>, SettingError> {
    match kind {
        #[cfg(feature = "loom")]
        EngineKind::Default | EngineKind::Loom => Ok(Box::new(crate::engine::loom::LoomEngine::new())),
        #[cfg(not(feature = "loom"))]
        EngineKind::Default | EngineKind::Loom => {
            Err(SettingError::MissingEngine { name: "loom", feature: "loom" })
        }
    }
}

/// What the check of one execution needs to know beside the recording, and what it remembers from one to the next.
pub(super) struct Checker {
    memo: ShapeMemo,
}

/// The check of one execution.
pub(super) struct Checked {
    pub(super) check: Rc<ExecutionCheck>,
    /// Whether an execution of this shape was not seen before.
    pub(super) is_new_shape: bool,
}

impl Checker {
    pub(super) fn new(settings: &Settings) -> Self {
        let histories = match settings.histories {
            super::Histories::All => history::Histories::All,
            super::Histories::Random(count) => history::Histories::Random(count),
        };
        let search = SearchOptions { histories, seed: settings.seed, ..SearchOptions::default() };
        let options = CheckOptions { search, histories_max: settings.histories_max };
        Self { memo: ShapeMemo::new(options) }
    }

    pub(super) fn check(&mut self, recording: &Recording) -> Checked {
        let checked = self.memo.check(recording);
        Checked { check: checked.check, is_new_shape: checked.is_new }
    }

    /// Forgets the shapes seen.
    pub(super) fn restart(&mut self) {
        self.memo.clear();
    }
}
