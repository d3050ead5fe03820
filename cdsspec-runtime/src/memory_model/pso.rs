//! Partial store order: as [Tso](super::tso), but stores to different locations leave the queue of their thread in any order.
//!
//! A Release store, and a fence that releases, put a barrier into the queue, which nothing passes. A read synchronises with another
//! thread's store if that is Release or SeqCst, part of a read-modify-write, or after a fence that releases.
//!
//! # Paper
//! SPARC International, *The SPARC architecture manual, version 8*, 1992, appendix K; the axiom as for Tso, ppo being sb without pairs
//! of a store and a later load, and of two stores to different locations without a barrier between them.

use super::axioms::{Axioms, of_hardware};
use super::order::{Order, Preserved};
use crate::graph::{EventId, Graph, Label};

/// SPARC's.
pub(super) struct Pso;

impl Axioms for Pso {
    fn in_force(&self, label: Label) -> Label {
        of_hardware(label, |written| written)
    }

    fn is_consistent(&self, graph: &Graph) -> bool {
        Order::new(graph, Preserved::StoresInAnyOrder).is_acyclic()
    }

    fn sc_pairs(&self, graph: &Graph) -> Vec<(EventId, EventId)> {
        Order::new(graph, Preserved::StoresInAnyOrder).sc_pairs()
    }
}
