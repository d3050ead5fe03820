//! A test as threads of straight-line code: calls inlined, loops unrolled, registers in SSA form (sections 3.2 and 3.3 of the paper).
//!
//! A flat program has no branches. Each thing that a thread does has a *guard*, which says whether the thread comes by; where two ways meet, a
//! register's value is a [`Definition::Select`] of both.

mod unroll;

use crate::lsl::primitive::Primitive;
use crate::lsl::syntax::{AccessKind, FenceKind, Global, Order};
use crate::lsl::value::Value;
use std::collections::BTreeMap;

pub use unroll::flatten;

/// A value: an index into [`Flat::values`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ValueId(pub usize);

/// A guard: an index into [`Flat::guards`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GuardId(pub usize);

/// An access: an index into [`Flat::accesses`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessId(pub usize);

/// How a value comes about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Definition {
    /// This one.
    Constant(Value),
    /// One of these.
    Choice(Vec<Value>),
    /// What an operation gives.
    Primitive(Primitive, Vec<ValueId>),
    /// What a load reads.
    Load(AccessId),
    /// One value if the guard holds, else another.
    Select(GuardId, ValueId, ValueId),
}

/// When a thread comes by. Values and guards name only those before them, but for loads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guard {
    /// Always.
    Always,
    /// Never.
    Never,
    /// When this one holds and the value is true; or is not, which an undefined one is, too.
    And(GuardId, ValueId, bool),
    /// When one of both holds. They never hold both.
    Or(GuardId, GuardId),
}

/// Where a statement stands: the procedure, and its place among the statements of that, counted as they are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// An index into the procedures of the program.
    pub procedure: usize,
    /// From 0.
    pub statement: usize,
}

/// A load or a store, once for each time that it is unrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// Which of both.
    pub kind: AccessKind,
    /// When it is done.
    pub guard: GuardId,
    /// Where.
    pub address: ValueId,
    /// What is loaded or stored.
    pub value: ValueId,
    /// How.
    pub order: Option<Order>,
    /// Which sequence of operations it belongs to.
    pub sequence: usize,
    /// Which operation of it.
    pub operation: usize,
    /// Which atomic block, of all of the test.
    pub block: Option<usize>,
    /// Its place in the program order of its sequence; fences have places, too.
    pub position: usize,
    /// The statement.
    pub site: Site,
}

/// A fence, once for each time that it is unrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fence {
    /// What it orders.
    pub kind: FenceKind,
    /// When it is done.
    pub guard: GuardId,
    /// Which sequence it belongs to.
    pub sequence: usize,
    /// Its place there.
    pub position: usize,
    /// Whether it is there only where it is asked for.
    pub is_candidate: bool,
    /// The statement.
    pub site: Site,
}

/// A conditional jump outside of atomic blocks: what comes behind it depends on its condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// When the thread comes by.
    pub guard: GuardId,
    /// What it looks at.
    pub condition: ValueId,
    /// Which sequence it belongs to.
    pub sequence: usize,
    /// How many places of that come before it.
    pub position: usize,
}

/// What is an error in an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An assertion of this value that is not true.
    Assertion(ValueId),
    /// A condition that is undefined.
    Condition(ValueId),
    /// An operation that does not work on its arguments: the operation's value.
    Operation(ValueId),
    /// An access through what is no pointer: the address.
    Address(ValueId),
}

/// A possible error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// When it is looked at.
    pub guard: GuardId,
    /// What is an error there.
    pub fault: Fault,
    /// In which sequence of operations.
    pub sequence: usize,
    /// The statement.
    pub site: Site,
}

/// A loop of the inlined test: the way to it, by sequence, operation, calls, and rounds of the loops around it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance(pub Vec<usize>);

/// Where an execution needs another round of a loop than there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overrun {
    /// When it does.
    pub guard: GuardId,
    /// Of which loop.
    pub instance: Instance,
    /// In which sequence of operations.
    pub sequence: usize,
}

/// How many rounds of each loop are unrolled: one, if nothing is said (section 3.3 of the paper).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unrolling(pub BTreeMap<Instance, usize>);

impl Unrolling {
    /// Of this loop.
    pub fn rounds(&self, instance: &Instance) -> usize {
        self.0.get(instance).copied().unwrap_or(1)
    }
}

/// A test, flat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flat {
    /// How many sequences of operations there are: the initial one, the threads, the last one.
    pub sequence_count: usize,
    /// Locations with a first value; the nth one is the pointer `[n]`.
    pub globals: Vec<Global>,
    /// How all values come about.
    pub values: Vec<Definition>,
    /// All guards.
    pub guards: Vec<Guard>,
    /// Sequence by sequence, in program order.
    pub accesses: Vec<Access>,
    /// Alike.
    pub fences: Vec<Fence>,
    /// Alike.
    pub branches: Vec<Branch>,
    /// What may be an error.
    pub checks: Vec<Check>,
    /// There is no execution in which one of these holds.
    pub excluded: Vec<GuardId>,
    /// Nor in which one of these does, unless it has an error: rounds of loops marked `spin` that repeat them. Rounds before the one that is looked at change
    /// nothing; but an error in one that does not end the loop is one all the same.
    pub repeated: Vec<GuardId>,
    /// Where loops need more rounds.
    pub overruns: Vec<Overrun>,
    /// The observation.
    pub observed: Vec<ValueId>,
    /// How many objects are made.
    pub object_count: u32,
}

impl Flat {
    /// Whether each atomic block is one read-modify-write: of its accesses, those that a thread may come by are at most a load, and then a store to the
    /// same address.
    pub fn has_updates_alone(&self) -> bool {
        self.accesses.iter().enumerate().all(|(index, access)| {
            let of_block = |other: &&Access| other.block.is_some() && other.block == access.block;
            self.accesses[..index].iter().filter(of_block).all(|first| {
                let is_update = first.kind == AccessKind::Load && access.kind == AccessKind::Store;
                is_update && self.is_same_address(first, access) || self.exclude(first.guard, access.guard)
            })
        })
    }

    fn is_same_address(&self, first: &Access, second: &Access) -> bool {
        let constant = |access: &Access| self.constant(access.address);
        first.address == second.address
            || constant(first).is_some_and(|known| Some(known) == constant(second))
    }

    /// Whether guards never hold both: some value is true for the one, and not for the other.
    fn exclude(&self, first: GuardId, second: GuardId) -> bool {
        let (Some(first), Some(second)) = (self.conditions(first), self.conditions(second)) else {
            return true;
        };
        second.iter().any(|&(value, is_true)| first.contains(&(value, !is_true)))
    }

    /// The same condition of what a value negates.
    fn without_not(&self, mut value: ValueId, mut is_true: bool) -> (ValueId, bool) {
        while let Definition::Primitive(Primitive::Not, arguments) = self.definition(value) {
            (value, is_true) = (arguments[0], !is_true);
        }
        (value, is_true)
    }

    /// Conditions that hold where a guard does; none if it never does.
    fn conditions(&self, guard: GuardId) -> Option<Vec<(ValueId, bool)>> {
        match self.guards[guard.0] {
            Guard::Always => Some(Vec::new()),
            Guard::Never => None,
            Guard::And(before, value, is_true) => {
                let mut conditions = self.conditions(before)?;
                conditions.push(self.without_not(value, is_true));
                Some(conditions)
            }
            Guard::Or(left, right) => match (self.conditions(left), self.conditions(right)) {
                (Some(mut left), Some(right)) => {
                    left.retain(|condition| right.contains(condition));
                    Some(left)
                }
                (left, right) => left.or(right),
            },
        }
    }

    /// How a value comes about.
    pub fn definition(&self, value: ValueId) -> &Definition {
        &self.values[value.0]
    }

    /// The value, if it is a constant.
    pub fn constant(&self, value: ValueId) -> Option<&Value> {
        match self.definition(value) {
            Definition::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Whether a sequence is that before all threads.
    pub fn is_initial(&self, sequence: usize) -> bool {
        sequence == 0
    }

    /// Whether a sequence is that after all threads.
    pub fn is_last(&self, sequence: usize) -> bool {
        sequence + 1 == self.sequence_count
    }
}
