//! What makes a memory model, and what machines have in common.

use crate::graph::{EventId, Graph, Label};
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// What makes a memory model.
pub(crate) trait Axioms: Sync {
    /// An operation with the orders that are in force for it, which say what synchronises.
    fn in_force(&self, label: Label) -> Label;

    /// Whether a graph whose reads and writes are coherent is consistent. The write of one read-modify-write may have no place yet.
    fn is_consistent(&self, graph: &Graph) -> bool;

    /// Pairs of SeqCst events whose closure is the order of these.
    fn sc_pairs(&self, graph: &Graph) -> Vec<(EventId, EventId)>;

    /// Whether there are graphs whose events cannot be added in any order so that each read reads the newest store, and each write is the newest.
    fn has_stale_reads(&self) -> bool {
        true
    }

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
pub(super) fn of_hardware(label: Label, store: impl Fn(Ordering) -> Ordering) -> Label {
    label.map_orders(at_least(Acquire), store, at_least(AcqRel))
}

/// Of a machine whose stores leave in order, every store releases.
pub(super) fn releases(written: Ordering) -> Ordering {
    at_least(Release)(written)
}
