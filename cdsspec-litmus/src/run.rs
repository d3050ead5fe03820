//! Runs a litmus test as a program on the instrumented types.

mod machine;
mod memory;
mod place;

use crate::call::{Checked, Observed, recorded_order, recorded_verdict};
use crate::explore::{Explored, explore, explore_looking, explore_observing, plain_limits};
use crate::syntax::{CUT, Litmus, RACE, Registers};
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::engine::{Engine, Exploration, Limits};
use cdsspec_runtime::record::Recording;
use cdsspec_runtime::thread;
use machine::Machine;
use memory::Memory;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// What a litmus test came to under an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LitmusResult {
    /// The test's name.
    pub name: String,
    /// The engine's name.
    pub engine: String,
    /// How many executions ran to their end, or had a race.
    pub executions: u64,
    /// How many executions ended blocked.
    pub blocked: u64,
    /// The outcomes, sorted.
    pub outcomes: Vec<String>,
    /// How many executions had this outcome.
    pub counts: BTreeMap<String, u64>,
    /// How many of them were delayed by rounds of a loop that waits.
    #[serde(skip)]
    pub delayed: BTreeMap<String, u64>,
    /// Whether there were executions that did not end: some thread waits, or is still in a loop at the bound of its rounds.
    pub cut: bool,
    /// Whether a limit of the run ended it.
    #[serde(skip)]
    pub is_limited: bool,
    /// Whether a thread came to the bound on the rounds of a loop.
    #[serde(skip)]
    pub is_bounded: bool,
    /// The worst that was seen, in the words of [`Verdict`].
    pub verdict: Verdict,
}

/// How a test is run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The limits.
    pub limits: Limits,
    /// The order in which the threads are created; `None`: as they are written.
    pub creation_order: Option<Vec<usize>>,
    /// How loops are run.
    pub loops: Loops,
}

/// How loops are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loops {
    /// As loops, with a [`spin_loop`](cdsspec_runtime::hint::spin_loop) at the end of each round but the last.
    Hinted,
    /// As loops, without it.
    Bare,
    /// Written out: so many rounds, each with places of its own. A thread that would need more ends there.
    Unrolled(usize),
}

/// What a thread leaves behind: its registers; `None` if it was in a loop after the last round that is written out.
type Left = Option<Registers>;

impl Default for Setup {
    fn default() -> Self {
        Self { limits: plain_limits(), creation_order: None, loops: Loops::Hinted }
    }
}

/// Runs a test.
pub fn run(test: &Litmus, engine: &dyn Engine, setup: &Setup) -> LitmusResult {
    let explored = explore(engine, &setup.limits, program(test, setup));
    result(test, engine, explored)
}

/// Runs a test, looking at each recording.
pub fn run_looking(
    test: &Litmus,
    engine: &dyn Engine,
    setup: &Setup,
    look: impl FnMut(&Recording) + 'static,
) -> LitmusResult {
    let explored = explore_looking(engine, &setup.limits, program(test, setup), look);
    result(test, engine, explored)
}

/// Runs a test, and sees the order of the calls with each outcome.
pub fn run_observing(
    test: &Litmus,
    engine: &dyn Engine,
    setup: &Setup,
) -> (LitmusResult, BTreeSet<Observed>) {
    run_seeing(test, engine, setup, recorded_order)
}

/// Runs a test, and sees the verdict on the calls with each outcome.
pub fn run_checking(test: &Litmus, engine: &dyn Engine, setup: &Setup) -> (LitmusResult, BTreeSet<Checked>) {
    run_seeing(test, engine, setup, recorded_verdict)
}

fn run_seeing<T: Ord + 'static>(
    test: &Litmus,
    engine: &dyn Engine,
    setup: &Setup,
    see: fn(&Recording) -> T,
) -> (LitmusResult, BTreeSet<(String, T)>) {
    let seen = Rc::new(RefCell::new(BTreeSet::new()));
    let noted = Rc::clone(&seen);
    let look = move |recording: &Recording, outcome: &str| {
        if outcome != CUT {
            noted.borrow_mut().insert((outcome.to_owned(), see(recording)));
        }
    };
    let explored = explore_observing(engine, &setup.limits, program(test, setup), look);
    (result(test, engine, explored), seen.take())
}

/// The test as a program, which returns its outcome.
pub fn program(test: &Litmus, setup: &Setup) -> impl Fn() -> String + Send + Sync + use<> {
    let order = setup.creation_order.clone().unwrap_or_else(|| (0..test.threads.len()).collect());
    let (test, loops) = (Arc::new(test.clone()), setup.loops);
    move || execute(&test, &order, loops)
}

fn result(test: &Litmus, engine: &dyn Engine, mut explored: Explored) -> LitmusResult {
    let cut = explored.outcomes.remove(CUT).unwrap_or(0);
    explored.complete -= cut;
    let is_limited = explored.others.contains_key("limit");
    LitmusResult {
        name: test.name.clone(),
        engine: engine.name().to_string(),
        executions: explored.complete,
        blocked: explored.blocked,
        outcomes: explored.outcomes.keys().cloned().collect(),
        cut: cut + explored.blocked + explored.by_products > 0 || is_limited,
        is_limited: matches!(explored.end, Exploration::Limit(_)),
        is_bounded: explored.bounded > 0,
        verdict: verdict(&explored, engine.capabilities().is_complete),
        delayed: explored.delayed,
        counts: explored.outcomes,
    }
}

fn verdict(explored: &Explored, is_complete: bool) -> Verdict {
    let has = |word: &str| explored.others.contains_key(word);
    if has("nondeterministic") {
        Verdict::Nondeterministic
    } else if explored.outcomes.contains_key(RACE) {
        Verdict::Race
    } else if has("panic") {
        Verdict::Panic
    } else if explored.blocked > explored.spinning {
        Verdict::Deadlock
    } else if explored.blocked > 0 {
        Verdict::Livelock
    } else if !explored.others.is_empty() || explored.end != Exploration::Complete {
        Verdict::Inconclusive
    } else if is_complete {
        Verdict::Holds
    } else {
        Verdict::HoldsWithin
    }
}

/// Runs the test once, in an execution; returns its outcome.
fn execute(test: &Arc<Litmus>, order: &[usize], loops: Loops) -> String {
    let memory: Arc<Vec<Memory>> = Arc::new(test.locations.iter().map(Memory::new).collect());
    let start = |&index: &usize| {
        let (memory, test) = (memory.clone(), test.clone());
        let handle = thread::spawn(move || Machine::run(&test, index, &memory, loops));
        (index, handle)
    };
    let handles: BTreeMap<_, _> = order.iter().map(start).collect();
    let left: Vec<Left> = handles
        .into_values()
        .map(|handle| handle.join().expect("threads of litmus tests do not panic"))
        .collect();
    let memory = Arc::into_inner(memory).expect("the threads have ended");
    let last: Vec<i64> = memory.into_iter().map(Memory::into_last).collect();
    match left.into_iter().collect::<Option<Vec<Registers>>>() {
        Some(registers) => test.outcome(&registers, &last),
        None => CUT.to_string(),
    }
}
