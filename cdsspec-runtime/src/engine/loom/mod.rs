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
mod memory;
mod operation;
mod port;
mod sc;
mod state;
mod thread;
mod trace;

use super::{Capabilities, Engine, Exploration, Limits, Program, Visitor};
use std::cell::RefCell;
use std::rc::Rc;

/// What loom does not model; reports repeat it.
pub const NOT_MODELLED: &[&str] = &[
    "some executions (it prunes by last accesses)",
    "a plain store against a read-modify-write",
    "stores older than the last 7",
    "spurious and stale failures of compare_exchange",
    "SeqCst accesses weaker than fences",
    "load buffering",
    "loops that yield more than 64 times and then give up",
    "loops that write in each round, and several that poll: they end at branches_max",
    "values that a store of an unwinding thread replaces",
    "notify_one of any thread but the first",
    "timeouts while any thread can go on",
    "objects on a stack that end while another thread uses them",
    "spurious wake-ups",
    "a reader that a waiting writer holds back",
    "is_finished before the thread has done its last operation",
];

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
