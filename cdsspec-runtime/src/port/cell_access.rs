//! Accesses of cells, as they last.

use crate::record::OperationId;

/// An access of a cell that lasts.
#[derive(Clone, Copy, Debug)]
pub struct CellAccess(pub(crate) Option<OperationId>);

impl CellAccess {
    /// The access that began with this operation; `None` if it was unobserved.
    pub fn new(operation: Option<OperationId>) -> Self {
        Self(operation)
    }

    /// The operation that it began with.
    pub fn operation(self) -> Option<OperationId> {
        self.0
    }
}
