//! The order of SeqCst operations.

use super::OperationId;
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
        let mut after: HashMap<OperationId, Vec<OperationId>> = HashMap::new();
        for (first, second) in pairs {
            after.entry(first).or_default().push(second);
        }
        let mut closed = HashMap::new();
        for &start in after.keys() {
            let mut reached = Vec::new();
            let mut open = after[&start].clone();
            while let Some(next) = open.pop() {
                if !reached.contains(&next) {
                    reached.push(next);
                    open.extend(after.get(&next).into_iter().flatten().copied());
                }
            }
            reached.sort_unstable();
            closed.insert(start, reached);
        }
        Self::Pairs(closed)
    }
}
