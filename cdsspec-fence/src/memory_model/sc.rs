//! Sequential consistency: axiom 1 keeps all of program order (section 2.3.2 of the paper).

use super::axioms::{Axioms, ProgramOrder};
use crate::flat::Access;

pub(super) struct Sc;

impl Axioms for Sc {
    fn is_total(&self) -> bool {
        true
    }

    fn is_forwarding(&self) -> bool {
        false
    }

    fn program_order(&self, _: &Access, _: &Access) -> ProgramOrder {
        ProgramOrder::Kept
    }
}
