//! The engine that draws executions of a memory model: for runs that are too long to explore, or too many.
//!
//! Each run begins anew, its choices are drawn ([`Strategy`]), and nothing is left out of it: rounds of loops are as many as they are, but for a thread that only reads, over and over, what nobody changes; and counts of
//! handles are operations. A seed gives the same runs each time. What one of them shows is an execution of the model; what none of them
//! shows may be one all the same, so that the best verdict is `holds_within`. Runs may repeat each other.

use super::{Capabilities, Engine, Exploration, Limits, Program, Visitor};
use crate::memory_model::MemoryModel;
use crate::record::Course;
use crate::run::Options;
pub use crate::run::{Sampling, Strategy};
use std::cell::RefCell;
use std::rc::Rc;

/// The engine that draws executions.
#[derive(Clone, Copy, Debug)]
pub struct RandomEngine {
    options: Options,
    sampling: Sampling,
}

impl RandomEngine {
    /// The engine with this memory model, which draws so many executions.
    pub fn new(memory_model: MemoryModel, sampling: Sampling) -> Self {
        Self::with_options(Options { memory_model, ..Options::default() }, sampling)
    }

    /// The engine with these options, which draws so many executions.
    pub fn with_options(options: Options, sampling: Sampling) -> Self {
        Self { options, sampling }
    }
}

const fn not_modelled(memory_model: MemoryModel) -> [&'static str; 7] {
    [
        "executions that no run came to",
        memory_model.not_modelled(),
        "loops that only read and count their rounds outside the stack",
        "loops that wait for ever and write in their rounds, as with a lock (they come to a limit)",
        "a second spurious failure or wake-up at one place in a thread",
        "objects on a stack that end while another thread uses them, unless their place is used again",
        "a reader that a waiting writer holds back",
    ]
}

impl Engine for RandomEngine {
    fn name(&self) -> &'static str {
        "random"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            has_store_identity: true,
            has_modification_order: true,
            has_blocked_executions: true,
            has_replay: true,
            ..Capabilities::default()
        }
    }

    fn not_modelled(&self) -> &'static [&'static str] {
        static ROWS: [[&str; 7]; 4] = {
            let [rc11, sc, tso, pso] = MemoryModel::ALL;
            [not_modelled(rc11), not_modelled(sc), not_modelled(tso), not_modelled(pso)]
        };
        &ROWS[self.options.memory_model as usize]
    }

    fn explore(&self, program: Program, limits: &Limits, visitor: Rc<RefCell<dyn Visitor>>) -> Exploration {
        crate::run::sample(&program, limits, self.options, self.sampling, &visitor)
    }

    fn replay(
        &self,
        program: Program,
        limits: &Limits,
        course: &Course,
        visitor: Rc<RefCell<dyn Visitor>>,
    ) -> Exploration {
        super::graph::GraphEngine::with_options(self.options).replay(program, limits, course, visitor)
    }
}
