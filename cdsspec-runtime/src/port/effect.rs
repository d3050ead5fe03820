//! What a thread does besides operations.

use crate::record::LocationId;

/// What a thread does besides operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// An annotated method is called, or returns.
    Call,
    /// An ordering point annotation runs.
    Marker,
    /// What this lock guards is borrowed to be changed.
    Data(LocationId),
}

impl Effect {
    /// Whether it is about a method call.
    pub fn is_of_call(self) -> bool {
        matches!(self, Self::Call | Self::Marker)
    }
}
