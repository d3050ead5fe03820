//! Phrases that several parts of a report have.

use super::name::Names;
use crate::record::{OperationId, OperationKind};

/// What an access of a cell is.
pub(super) fn access(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::CellRead | OperationKind::Load => "read",
        OperationKind::CellWrite | OperationKind::Store => "write",
        _ => "access",
    }
}

/// `1 call`, `2 calls`.
pub(super) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The same of a large number.
pub(super) fn number(number: u64, noun: &str) -> String {
    usize::try_from(number).map_or_else(|_| format!("{number} {noun}s"), |number| count(number, noun))
}

/// The call that an operation is in, to go on with.
pub(super) fn in_call(names: &Names<'_>, operation: OperationId) -> String {
    names
        .execution
        .operation(operation)
        .call
        .map_or_else(String::new, |call| format!(", in {}", names.call(call)))
}
