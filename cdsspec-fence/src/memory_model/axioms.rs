//! What a memory model says.

use crate::flat::Access;
use crate::lsl::syntax::FenceKind;

/// Whether two accesses of one thread keep program order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramOrder {
    /// They do.
    Kept,
    /// They do if they are of one location.
    KeptAtOneLocation,
    /// They need not.
    Relaxed,
}

/// What tells a memory model from others.
pub trait Axioms {
    /// Whether operations are not interleaved, and all accesses keep their order.
    fn is_serial(&self) -> bool {
        false
    }

    /// Whether all accesses of a thread keep their order.
    fn is_total(&self) -> bool {
        false
    }

    /// Whether a load sees stores of its thread that come later in memory order.
    fn is_forwarding(&self) -> bool;

    /// Whether the first access, which comes first in its thread, comes before the second in memory order.
    fn program_order(&self, before: &Access, after: &Access) -> ProgramOrder;

    /// The fence that there is right before an access, because of its order.
    fn fence_before(&self, access: &Access) -> Option<FenceKind> {
        let _ = access;
        None
    }
}
