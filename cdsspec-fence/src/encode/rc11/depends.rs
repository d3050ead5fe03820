//! On which loads values depend, by the operations that they come through: syntactically, as hardware has it.

use super::super::Encoding;
use crate::flat::{AccessId, Definition, Flat};
use crate::solver::Bit;
use std::collections::BTreeMap;

/// The loads that a value may depend on, and whether it does: where two ways meet, by the way that was taken.
pub(super) type Dependencies = BTreeMap<AccessId, Bit>;

/// For each value.
pub(super) fn dependencies(encoding: &mut Encoding, flat: &Flat) -> Vec<Dependencies> {
    let mut found: Vec<Dependencies> = Vec::new();
    for definition in &flat.values {
        let on = match definition {
            Definition::Constant(_) | Definition::Choice(_) => Dependencies::new(),
            Definition::Load(load) => Dependencies::from([(*load, Bit::TRUE)]),
            Definition::Primitive(_, arguments) => {
                let mut all = Dependencies::new();
                for (&load, &bit) in arguments.iter().flat_map(|argument| &found[argument.0]) {
                    let known = all.get(&load).copied().unwrap_or(Bit::FALSE);
                    all.insert(load, encoding.solver.or(known, bit));
                }
                all
            }
            Definition::Select(guard, value, otherwise) => {
                let guard = encoding.guard(flat, *guard);
                let [left, right] = [&found[value.0], &found[otherwise.0]];
                let bit = |side: &Dependencies, load| side.get(load).copied().unwrap_or(Bit::FALSE);
                let loads = left.keys().chain(right.keys());
                let selected = loads
                    .map(|load| (*load, encoding.solver.select(guard, bit(left, load), bit(right, load))));
                selected.collect()
            }
        };
        found.push(on);
    }
    found
}
