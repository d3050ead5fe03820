//! Which matrices make sense.

use super::matrix::{Entry, InvocationId, Matrix};

/// What every matrix keeps to.
#[derive(Clone, Debug)]
pub(super) enum Constraint {
    /// One of these calls is there at most, and once.
    Once(Vec<InvocationId>),
    /// One thread at most makes these calls.
    OneThread(Vec<InvocationId>),
    /// No two threads of which one makes the first call, and the other the second.
    NeverParallel(InvocationId, InvocationId),
    /// Before the first call its thread, or the main thread initially, has made the second.
    OnlyAfter(InvocationId, InvocationId),
}

impl Constraint {
    /// Whether a matrix keeps to it. Cost: O(calls · threads).
    pub(super) fn allows(&self, matrix: &Matrix) -> bool {
        match self {
            Self::Once(calls) => {
                matrix.calls().filter(|(_, _, entry)| calls.contains(&entry.invocation)).count() <= 1
            }
            Self::OneThread(calls) => {
                let makes =
                    |column: &&Vec<Entry>| column.iter().any(|entry| calls.contains(&entry.invocation));
                matrix.columns.iter().filter(makes).count() <= 1
            }
            Self::NeverParallel(first, second) => {
                let of = |call: InvocationId| {
                    let columns = matrix.columns.iter().enumerate();
                    columns
                        .filter(move |(_, column)| column.iter().any(|entry| entry.invocation == call))
                        .map(|(index, _)| index)
                };
                of(*first).all(|one| of(*second).all(|other| one == other))
            }
            Self::OnlyAfter(call, earlier) => {
                let is_after = |before: &[Entry], column: &[Entry]| {
                    column.iter().enumerate().filter(|(_, entry)| entry.invocation == *call).all(
                        |(index, _)| {
                            before.iter().chain(&column[..index]).any(|entry| entry.invocation == *earlier)
                        },
                    )
                };
                is_after(&[], &matrix.initial)
                    && matrix.columns.iter().all(|column| is_after(&matrix.initial, column))
                    && is_after(&matrix.initial, &matrix.last)
            }
        }
    }
}
