//! Total store order, as of SPARC and x86: a store waits in a queue, and may take effect after later loads of its thread, which see it.
//!
//! Not in the paper. An atomic block waits until the queue of its thread is empty, whether it stores or not, and acts on memory itself; so does a
//! `SeqCst` store.

use super::axioms::{Axioms, ProgramOrder};
use crate::flat::Access;
use crate::lsl::syntax::{AccessKind, Order};

pub(super) struct Tso;

/// Whether an access waits until the queue of its thread is empty, and does not enter it.
pub(super) fn drains(access: &Access) -> bool {
    let is_sc_store = access.kind == AccessKind::Store && access.order == Some(Order::SequentiallyConsistent);
    access.block.is_some() || is_sc_store
}

impl Axioms for Tso {
    fn is_forwarding(&self) -> bool {
        true
    }

    fn program_order(&self, before: &Access, after: &Access) -> ProgramOrder {
        let is_delayed = before.kind == AccessKind::Store && after.kind == AccessKind::Load;
        if is_delayed && !drains(before) && !drains(after) {
            ProgramOrder::Relaxed
        } else {
            ProgramOrder::Kept
        }
    }
}
