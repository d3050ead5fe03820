//! The mutants, by what they break.

mod contract;
mod count;
mod exploration;
mod history;
mod linearize;
mod lineup;
mod localize;
mod loom;
mod loops;
mod markers;
mod memory_model;
mod objects;
mod order;
mod repeat;
mod sampling;
mod std;
mod threads;

use super::{Mutant, PART_COUNT};

const TABLES: [&[Mutant]; 17] = [
    exploration::MUTANTS,
    count::MUTANTS,
    loops::MUTANTS,
    repeat::MUTANTS,
    std::MUTANTS,
    objects::MUTANTS,
    order::MUTANTS,
    markers::MUTANTS,
    memory_model::MUTANTS,
    history::MUTANTS,
    linearize::MUTANTS,
    lineup::MUTANTS,
    localize::MUTANTS,
    contract::MUTANTS,
    sampling::MUTANTS,
    threads::MUTANTS,
    loom::MUTANTS,
];

/// All, in the order of the tables.
pub(super) fn all() -> impl Iterator<Item = &'static Mutant> {
    TABLES.into_iter().flatten()
}

/// Every third one, from this one on.
pub(super) fn part(part: usize) -> Vec<&'static Mutant> {
    all().skip(part).step_by(PART_COUNT).collect()
}

/// The one with this name.
///
/// # Errors
/// There is none.
pub(super) fn find(name: &str) -> Result<&'static Mutant, String> {
    let is_it = |mutant: &&Mutant| mutant.name == name;
    all().find(is_it).ok_or_else(|| format!("no mutant {name}: `cargo xtask mutants --list` lists them"))
}
