//! The rc11 engine: every execution of the model RC11, each execution graph once.
//!
//! The program's threads are coroutines. A run replays the topmost graph of the exploration and then adds events to it, one at a time;
//! what else an event could have done is explored later, under a graph that is cut back to it, by running the program again from
//! its start.
//!
//! # Paper
//! Model: RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, *Repairing sequential consistency in C/C++11*, PLDI 2017) with the release
//! sequences of C++20. Exploration: TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, *Truly stateless, optimal dynamic partial
//! order reduction*, POPL 2022), with reads that wait.

mod clock;
mod consistency;
mod coroutine;
mod count;
mod event;
mod exploration;
mod frames;
mod graph;
mod loops;
mod memory;
mod port;
mod psc;
mod recording;
mod repeat;
#[cfg(test)]
mod repeat_tests;
mod replay;
mod request;
mod revisit;
mod rounds;
mod rows;
mod run;
mod serve;
mod spin;
#[cfg(test)]
mod spin_tests;
mod stack;
mod state;
mod thread;

use super::{Capabilities, Engine, Exploration, Limits, Program, Visitor};
use std::cell::RefCell;
use std::rc::Rc;

/// What the engine does not model; reports repeat it.
pub const NOT_MODELLED: &[&str] = &[
    "load buffering (RC11)",
    "loops that only read and count their rounds outside the stack",
    "a second spurious failure or wake-up at one place in a thread",
    "objects on a stack that end while another thread uses them, unless their place is used again",
    "a reader that a waiting writer holds back, unless it reads already",
];

/// The engine that explores execution graphs of RC11.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rc11Engine {
    options: Options,
}

/// What tests of the engine choose.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A weak compare-exchange may fail spuriously, once per place and thread in an execution.
    pub has_spurious_failures: bool,
    /// An execution goes on after a data race and is reported as one at its end. Only for programs whose races are harmless.
    pub goes_on_after_race: bool,
    /// Which enabled thread goes on is drawn at random, from this seed, at every operation. No count depends on it.
    pub scheduling_seed: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { has_spurious_failures: true, goes_on_after_race: false, scheduling_seed: None }
    }
}

impl Rc11Engine {
    /// The engine.
    pub fn new() -> Self {
        Self::default()
    }

    /// The engine with these options.
    pub fn with_options(options: Options) -> Self {
        Self { options }
    }
}

impl Engine for Rc11Engine {
    fn name(&self) -> &'static str {
        "rc11"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            is_complete: true,
            has_unique_graphs: true,
            has_store_identity: true,
            has_modification_order: true,
            has_blocked_executions: true,
            has_replay: false,
        }
    }

    fn not_modelled(&self) -> &'static [&'static str] {
        NOT_MODELLED
    }

    fn explore(&self, program: Program, limits: &Limits, visitor: Rc<RefCell<dyn Visitor>>) -> Exploration {
        run::explore(&program, limits, self.options, &visitor)
    }
}
