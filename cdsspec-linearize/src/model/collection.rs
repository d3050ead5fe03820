//! Stacks and queues.

use super::sequence::Sequence;
use crate::specification::{Access, Discipline, SequentialSpecification};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

/// A stack, empty at first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stack<V>(PhantomData<V>);

/// A queue, empty at first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Queue<V>(PhantomData<V>);

impl<V> Stack<V> {
    /// An empty stack.
    #[must_use]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<V> Queue<V> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

/// What is asked of a stack or a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectionOperation<V> {
    /// To put the value in: push, enqueue.
    Insert(V),
    /// To take a value out: pop, dequeue.
    Remove,
}

/// What a stack or a queue answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectionResult<V> {
    /// The value is in.
    Inserted,
    /// What was taken out; nothing if it was empty.
    Removed(Option<V>),
}

/// What each call does, with numbers for values.
fn accesses<V: Eq + Hash>(
    calls: &[(&CollectionOperation<V>, Option<&CollectionResult<V>>)],
) -> Option<Vec<Access>> {
    let mut numbers: HashMap<&V, u32> = HashMap::new();
    let mut number = |value| {
        let next = numbers.len() as u32;
        *numbers.entry(value).or_insert(next)
    };
    let mut accesses = Vec::with_capacity(calls.len());
    for &(operation, result) in calls {
        accesses.push(match (operation, result) {
            (CollectionOperation::Insert(value), None | Some(CollectionResult::Inserted)) => {
                Access::Insert(number(value))
            }
            (CollectionOperation::Remove, None) => Access::RemoveAny,
            (CollectionOperation::Remove, Some(CollectionResult::Removed(None))) => Access::FindEmpty,
            (CollectionOperation::Remove, Some(CollectionResult::Removed(Some(value)))) => {
                Access::Remove(number(value))
            }
            // An answer to something else: no step gives it.
            _ => return None,
        });
    }
    Some(accesses)
}

fn finds_empty<V>(result: Option<&CollectionResult<V>>) -> bool {
    matches!(result, Some(CollectionResult::Removed(None)))
}

fn step<V: Clone + Hash>(
    state: &Sequence<V>,
    operation: &CollectionOperation<V>,
    without: impl Fn(&Sequence<V>) -> Option<(V, Sequence<V>)>,
) -> Option<(CollectionResult<V>, Sequence<V>)> {
    Some(match operation {
        CollectionOperation::Insert(value) => (CollectionResult::Inserted, state.with_back(value.clone())),
        CollectionOperation::Remove => match without(state) {
            Some((value, rest)) => (CollectionResult::Removed(Some(value)), rest),
            None => (CollectionResult::Removed(None), state.clone()),
        },
    })
}

impl<V: Clone + Eq + Hash + Debug> SequentialSpecification for Stack<V> {
    type Operation = CollectionOperation<V>;
    type Result = CollectionResult<V>;
    type State = Sequence<V>;
    type Part = ();

    fn initial(&self) -> Sequence<V> {
        Sequence::new()
    }

    fn step(
        &self,
        state: &Sequence<V>,
        operation: &Self::Operation,
    ) -> impl IntoIterator<Item = (Self::Result, Sequence<V>)> {
        step(state, operation, Sequence::without_back)
    }

    fn part(&self, _: &Self::Operation) {}

    fn is_read_only(&self, _: &Self::Operation, result: Option<&Self::Result>) -> bool {
        finds_empty(result)
    }

    fn heap_bytes(&self, state: &Sequence<V>) -> usize {
        state.own_bytes()
    }

    fn discipline(&self, calls: &[(&Self::Operation, Option<&Self::Result>)]) -> Discipline {
        accesses(calls).map_or(Discipline::Any, Discipline::Lifo)
    }
}

impl<V: Clone + Eq + Hash + Debug> SequentialSpecification for Queue<V> {
    type Operation = CollectionOperation<V>;
    type Result = CollectionResult<V>;
    type State = Sequence<V>;
    type Part = ();

    fn initial(&self) -> Sequence<V> {
        Sequence::new()
    }

    fn step(
        &self,
        state: &Sequence<V>,
        operation: &Self::Operation,
    ) -> impl IntoIterator<Item = (Self::Result, Sequence<V>)> {
        step(state, operation, Sequence::without_front)
    }

    fn part(&self, _: &Self::Operation) {}

    fn is_read_only(&self, _: &Self::Operation, result: Option<&Self::Result>) -> bool {
        finds_empty(result)
    }

    fn heap_bytes(&self, state: &Sequence<V>) -> usize {
        state.own_bytes()
    }

    fn discipline(&self, calls: &[(&Self::Operation, Option<&Self::Result>)]) -> Discipline {
        accesses(calls).map_or(Discipline::Any, Discipline::Fifo)
    }
}
