//! The loom engine: loom explores the schedules, the port and the recorder do the rest.
//!
//! loom is used unmodified, by its public API. It has no public clocks and no reads-from, so loom's atomics hold the *index* of a
//! store; value, clock and place of the store stand in the recording beside it. A load returns the index, so reads-from is
//! exact. loom never panics for us: an execution that cannot or should not go on is *cut*, its threads leave by a private
//! unwinding, and loom goes on with the next one.
//!
//! Not modelled, here or in loom: see [`NOT_MODELLED`].

mod cut;
mod exploration;
mod location;
mod operation;
mod port;
mod state;
mod thread;

use super::{Capabilities, Engine, Exploration, Limits, Program, Visitor};
use std::cell::RefCell;
use std::rc::Rc;

/// What loom does not model; reports repeat it.
pub const NOT_MODELLED: &[&str] = &[
    "loom prunes by the last access of each atomic and may miss executions, with the call clock fewer",
    "loom does not order a plain store against a concurrent read-modify-write",
    "loads see at most the last 7 stores of an atomic",
    "a compare-exchange never fails spuriously, and a failed one reads the newest value",
    "SeqCst accesses are AcqRel ones after a SeqCst fence, the sc order is the order of execution",
    "no load buffering",
    "notify_one wakes the thread that waits with the lowest number",
    "a timeout happens only when no thread can go on otherwise, to the one that waits with the lowest number",
];

/// How many threads loom can run, the main thread included.
pub const THREADS_MAX: usize = loom::MAX_THREADS;

/// The engine that explores with loom 0.7.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoomEngine;

impl LoomEngine {
    /// The engine.
    pub fn new() -> Self {
        Self
    }
}

impl Engine for LoomEngine {
    fn name(&self) -> &'static str {
        "loom"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { has_store_identity: true, has_blocked_executions: true, ..Capabilities::default() }
    }

    fn not_modelled(&self) -> &'static [&'static str] {
        NOT_MODELLED
    }

    fn explore(&self, program: Program, limits: &Limits, visitor: Rc<RefCell<dyn Visitor>>) -> Exploration {
        exploration::explore(&program, limits, &visitor)
    }
}
