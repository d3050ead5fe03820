//! Serial executions: sequential consistency, and operations that are not interleaved (section 2.3.2 of the paper, "Seriality").

use super::axioms::{Axioms, ProgramOrder};
use crate::flat::Access;

pub(super) struct Serial;

impl Axioms for Serial {
    fn is_serial(&self) -> bool {
        true
    }

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
