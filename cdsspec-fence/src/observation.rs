//! What a client of a test observes: the arguments that were left open, and the results of all operations (section 2.2 of the paper).

use crate::lsl::syntax::{Argument, Program, Register};
use crate::lsl::value::Value;
use std::collections::BTreeSet;
use std::fmt;

/// The observation vector of an execution. What each value is of, [`Label::of`] says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Observation(pub Vec<Value>);

/// The observations of a set of executions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObservationSet {
    /// Of the executions without an error.
    pub observations: BTreeSet<Observation>,
    /// Whether there is an execution with an error: an assertion that fails, or a value of the wrong type that is used.
    pub has_error: bool,
}

impl ObservationSet {
    /// Whether all that is here is there, too.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.observations.is_subset(&other.observations) && (!self.has_error || other.has_error)
    }
}

/// What a value of an observation is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Which sequence of operations, as in [`Program::sequences`].
    pub sequence: usize,
    /// Which operation of it.
    pub operation: usize,
    /// Its parameter, or its result.
    pub register: Register,
}

impl Label {
    /// What the observations of a program are of, in their order: operation by operation, the open arguments, then the results.
    ///
    /// # Panics
    /// If an operation is of a procedure that there is not: [`check`](crate::lsl::check::check) the program.
    pub fn of(program: &Program) -> Vec<Self> {
        let mut labels = Vec::new();
        for (sequence, operations) in program.sequences().enumerate() {
            for (index, operation) in operations.iter().enumerate() {
                let procedure =
                    program.procedure(&operation.procedure).expect("a checked program has the procedure");
                let arguments = procedure.parameters.iter().zip(&operation.arguments);
                let open = arguments.filter(|(_, argument)| matches!(argument, Argument::Open(_)));
                let registers = open.map(|(parameter, _)| parameter).chain(&procedure.results);
                let label =
                    |register: &Register| Self { sequence, operation: index, register: register.clone() };
                labels.extend(registers.map(label));
            }
        }
        labels
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.0.iter().map(Value::to_string).collect();
        write!(f, "({})", values.join(", "))
    }
}
