//! A set.

use crate::specification::SequentialSpecification;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::hash::Hash;

/// A set, empty at first. Each value is a part.
#[derive(Clone, Copy, Debug, Default)]
pub struct Set<V>(std::marker::PhantomData<V>);

impl<V> Set<V> {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Self(std::marker::PhantomData)
    }
}

/// What is asked of a set. The answer of the first two is whether they changed it, of the third whether the value is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetOperation<V> {
    /// To put the value in.
    Add(V),
    /// To take it out.
    Remove(V),
    /// To say whether it is in.
    Contains(V),
}

impl<V: Clone + Ord + Hash + Debug> SequentialSpecification for Set<V> {
    type Operation = SetOperation<V>;
    type Result = bool;
    type State = BTreeSet<V>;
    type Part = V;

    fn initial(&self) -> BTreeSet<V> {
        BTreeSet::new()
    }

    fn step(
        &self,
        state: &BTreeSet<V>,
        operation: &SetOperation<V>,
    ) -> impl IntoIterator<Item = (bool, BTreeSet<V>)> {
        let mut next = state.clone();
        let result = match operation {
            SetOperation::Add(value) => next.insert(value.clone()),
            SetOperation::Remove(value) => next.remove(value),
            SetOperation::Contains(value) => state.contains(value),
        };
        Some((result, next))
    }

    fn part(&self, operation: &SetOperation<V>) -> V {
        let (SetOperation::Add(value) | SetOperation::Remove(value) | SetOperation::Contains(value)) =
            operation;
        value.clone()
    }

    fn is_read_only(&self, operation: &SetOperation<V>, result: Option<&bool>) -> bool {
        matches!(operation, SetOperation::Contains(_)) || result == Some(&false)
    }

    fn heap_bytes(&self, state: &BTreeSet<V>) -> usize {
        // A node has room for eleven entries, and is at least 4/11 full.
        let node = 11 * size_of::<V>() + 16 * size_of::<usize>();
        node * state.len().div_ceil(4)
    }
}
