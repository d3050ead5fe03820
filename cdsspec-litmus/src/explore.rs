//! Runs programs whose outcome is a text, and counts the outcomes.

use cdsspec_runtime::engine::{Engine, Exploration, Limits, Visitor};
use cdsspec_runtime::record::{Ending, Recording, WaitReason};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// What an exploration came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    /// How it ended.
    pub end: Exploration,
    /// How many executions had this outcome, of those that ran to their end; and how many had a data race.
    pub outcomes: BTreeMap<String, u64>,
    /// How many executions ran to their end, or had a race.
    pub complete: u64,
    /// How many ended blocked: some threads can never go on.
    pub blocked: u64,
    /// How many of those had a thread that spins.
    pub spinning: u64,
    /// How many were by-products of the exploration.
    pub by_products: u64,
    /// How many of those had a thread that came to the bound on the rounds of a loop.
    pub bounded: u64,
    /// How many ended in another way, by its word.
    pub others: BTreeMap<&'static str, u64>,
}

impl Explored {
    fn new() -> Self {
        Self {
            end: Exploration::Complete,
            outcomes: BTreeMap::new(),
            complete: 0,
            blocked: 0,
            spinning: 0,
            by_products: 0,
            bounded: 0,
            others: BTreeMap::new(),
        }
    }

    /// Whether everything that the engine knows was explored, and each execution ran to its end.
    pub fn is_all_complete(&self) -> bool {
        self.end == Exploration::Complete && self.blocked == 0 && self.others.is_empty()
    }

    /// The outcomes that were seen.
    pub fn outcome_set(&self) -> Vec<&str> {
        self.outcomes.keys().map(String::as_str).collect()
    }
}

/// Looks at a recording, and its outcome if it ran to its end.
type Look<'a> = Box<dyn FnMut(&Recording, Option<&str>) + 'a>;

struct Collector {
    outcome: Arc<Mutex<String>>,
    explored: Explored,
    look: Option<Look<'static>>,
}

impl Visitor for Collector {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        let is_complete = matches!(recording.ending, Ending::Complete);
        let outcome = std::mem::take(&mut *self.outcome.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(look) = &mut self.look {
            look(recording, is_complete.then_some(&outcome));
        }
        let explored = &mut self.explored;
        match &recording.ending {
            Ending::Complete => {
                explored.complete += 1;
                *explored.outcomes.entry(outcome).or_default() += 1;
            }
            Ending::Race(_) => {
                explored.complete += 1;
                *explored.outcomes.entry(crate::syntax::RACE.to_string()).or_default() += 1;
            }
            Ending::Blocked(waiting) => {
                explored.blocked += 1;
                let is_spinning = waiting.iter().any(|waiting| waiting.reason == WaitReason::Spinning);
                explored.spinning += u64::from(is_spinning);
            }
            Ending::ByProduct { reached } => {
                explored.by_products += 1;
                explored.bounded += u64::from(reached.is_some());
            }
            other => *explored.others.entry(word(other)).or_default() += 1,
        }
        ControlFlow::Continue(())
    }

    fn needs_operations(&self) -> bool {
        self.look.is_some()
    }

    fn restart(&mut self) {
        self.explored = Explored::new();
    }
}

fn word(ending: &Ending) -> &'static str {
    match ending {
        Ending::Panic(_) => "panic",
        Ending::Nondeterministic(_) => "nondeterministic",
        Ending::Limit(_) => "limit",
        Ending::EngineFailed(_) => "engine failed",
        _ => "other",
    }
}

/// Explores a program whose outcome is the text that it returns.
pub fn explore(
    engine: &dyn Engine,
    limits: &Limits,
    program: impl Fn() -> String + Send + Sync + 'static,
) -> Explored {
    explore_with(engine, limits, program, None)
}

/// The same, looking at each recording.
pub fn explore_looking(
    engine: &dyn Engine,
    limits: &Limits,
    program: impl Fn() -> String + Send + Sync + 'static,
    mut look: impl FnMut(&Recording) + 'static,
) -> Explored {
    explore_with(engine, limits, program, Some(Box::new(move |recording, _| look(recording))))
}

/// The same, looking at each recording that ran to its end, with its outcome.
pub fn explore_observing(
    engine: &dyn Engine,
    limits: &Limits,
    program: impl Fn() -> String + Send + Sync + 'static,
    mut look: impl FnMut(&Recording, &str) + 'static,
) -> Explored {
    let look = move |recording: &Recording, outcome: Option<&str>| {
        outcome.into_iter().for_each(|outcome| look(recording, outcome));
    };
    explore_with(engine, limits, program, Some(Box::new(look)))
}

fn explore_with(
    engine: &dyn Engine,
    limits: &Limits,
    program: impl Fn() -> String + Send + Sync + 'static,
    look: Option<Look<'static>>,
) -> Explored {
    let outcome = Arc::new(Mutex::new(String::new()));
    let collector = Collector { outcome: outcome.clone(), explored: Explored::new(), look };
    let collector = Rc::new(RefCell::new(collector));
    let program = move || {
        let result = program();
        *outcome.lock().unwrap_or_else(PoisonError::into_inner) = result;
    };
    let end = engine.explore(Arc::new(program), limits, collector.clone());
    let collector = Rc::try_unwrap(collector).ok().expect("the engine keeps no visitor").into_inner();
    Explored { end, ..collector.explored }
}

/// The default limits without the call clock, which multiplies executions.
pub fn plain_limits() -> Limits {
    let mut limits = Limits::default();
    limits.has_call_clock = false;
    limits
}
