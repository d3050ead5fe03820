//! The operational twins: what machines with a memory and queues of stores do with a test, by explicit search of their states.
//!
//! They judge the memory models of the engines, and share nothing with them: no graphs, no axioms, no clocks. A state is where each
//! thread is, its registers, its queue of stores, and the memory. [`outcomes`] visits every state that can be reached.
//! [`count_traces`] tells the interleavings of [`Sc`](OperationalModel::Sc) apart that no swap of independent operations makes equal.
//!
//! - `Sc`: the operations of all threads take effect in the memory, one after the other.
//! - `Tso`: a store waits in the queue of its thread. Queues are first in, first out; the oldest store may enter the memory at any
//!   moment. A load reads the newest store to its location in the queue of its own thread, else the memory.
//! - `Pso`: the same, but stores to different locations leave a queue in any order, those to one location in the order of the program. A
//!   `Release` store and a fence that releases put a barrier behind the stores that are in the queue; no store passes it.
//!
//! On the last two a `SeqCst` store, a `SeqCst` fence and every read-modify-write wait until the queue of their thread is empty, a
//! failed compare-exchange as well. That store and the read-modify-write then act on the memory itself. Loads of all orders are alike.
//! `LOCK` and `UNLOCK` are read-modify-writes.
//!
//! Not modelled: data races. A test with `na` accesses is refused.
#![forbid(unsafe_code)]

mod code;
mod mazurkiewicz;
mod queue;
mod search;
mod state;
mod step;

pub use mazurkiewicz::{Traces, count_traces};
pub use search::{Outcomes, outcomes};

use crate::syntax::{Litmus, LocationKind};
use std::fmt;
use std::sync::atomic::Ordering;

/// Which machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OperationalModel {
    /// No queues.
    Sc,
    /// A queue of stores for each thread, first in, first out.
    Tso,
    /// A queue of stores for each thread, first in, first out only for each location, with barriers.
    Pso,
}

impl OperationalModel {
    /// All of them. Each allows what the one before it allows.
    pub const ALL: [Self; 3] = [Self::Sc, Self::Tso, Self::Pso];

    /// Its name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sc => "sc",
            Self::Tso => "tso",
            Self::Pso => "pso",
        }
    }

    /// The machine of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Whether a store of this order waits in the queue.
    fn is_queued(self, order: Ordering) -> bool {
        self != Self::Sc && order != Ordering::SeqCst
    }

    /// Whether a store that waits, or a fence, of this order puts a barrier into the queue.
    fn has_barrier(self, order: Ordering) -> bool {
        self == Self::Pso && matches!(order, Ordering::Release | Ordering::AcqRel)
    }

    /// Whether only the oldest entry may leave a queue.
    fn is_first_in_first_out(self) -> bool {
        self != Self::Pso
    }
}

impl fmt::Display for OperationalModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How far a machine goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How many rounds of a loop there are, each time that it is entered.
    pub rounds: usize,
    /// How many states are visited before the test is called too large. Each takes some hundred bytes.
    pub states_max: usize,
    /// Whether a `CASW` may fail spuriously: at most once for all of its thread that have its orders.
    pub has_spurious_failures: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { rounds: 3, states_max: 500_000, has_spurious_failures: true }
    }
}

/// Why a machine says nothing about a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// This location is accessed without atomics.
    NonAtomic(String),
    /// The traces of a test with loops are not counted.
    Loop,
    /// There are more states than the bound.
    TooLarge,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonAtomic(location) => {
                write!(f, "`{location}` has `na` accesses: the operational machines know no data races")
            }
            Self::Loop => f.write_str("traces are counted only of tests without loops"),
            Self::TooLarge => f.write_str("there are too many states"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Whether the machines know all that the test does.
fn check_accesses(test: &Litmus) -> Result<(), Refusal> {
    match test.locations.iter().find(|location| location.kind == LocationKind::Plain) {
        Some(location) => Err(Refusal::NonAtomic(location.name.clone())),
        None => Ok(()),
    }
}
