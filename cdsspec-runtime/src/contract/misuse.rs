//! What a check of contracts comes to.

use crate::record::{Limit, SpecificationError};
use cdsspec_contracts::{Condition, Contract};

/// A condition of a contract that does not hold.
#[derive(Clone, Debug)]
pub struct Misuse {
    /// The contract.
    pub contract: &'static Contract,
    /// The condition.
    pub condition: &'static Condition,
    /// The event whose condition it is: an index into [`Recording::events`](crate::record::Recording::events).
    pub event: usize,
    /// What the last comparison in it has found.
    pub reason: Reason,
    /// The events of the object in the order in which they were invoked up to there, this one last.
    pub order: Vec<usize>,
}

/// Why a condition does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Nothing tells.
    Unknown,
    /// A set has no events: its name, unless it is put together of others.
    Empty(Option<&'static str>),
    /// Nothing orders the first event before the second, nor the other way: indices into [`Recording::events`](crate::record::Recording::events). Whether the second one's thread has seen
    /// what the first one did before it returned.
    Concurrent(usize, usize, bool),
    /// The first event does not happen before the second, and should.
    NotBefore(usize, usize),
}

/// What the check of the contracts of one execution came to.
#[derive(Clone, Default, Debug)]
pub struct ContractCheck {
    /// Conditions that do not hold, each event with each of its conditions once; the first alone, unless all are asked for.
    pub misuses: Vec<Misuse>,
    /// Conditions that panicked.
    pub errors: Vec<SpecificationError>,
    /// A limit that was reached.
    pub limit: Option<Limit>,
}
