//! How objects are used, against their contracts: the events of one execution, and the orders in which they can have been invoked.
//!
//! Happens-before is a fact of an execution graph. Whether an event is in a set already is one of the interleaving, and one graph stands for many: so
//! all orders are walked in which the points of an object (invocations, and where conditions are looked at besides) can come, by what the graph
//! orders. An object is misused if a condition does not hold in one of them.
//!
//! # Which orders
//! A point of a thread stands between two of its operations. It comes before a point of another thread if a path of sb and rf leads from the operation
//! behind it to the one before that: what was read was written before. Creation and join are such steps. Under Sc, where operations take effect one
//! after the other, mo and what is read before it is overwritten are steps as well.
//!
//! # Paper
//! CSV, sections IV and V. There the order is the one that a run happens to have, table 1 (c): "it may fail detecting a violation (depending on the
//! execution order)".

#![forbid(unsafe_code)]

mod object;
mod order;
mod walk;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

use crate::record::{ContractEvent, Limit, LimitKind, Recording, SpecificationError};
use cdsspec_contracts::{Condition, Contract, Level};
use order::PointOrder;

/// How contracts are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContractOptions {
    /// Whether an event is before another if its invocation is, as in the paper, and not its return.
    pub by_invocation: bool,
    /// The highest level of the conditions that are looked at.
    pub level: Level,
    /// Whether all violations are found, and not one.
    pub finds_all: bool,
    /// Whether operations take effect one after the other: Sc.
    pub is_sc: bool,
}

impl Default for ContractOptions {
    fn default() -> Self {
        Self { by_invocation: false, level: Level::Axiom, finds_all: false, is_sc: false }
    }
}

/// A condition of a contract that does not hold.
#[derive(Clone, Debug)]
pub struct Misuse {
    /// The contract.
    pub contract: &'static Contract,
    /// The condition.
    pub condition: &'static Condition,
    /// The event whose condition it is: an index into [`Recording::events`].
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
    /// A set has no events.
    Empty,
    /// Nothing orders the first event before the second, nor the other way: indices into [`Recording::events`]. Whether the second one's thread has seen
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

/// Checks the contracts of one execution, object by object.
///
/// Cost: O(events² · operations), and for each object the number of states that its walk visits: sets of points that have come, with the contents of the
/// event sets. At most `states_max` of them; none, if there are no calls under contracts.
pub fn examine(recording: &Recording, options: &ContractOptions, states_max: Option<u64>) -> ContractCheck {
    let mut check = ContractCheck::default();
    if recording.events.is_empty() {
        return check;
    }
    let order = PointOrder::of(recording, options.is_sc);
    let mut left = states_max.unwrap_or(u64::MAX);
    for object in object::objects(recording, &order, options) {
        if !walk::walk(&object, options, &mut left, &mut check) {
            let value = states_max.unwrap_or(u64::MAX);
            check.limit = Some(Limit { kind: LimitKind::Histories, value });
        }
        if !options.finds_all && !check.misuses.is_empty() {
            check.misuses.truncate(1);
            break;
        }
    }
    check
}

/// A contract of the program, for lists.
pub struct RegisteredContract(pub &'static Contract);

inventory::collect!(RegisteredContract);

/// The contracts of the program, by name and place.
pub fn contracts() -> Vec<&'static Contract> {
    let all = inventory::iter::<RegisteredContract>.into_iter().map(|registered| registered.0);
    let mut all: Vec<&'static Contract> = all.collect();
    all.sort_by_key(|contract| (contract.name, contract.source));
    all
}

/// The name of the method of an event.
pub fn method_name(event: &ContractEvent) -> &'static str {
    event.contract.methods[event.method].name
}
