//! What there is to choose.

use crate::graph::{Action, Event, Label};
use crate::memory_model::Axioms;

/// What to explore.
#[derive(Clone, Copy)]
pub(crate) struct Choices {
    /// Those of the memory model.
    pub(crate) axioms: &'static dyn Axioms,
    /// A weak compare-exchange may fail spuriously.
    pub(crate) has_spurious_failures: bool,
    /// A wait is added where the newest store ends it, and reads that: threads run one after the other.
    pub(crate) is_serial: bool,
}

impl Choices {
    /// Whether an event may fail spuriously, unless one at its place has in its thread.
    #[inline]
    pub(super) fn may_fail(&self, event: &Event) -> bool {
        let is_weak = matches!(event.label, Label::Access(Action::CompareExchange { is_weak: true, .. }));
        self.has_spurious_failures && is_weak
    }
}
