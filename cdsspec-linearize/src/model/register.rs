//! A register, with compare-and-set.

use crate::specification::SequentialSpecification;
use std::fmt::Debug;
use std::hash::Hash;

/// A register.
#[derive(Clone, Debug)]
pub struct Register<V> {
    /// Its value at first.
    pub initial: V,
}

/// What is asked of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterOperation<V> {
    /// To return its value.
    Read,
    /// To take this value.
    Write(V),
    /// To take the second value if it has the first.
    CompareAndSet(V, V),
}

/// What a register answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterResult<V> {
    /// Its value.
    Value(V),
    /// It took the value.
    Written,
    /// Whether it had the expected value, and took the new one.
    Set(bool),
}

impl<V: Clone + Eq + Hash + Debug> SequentialSpecification for Register<V> {
    type Operation = RegisterOperation<V>;
    type Result = RegisterResult<V>;
    type State = V;
    type Part = ();

    fn initial(&self) -> V {
        self.initial.clone()
    }

    fn step(
        &self,
        state: &V,
        operation: &RegisterOperation<V>,
    ) -> impl IntoIterator<Item = (Self::Result, V)> {
        Some(match operation {
            RegisterOperation::Read => (RegisterResult::Value(state.clone()), state.clone()),
            RegisterOperation::Write(value) => (RegisterResult::Written, value.clone()),
            RegisterOperation::CompareAndSet(expected, new) if expected == state => {
                (RegisterResult::Set(true), new.clone())
            }
            RegisterOperation::CompareAndSet(..) => (RegisterResult::Set(false), state.clone()),
        })
    }

    fn part(&self, _: &RegisterOperation<V>) {}

    fn is_read_only(&self, operation: &RegisterOperation<V>, result: Option<&Self::Result>) -> bool {
        matches!(operation, RegisterOperation::Read) || result == Some(&RegisterResult::Set(false))
    }
}
