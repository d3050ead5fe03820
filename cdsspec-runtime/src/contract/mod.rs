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

mod misuse;
mod object;
mod option;
mod order;
mod walk;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

pub use misuse::{ContractCheck, Misuse, Reason};
pub use option::ContractOptions;

use crate::record::{ContractEvent, Limit, LimitKind, Recording};
use cdsspec_contracts::Contract;
use order::PointOrder;

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
