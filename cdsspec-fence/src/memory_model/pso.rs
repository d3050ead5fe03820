//! Partial store order, as of SPARC: as total store order, but stores to different locations leave the queue in any order.
//!
//! Not in the paper. What drains the queue is as under [`Tso`](super::tso::Tso). No store passes a `Release` store: it stands behind a store-store fence.

use super::axioms::{Axioms, ProgramOrder};
use super::tso::drains;
use crate::flat::Access;
use crate::lsl::syntax::{AccessKind, FenceKind, Order};

pub(super) struct Pso;

impl Axioms for Pso {
    fn is_forwarding(&self) -> bool {
        true
    }

    fn program_order(&self, before: &Access, after: &Access) -> ProgramOrder {
        if before.kind == AccessKind::Load || drains(before) || drains(after) {
            return ProgramOrder::Kept;
        }
        match after.kind {
            AccessKind::Load => ProgramOrder::Relaxed,
            AccessKind::Store => ProgramOrder::KeptAtOneLocation,
        }
    }

    fn fence_before(&self, access: &Access) -> Option<FenceKind> {
        let is_release = matches!(access.order, Some(Order::Release | Order::AcquireRelease));
        let fence = FenceKind::Between(AccessKind::Store, AccessKind::Store);
        (is_release && access.kind == AccessKind::Store).then_some(fence)
    }
}
