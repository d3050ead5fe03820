//! Total store order, as of x86: each thread has a queue of stores, which leave it in their order; a thread reads its own newest one
//! first.
//!
//! A SeqCst store and fence, and every read-modify-write, wait until the queue is empty, and act on memory itself; so does a failed
//! compare-exchange, and so do the start of a thread and a join. Every read of another thread's store synchronises.
//!
//! # Paper
//! Owens, Sarkar, Sewell, *A better x86 memory model: x86-TSO*, TPHOLs 2009; the axiom as in Alglave, Maranget, Tautschnig, *Herding
//! cats*, TOPLAS 2014: ppo ∪ rfe ∪ mo ∪ rb is acyclic, ppo being sb without pairs of a store and a later load that no flush stands
//! between.

use super::axioms::{Axioms, of_hardware, releases};
use super::order::{Order, Preserved};
use crate::graph::{EventId, Graph, Label};

/// x86.
pub(super) struct Tso;

impl Axioms for Tso {
    fn in_force(&self, label: Label) -> Label {
        of_hardware(label, releases)
    }

    fn is_consistent(&self, graph: &Graph) -> bool {
        Order::new(graph, Preserved::StoresInOrder).is_acyclic()
    }

    fn sc_pairs(&self, graph: &Graph) -> Vec<(EventId, EventId)> {
        Order::new(graph, Preserved::StoresInOrder).sc_pairs()
    }
}
