//! Relaxed: an access keeps its order only before a later store of its location (section 2.3.2 of the paper, axiom 1).
//!
//! Orders behind accesses mean nothing here; an atomic block has no implied fence (figure 6).

use super::axioms::{Axioms, ProgramOrder};
use crate::flat::Access;
use crate::lsl::syntax::AccessKind;

pub(super) struct Relaxed;

impl Axioms for Relaxed {
    fn is_forwarding(&self) -> bool {
        true
    }

    fn program_order(&self, _: &Access, after: &Access) -> ProgramOrder {
        match after.kind {
            AccessKind::Store => ProgramOrder::KeptAtOneLocation,
            AccessKind::Load => ProgramOrder::Relaxed,
        }
    }
}
