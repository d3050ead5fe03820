//! Memory models: which execution graphs are consistent.
//!
//! Each model is one file with its `Axioms`: which orders are in force (so what synchronises, by the rules of C++20), which graphs
//! are consistent, and in which order SeqCst operations are. What they share is coherence: by happens-before alone it is
//! said which stores a read may read from, and where a write may stand.
//!
//! # What the exploration needs of a model
//! TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022), section 3, explores the graphs of a model that is
//! - *porf-acyclic*: sb ∪ rf has no cycle. Graphs are built so that a read is always added after its store, or is revisited by one that
//!   does not depend on it;
//! - *prefix-closed*: without events that nothing depends on by sb ∪ rf, a consistent graph stays consistent. All conditions here
//!   forbid cycles in relations that only lose edges when events go;
//! - *extensible*: an event at the end of its thread can be added to a consistent graph, if it reads the newest store, or is the newest
//!   one. It has then no edges to other events in any relation here.
//!
//! The tests of this repository look after each execution whether its graph is one of the model's (feature `checks-graphs`).

#![forbid(unsafe_code)]

mod coherence;
mod order;
mod pso;
mod rc11;
mod sc;
mod tso;

use crate::graph::{EventId, Graph, Label};
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// A memory model of the engine that explores execution graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[non_exhaustive]
pub enum MemoryModel {
    /// C and C++11, repaired (RC11), with the release sequences of C++20.
    #[default]
    Rc11,
    /// Sequential consistency: every operation and fence is as if it were SeqCst.
    Sc,
    /// Total store order: x86. Each thread has a queue of stores.
    Tso,
    /// Partial store order: stores to different locations leave the queue in any order.
    Pso,
}

impl MemoryModel {
    /// All of them; the default is first.
    pub const ALL: [Self; 4] = [Self::Rc11, Self::Sc, Self::Tso, Self::Pso];

    /// Its name, in lower case: in settings and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rc11 => "rc11",
            Self::Sc => "sc",
            Self::Tso => "tso",
            Self::Pso => "pso",
        }
    }

    /// The model of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// What of C11 and of hardware it does not model, in a phrase.
    pub(crate) const fn not_modelled(self) -> &'static str {
        match self {
            Self::Rc11 => "load buffering (RC11)",
            Self::Sc => "weak orders: every operation is as if it were SeqCst (Sc)",
            Self::Tso => "reordering but that of a store with later loads (Tso)",
            Self::Pso => "reordering but that of a store with later loads and stores (Pso)",
        }
    }

    /// What it consists of.
    pub(crate) fn axioms(self) -> &'static dyn Axioms {
        match self {
            Self::Rc11 => &rc11::Rc11,
            Self::Sc => &sc::Sc,
            Self::Tso => &tso::Tso,
            Self::Pso => &pso::Pso,
        }
    }
}

/// What makes a memory model.
pub(crate) trait Axioms: Sync {
    /// An operation with the orders that are in force for it, which say what synchronises.
    fn in_force(&self, label: Label) -> Label;

    /// Whether a graph whose reads and writes are coherent is consistent. The write of one read-modify-write may have no place yet.
    fn is_consistent(&self, graph: &Graph) -> bool;

    /// Pairs of SeqCst events whose closure is the order of these.
    fn sc_pairs(&self, graph: &Graph) -> Vec<(EventId, EventId)>;

    /// Whether an operation that nothing reads from can be left out, as that on a count of handles: its order is weak enough to have no effect
    /// on the other operations of its thread.
    fn may_leave_counts_out(&self) -> bool {
        false
    }
}

/// This order, unless SeqCst is written.
fn at_least(least: Ordering) -> impl Fn(Ordering) -> Ordering {
    move |written| if written == SeqCst { SeqCst } else { least }
}

/// What every machine with queues of stores does: loads acquire, read-modify-writes do both.
fn of_hardware(label: Label, store: impl Fn(Ordering) -> Ordering) -> Label {
    label.map_orders(at_least(Acquire), store, at_least(AcqRel))
}

/// Of a machine whose stores leave in order, every store releases.
fn releases(written: Ordering) -> Ordering {
    at_least(Release)(written)
}
