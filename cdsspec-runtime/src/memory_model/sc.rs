//! Sequential consistency: the operations of all threads take effect one after the other.
//!
//! # Paper
//! Lamport, *How to make a multiprocessor computer that correctly executes multiprocess programs*, IEEE Transactions on Computers, 1979.
//! As an axiom (Shasha, Snir, TOPLAS 1988): sb ∪ rf ∪ mo ∪ rb is acyclic.

use super::Axioms;
use super::order::{Order, Preserved};
use crate::graph::{EventId, Graph, Label};
use std::sync::atomic::Ordering::SeqCst;

/// Every order is SeqCst, fences too.
pub(super) struct Sc;

impl Axioms for Sc {
    fn in_force(&self, label: Label) -> Label {
        match label {
            Label::Fence { .. } => Label::Fence { order: SeqCst },
            _ => label.map_orders(|_| SeqCst, |_| SeqCst, |_| SeqCst),
        }
    }

    fn is_consistent(&self, graph: &Graph) -> bool {
        Order::new(graph, Preserved::All).is_acyclic()
    }

    fn sc_pairs(&self, graph: &Graph) -> Vec<(EventId, EventId)> {
        Order::new(graph, Preserved::All).sc_pairs()
    }

    /// They can be added in the order in which they take effect.
    fn has_stale_reads(&self) -> bool {
        false
    }
}
