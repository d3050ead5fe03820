//! What a client of a test observes: the arguments that were left open, and the results of all operations (section 2.2 of the paper).

use crate::lsl::syntax::{Argument, Program, Register};
use crate::lsl::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The observation vector of an execution. What each value is of, [`Label::of`] says.
///
/// Objects have the names of [`Observation::renamed`] in it: the first that appears is the first object, the next other one the second. A client can tell which
/// objects are the same, but not where they were made: the object of a first round in one execution is that of a second round in another,
/// so that a name by place of allocation would tell apart what no client does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Observation(pub Vec<Value>);

impl Observation {
    /// The same observation with the names that objects have in one: bases from the [first](Program::first_object) on, in the order in which they appear.
    #[must_use]
    pub fn renamed(&self, first_object: u32) -> Self {
        let mut names: BTreeMap<u32, u32> = BTreeMap::new();
        let mut rename = |value: &Value| {
            let Some(path) = value.path() else { return value.clone() };
            let mut components = path.components().to_vec();
            if components[0] >= first_object {
                let next = first_object + u32::try_from(names.len()).expect("objects fit into 32 bits");
                components[0] = *names.entry(components[0]).or_insert(next);
            }
            Value::pointer(&components)
        };
        Self(self.0.iter().map(&mut rename).collect())
    }
}

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
