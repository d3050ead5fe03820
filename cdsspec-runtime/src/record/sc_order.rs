//! The order of SeqCst operations.

use super::OperationId;
use fixedbitset::FixedBitSet;
use std::collections::HashMap;

/// The sc order of one execution, as its engine gives it: a strict partial order over `SeqCst` operations.
///
/// RC11 has no total order of SeqCst operations: an engine that knows the axioms gives psc⁺, loom's what it knows of it.
#[derive(Clone, Debug, Default)]
pub enum ScOrder {
    /// No SeqCst operations, or nothing is known about them.
    #[default]
    Unordered,
    /// Exactly these pairs; transitively closed by whoever made it.
    Pairs(HashMap<OperationId, Vec<OperationId>>),
}

impl ScOrder {
    /// The order that consists of `pairs` and what follows from them.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (OperationId, OperationId)>) -> Self {
        let pairs: Vec<(OperationId, OperationId)> = pairs.into_iter().collect();
        let mut operations: Vec<OperationId> =
            pairs.iter().flat_map(|&(first, second)| [first, second]).collect();
        operations.sort_unstable();
        operations.dedup();
        let number = |operation| operations.binary_search(&operation).expect("each is there");
        let mut after = vec![FixedBitSet::with_capacity(operations.len()); operations.len()];
        for (first, second) in pairs {
            after[number(first)].insert(number(second));
        }
        close(&mut after);
        let row = |(first, after): (&OperationId, &FixedBitSet)| {
            let after: Vec<OperationId> = after.ones().map(|second| operations[second]).collect();
            (!after.is_empty()).then_some((*first, after))
        };
        Self::Pairs(operations.iter().zip(&after).filter_map(row).collect())
    }
}

/// Makes a relation transitive (Warshall, *A theorem on Boolean matrices*, JACM 1962).
fn close(after: &mut [FixedBitSet]) {
    for middle in 0..after.len() {
        let behind = std::mem::take(&mut after[middle]);
        for row in after.iter_mut().filter(|row| row.contains(middle)) {
            row.union_with(&behind);
        }
        after[middle] = behind;
    }
}
