//! Who runs the program: explores its executions, one recording each.

pub mod graph;
#[cfg(feature = "loom")]
pub mod loom;
pub mod random;

pub use crate::record::Exploration;
pub use crate::run::{Limits, MemoryClasses, Program, Visitor, Watch};

use crate::record::Course;
use std::cell::RefCell;
use std::rc::Rc;

/// Explores the executions of a program.
pub trait Engine {
    /// Its name: in reports, in `CDSSPEC_ENGINE`.
    fn name(&self) -> &'static str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// What it does not model, a phrase each.
    fn not_modelled(&self) -> &'static [&'static str];

    /// Explores `program` within `limits` and hands each execution to `visitor`, on the calling thread.
    fn explore(&self, program: Program, limits: &Limits, visitor: Rc<RefCell<dyn Visitor>>) -> Exploration;

    /// Runs one execution of `program` again, and hands it to `visitor`, if the program does what it did then: [`Exploration::Replayed`], else
    /// [`Exploration::Departed`]. Only an engine that [says so](Capabilities::has_replay) can.
    fn replay(
        &self,
        program: Program,
        limits: &Limits,
        course: &Course,
        visitor: Rc<RefCell<dyn Visitor>>,
    ) -> Exploration {
        let _ = (program, limits, course, visitor);
        Exploration::Departed("the engine cannot run one execution again".to_owned())
    }
}

/// What an engine can do. A check refuses what the engine lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Capabilities {
    /// Explores every execution of the memory model.
    pub is_complete: bool,
    /// Hands over each execution graph once.
    pub has_unique_graphs: bool,
    /// Knows which store each load reads.
    pub has_store_identity: bool,
    /// Knows the modification order of each location.
    pub has_modification_order: bool,
    /// Hands over blocked executions as results.
    pub has_blocked_executions: bool,
    /// Can run one execution again.
    pub has_replay: bool,
}
