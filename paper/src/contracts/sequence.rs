//! The sequences as data, and as programs.

use super::queue::Queue;
use cdsspec_runtime::contract::{ContractOptions, examine};
use cdsspec_runtime::engine::graph::GraphEngine;
use cdsspec_runtime::engine::{Engine, Exploration, Limits, Visitor};
use cdsspec_runtime::hint;
use cdsspec_runtime::record::{Ending, Recording};
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use cdsspec_runtime::sync::{Arc, Mutex};
use cdsspec_runtime::thread::{self, JoinHandle};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A sequence of table 1.
pub(super) struct Sequence {
    pub(super) name: &'static str,
    /// Whether each call is made with a lock that all share.
    is_locked: bool,
    pub(super) steps: &'static [Step],
}

/// A step.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) time: &'static str,
    /// Who does it: T1 is 0.
    pub(super) thread: usize,
    action: Action,
    pub(super) event: &'static str,
    /// The requirements that it breaks in the printed order.
    pub(super) expected: &'static [&'static str],
    /// And over all orders.
    pub(super) expected_any: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Create(usize),
    Init,
    Push,
    Pop,
}

const fn step(
    time: &'static str,
    thread: usize,
    action: Action,
    event: &'static str,
    expected: [&'static [&'static str]; 2],
) -> Step {
    Step { time, thread, action, event, expected: expected[0], expected_any: expected[1] }
}

const NONE: [&[&str]; 2] = [&[], &[]];
const fn both(requirement: &'static [&'static str]) -> [&'static [&'static str]; 2] {
    [requirement, requirement]
}
const fn in_some(requirement: &'static [&'static str]) -> [&'static [&'static str]; 2] {
    [&[], requirement]
}

/// Table 1.
pub(super) static SEQUENCES: [Sequence; 3] = [
    Sequence {
        name: "a",
        is_locked: false,
        steps: &[
            step("t0", 0, Action::Init, "i1", NONE),
            step("t1", 0, Action::Create(1), "creates T2", NONE),
            step("t2", 0, Action::Push, "p1", NONE),
            step("t3", 1, Action::Pop, "c1", NONE),
            step("t4", 0, Action::Push, "p2", NONE),
            step("t5", 1, Action::Pop, "c2", NONE),
            step("t6", 0, Action::Create(2), "creates T3", NONE),
            step("t7", 2, Action::Push, "p3", NONE),
            step("t8", 1, Action::Pop, "c3", NONE),
        ],
    },
    Sequence {
        name: "b",
        is_locked: false,
        steps: &[
            step("t0", 0, Action::Pop, "c1", both(&["Req. 2"])),
            step("t1", 0, Action::Init, "i1", NONE),
            step("t2", 0, Action::Create(1), "creates T2", NONE),
            step("t3", 0, Action::Push, "p1", in_some(&["Req. 1"])),
            step("t4", 1, Action::Push, "p2", both(&["Req. 1"])),
            step("t5", 0, Action::Pop, "c2", in_some(&["Req. 2"])),
            step("t6", 1, Action::Pop, "c3", both(&["Req. 2"])),
            step("t7", 0, Action::Init, "i2", both(&["Req. 3"])),
        ],
    },
    Sequence {
        name: "c",
        is_locked: true,
        steps: &[
            step("t0", 0, Action::Create(1), "creates T2", NONE),
            step("t1", 0, Action::Pop, "c1", both(&["Req. 2"])),
            step("t2", 1, Action::Init, "i1", NONE),
            step("t3", 0, Action::Push, "p1", in_some(&["Req. 1"])),
            step("t4", 1, Action::Pop, "c2", NONE),
            step("t5", 0, Action::Pop, "c3", in_some(&["Req. 2"])),
            step("t6", 1, Action::Init, "i2", NONE),
        ],
    },
];

/// A step breaks a requirement.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Found {
    /// Its index.
    pub(super) step: usize,
    pub(super) requirement: &'static str,
}

impl Sequence {
    /// What the steps break in some execution under some order. `is_printed`: each step has seen the one before.
    ///
    /// # Errors
    /// That not all could be explored.
    pub(super) fn found(&'static self, is_printed: bool) -> Result<Vec<Found>, String> {
        let looker = Rc::new(RefCell::new(Looker { sequence: self, found: BTreeSet::new(), failure: None }));
        let program = std::sync::Arc::new(move || self.run(is_printed));
        let exploration = GraphEngine::new().explore(program, &Limits::default(), looker.clone());
        let Looker { found, failure, .. } = &*looker.borrow();
        match (exploration, failure) {
            (Exploration::Complete, None) => Ok(found.iter().cloned().collect()),
            (exploration, failure) => {
                Err(format!("table 1 ({}) was not explored: {exploration:?} {failure:?}", self.name))
            }
        }
    }

    fn run(&'static self, is_printed: bool) {
        let turn = is_printed.then(|| Arc::new(AtomicUsize::new(0)));
        let shared = Shared { queue: Arc::new((Queue::new(), Mutex::new(()))), turn };
        self.run_thread(0, &shared);
    }

    /// The steps of a thread, in order; then it joins those that it has created.
    fn run_thread(&'static self, thread: usize, shared: &Shared) {
        let mut created: Vec<JoinHandle<()>> = Vec::new();
        for (index, step) in self.steps.iter().enumerate().filter(|(_, step)| step.thread == thread) {
            shared.wait(index);
            let (queue, lock) = &*shared.queue;
            let guard = self.is_locked.then(|| lock.lock());
            match step.action {
                Action::Create(child) => {
                    drop(guard);
                    let shared = shared.clone();
                    created.push(thread::spawn(move || self.run_thread(child, &shared)));
                }
                Action::Init => queue.init(),
                Action::Push => queue.push(),
                Action::Pop => queue.pop(),
            }
            shared.hand_on(index);
        }
        created.into_iter().for_each(|child| child.join().expect("nobody panics"));
    }
}

/// What the threads share.
#[derive(Clone)]
struct Shared {
    queue: Arc<(Queue, Mutex<()>)>,
    /// The step whose turn it is.
    turn: Option<Arc<AtomicUsize>>,
}

impl Shared {
    fn wait(&self, step: usize) {
        let Some(turn) = &self.turn else { return };
        while turn.load(Relaxed) != step {
            hint::spin_loop();
        }
    }

    fn hand_on(&self, step: usize) {
        if let Some(turn) = &self.turn {
            turn.store(step + 1, Relaxed);
        }
    }
}

/// Looks at the contracts of each execution.
struct Looker {
    sequence: &'static Sequence,
    found: BTreeSet<Found>,
    failure: Option<String>,
}

impl Visitor for Looker {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        match &recording.ending {
            Ending::Complete => {}
            Ending::ByProduct { .. } => return ControlFlow::Continue(()),
            other => {
                self.failure = Some(format!("{other:?}"));
                return ControlFlow::Break(());
            }
        }
        let options = ContractOptions { finds_all: true, ..ContractOptions::default() };
        let check = examine(recording, &options, None);
        for misuse in check.misuses {
            let thread = recording.events[misuse.event].thread;
            // The calls of a thread are its steps that are calls, in order.
            let number =
                recording.events[..misuse.event].iter().filter(|event| event.thread == thread).count();
            let calls = self.sequence.steps.iter().enumerate();
            let is_call =
                |step: &Step| step.thread == thread.index() && !matches!(step.action, Action::Create(_));
            let step = calls.filter(|(_, step)| is_call(step)).nth(number).map(|(index, _)| index);
            let (Some(step), Some(requirement)) = (step, misuse.condition.says) else {
                self.failure = Some("an event that is no step".to_owned());
                return ControlFlow::Break(());
            };
            self.found.insert(Found { step, requirement });
        }
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        self.found.clear();
    }
}
