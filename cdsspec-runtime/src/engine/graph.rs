//! The engine that explores execution graphs: every execution of a memory model, each graph once.
//!
//! The program's threads are coroutines. A run replays the topmost graph of the exploration and then
//! adds events to it, one at a time; what else an event could have done is explored later, under a graph that is cut back to it, by
//! running the program again from its start. It is called by the name of its [memory model](MemoryModel).
//!
//! # Paper
//! TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, *Truly stateless, optimal dynamic partial order reduction*, POPL 2022), with
//! reads that wait.

use super::{Capabilities, Engine, Exploration, Limits, Program, Visitor};
pub use crate::memory_model::MemoryModel;
use crate::record::Course;
pub use crate::run::Options;
use std::cell::RefCell;
use std::rc::Rc;

/// What the engine does not model; reports repeat it.
pub const fn not_modelled(memory_model: MemoryModel) -> [&'static str; 5] {
    [
        memory_model.not_modelled(),
        "loops that only read and count their rounds outside the stack",
        "a second spurious failure or wake-up at one place in a thread",
        "objects on a stack that end while another thread uses them, unless their place is used again",
        "a reader that a waiting writer holds back, unless it reads already",
    ]
}

/// The engine that explores execution graphs of a memory model.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphEngine {
    options: Options,
}

impl GraphEngine {
    /// The engine, with RC11.
    pub fn new() -> Self {
        Self::default()
    }

    /// The engine with this memory model.
    pub fn with_memory_model(memory_model: MemoryModel) -> Self {
        Self::with_options(Options { memory_model, ..Options::default() })
    }

    /// The engine with these options.
    pub fn with_options(options: Options) -> Self {
        Self { options }
    }
}

impl Engine for GraphEngine {
    fn name(&self) -> &'static str {
        self.options.memory_model.name()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            is_complete: true,
            has_unique_graphs: true,
            has_store_identity: true,
            has_modification_order: true,
            has_blocked_executions: true,
            has_replay: true,
        }
    }

    fn not_modelled(&self) -> &'static [&'static str] {
        static ROWS: [[&str; 5]; 4] = {
            let [rc11, sc, tso, pso] = MemoryModel::ALL;
            [not_modelled(rc11), not_modelled(sc), not_modelled(tso), not_modelled(pso)]
        };
        &ROWS[self.options.memory_model as usize]
    }

    fn explore(&self, program: Program, limits: &Limits, visitor: Rc<RefCell<dyn Visitor>>) -> Exploration {
        crate::run::explore(&program, limits, self.options, &visitor)
    }

    fn replay(
        &self,
        program: Program,
        limits: &Limits,
        course: &Course,
        visitor: Rc<RefCell<dyn Visitor>>,
    ) -> Exploration {
        match course {
            Course::Steps(steps) => crate::run::play(&program, limits, self.options, steps, &visitor),
            Course::Drawn(drawn) => crate::run::draw_again(&program, limits, self.options, drawn, &visitor),
        }
    }
}
