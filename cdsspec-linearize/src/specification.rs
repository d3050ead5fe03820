//! What a sequential specification is.

use std::fmt::Debug;
use std::hash::Hash;

/// What an object does when its calls come one after the other.
///
/// A specification may be partial: an operation without a step in a state cannot take effect there, as `lock` of a locked mutex. It may be non-deterministic: an
/// operation may have several steps, as `remove` of a bag. A history is linearizable if *some* steps explain it.
///
/// ```
/// use cdsspec_linearize::SequentialSpecification;
///
/// /// Each call returns how many were before it.
/// struct Counter;
///
/// impl SequentialSpecification for Counter {
///     type Operation = ();
///     type Result = u32;
///     type State = u32;
///     type Part = ();
///
///     fn initial(&self) -> u32 {
///         0
///     }
///
///     fn step(&self, state: &u32, _: &()) -> impl IntoIterator<Item = (u32, u32)> {
///         [(*state, state + 1)]
///     }
///
///     fn part(&self, _: &()) {}
/// }
/// ```
pub trait SequentialSpecification: Sized {
    /// What is called, with its arguments. Two pending calls whose operations are equal are tried in one order alone.
    type Operation: PartialEq + Debug;
    /// What a call returns.
    type Result: PartialEq + Debug;
    /// The state between two calls.
    type State: Clone + Eq + Hash + Debug;
    /// Which part of the object an operation is about: a key. `()` if the object has no parts.
    type Part: Ord;

    /// The state before the first call.
    fn initial(&self) -> Self::State;

    /// Everything that the operation may do in this state: what it returns, and the state after it. Nothing: it cannot take effect here.
    fn step(
        &self,
        state: &Self::State,
        operation: &Self::Operation,
    ) -> impl IntoIterator<Item = (Self::Result, Self::State)>;

    /// The part that the operation is about. The steps of operations of different parts must not depend on each other, whatever the state: then each part is judged by
    /// itself (P-compositionality; locality in Herlihy and Wing).
    fn part(&self, operation: &Self::Operation) -> Self::Part;

    /// Whether the operation with this result, or with whatever result if there is none, leaves *every* state as it is, as a read does. Such a call is linearized as soon as it can be;
    /// and left out if it is pending. `false` is always right, and slower.
    fn is_read_only(&self, _operation: &Self::Operation, _result: Option<&Self::Result>) -> bool {
        false
    }

    /// Bytes that a state keeps on the heap, and does not share with states before it: they count for the limit of memory.
    fn heap_bytes(&self, _state: &Self::State) -> usize {
        0
    }

    /// How the object orders what is in it, if it is a stack or a queue: then the search knows more. What is said of the calls, one for each in their order, must be what
    /// [`step`](Self::step) does: a wrong answer makes wrong verdicts. [`Discipline::Any`] is always right, and for stacks and queues slower.
    fn discipline(&self, _calls: &[(&Self::Operation, Option<&Self::Result>)]) -> Discipline {
        Discipline::Any
    }
}

/// How an object that is empty at first orders what is in it, with what each call does to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// Nothing is known.
    Any,
    /// A stack: last in, first out.
    Lifo(Vec<Access>),
    /// A queue: first in, first out.
    Fifo(Vec<Access>),
}

/// What a call does to a stack or a queue. Equal values have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It puts this value in.
    Insert(u32),
    /// It takes out what is next, which must be this value.
    Remove(u32),
    /// It finds nothing in it.
    FindEmpty,
    /// It takes out what is next, if anything is: nobody knows what it returns.
    RemoveAny,
}
