//! Runs programs under the loom engine and tells what happened.
#![allow(dead_code, clippy::unwrap_used, reason = "each test uses some of it")]

use cdsspec_runtime::engine::graph::{GraphEngine, Options};
use cdsspec_runtime::engine::loom::LoomEngine;
use cdsspec_runtime::engine::{Engine, Exploration, Limits, Visitor};
use cdsspec_runtime::record::{Ending, Recording};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// What an exploration came to.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) end: Exploration,
    /// How many executions ended like this.
    pub(crate) endings: BTreeMap<&'static str, usize>,
    /// How many of them were delayed by rounds of loops that wait.
    pub(crate) delayed: BTreeMap<&'static str, usize>,
    /// How many executions had this outcome, for those that ran to their end.
    pub(crate) outcomes: BTreeMap<String, usize>,
    pub(crate) execution_count: usize,
}

struct Collector {
    outcome: Arc<Mutex<String>>,
    explored: Explored,
    look: Box<dyn FnMut(&Recording)>,
}

impl Visitor for Collector {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        self.explored.execution_count += 1;
        *self.explored.endings.entry(word(&recording.ending)).or_default() += 1;
        if recording.is_delayed {
            *self.explored.delayed.entry(word(&recording.ending)).or_default() += 1;
        }
        let outcome = std::mem::take(&mut *self.outcome.lock().expect("nobody panics with it"));
        if matches!(recording.ending, Ending::Complete) {
            *self.explored.outcomes.entry(outcome).or_default() += 1;
        }
        (self.look)(recording);
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.explored.outcomes.clear();
        self.explored.endings.clear();
        self.explored.delayed.clear();
        self.explored.execution_count = 0;
    }
}

fn word(ending: &Ending) -> &'static str {
    match ending {
        Ending::Complete => "complete",
        Ending::Blocked(_) => "blocked",
        Ending::ByProduct { .. } => "by-product",
        Ending::Race(_) => "race",
        Ending::Panic(_) => "panic",
        Ending::Nondeterministic(_) => "nondeterministic",
        Ending::Limit(_) => "limit",
        Ending::EngineFailed(_) => "failed",
        _ => "other",
    }
}

/// Explores a program whose outcome is the text that it returns.
pub(crate) fn explore(limits: &Limits, program: impl Fn() -> String + Send + Sync + 'static) -> Explored {
    explore_looking(limits, program, |_| {})
}

/// The same, looking at each recording.
pub(crate) fn explore_looking(
    limits: &Limits,
    program: impl Fn() -> String + Send + Sync + 'static,
    look: impl FnMut(&Recording) + 'static,
) -> Explored {
    explore_on(&LoomEngine::new(), limits, program, look)
}

/// The same on any engine.
pub(crate) fn explore_on(
    engine: &dyn Engine,
    limits: &Limits,
    program: impl Fn() -> String + Send + Sync + 'static,
    look: impl FnMut(&Recording) + 'static,
) -> Explored {
    let outcome = Arc::new(Mutex::new(String::new()));
    let collector = Rc::new(RefCell::new(Collector {
        outcome: outcome.clone(),
        look: Box::new(look),
        explored: Explored {
            end: Exploration::Complete,
            endings: BTreeMap::new(),
            delayed: BTreeMap::new(),
            outcomes: BTreeMap::new(),
            execution_count: 0,
        },
    }));
    let program = Arc::new(move || {
        let result = program();
        *outcome.lock().expect("nobody panics with it") = result;
    });
    let end = engine.explore(program, limits, collector.clone());
    let collector = Rc::try_unwrap(collector).ok().expect("the engine keeps no visitor").into_inner();
    Explored { end, ..collector.explored }
}

/// Limits without the call clock.
pub(crate) fn plain() -> Limits {
    let mut limits = Limits::default();
    limits.has_call_clock = false;
    limits
}

/// Both engines; rc11 also in random orders of its threads.
pub(crate) fn engines() -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(LoomEngine::new()), Box::new(GraphEngine::new())];
    for seed in 1..=3 {
        let options = Options { scheduling_seed: Some(seed), ..Options::default() };
        engines.push(Box::new(GraphEngine::with_options(options)));
    }
    engines
}

/// The outcomes of a program all of whose executions end like this, but for by-products.
pub(crate) fn outcomes_ending(
    engine: &dyn Engine,
    ending: &str,
    program: impl Fn() -> String + Send + Sync + 'static,
) -> Vec<String> {
    let mut explored = explore_on(engine, &plain(), program, |_| ());
    assert_eq!(explored.end, Exploration::Complete);
    explored.endings.remove("by-product");
    assert_eq!(explored.endings.keys().copied().collect::<Vec<_>>(), [ending], "{}", engine.name());
    explored.outcomes.into_keys().collect()
}

/// Defines tests: `name: [outcomes] = program`, all of whose executions complete; `rc11 [outcomes]` if rc11 knows others.
#[allow(unused_macros, reason = "not all tests use it")]
macro_rules! programs {
    ($($name:ident: [$($outcome:expr),*] $(rc11 [$($other:expr),*])? = $program:expr;)*) => {$(
        #[test]
        fn $name() {
            for engine in $crate::common::engines() {
                let mut expected: Vec<&str> = vec![$($outcome),*];
                if engine.name() == "rc11" {
                    $(expected = vec![$($other),*];)?
                }
                expected.sort_unstable();
                let outcomes = $crate::common::outcomes_ending(&*engine, "complete", || $program);
                assert_eq!(outcomes, expected, "{}", engine.name());
            }
        }
    )*};
}
