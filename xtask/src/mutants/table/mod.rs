//! The mutants, by what they break.

mod contract;
mod count;
mod exploration;
mod fence;
mod front;
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
mod replay;
mod sampling;
mod std;
mod threads;

use super::{Mutant, PART_COUNT};

const TABLES: [&[Mutant]; 20] = [
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
    fence::MUTANTS,
    front::MUTANTS,
    lineup::MUTANTS,
    localize::MUTANTS,
    contract::MUTANTS,
    sampling::MUTANTS,
    threads::MUTANTS,
    replay::MUTANTS,
    loom::MUTANTS,
];

/// All, in the order of the tables.
pub(super) fn all() -> impl Iterator<Item = &'static Mutant> {
    TABLES.into_iter().flatten()
}

/// A third of them, in the order of the tables: those of one table are noticed by the same tests, and fewer tests are built than for every third one.
pub(super) fn part(part: usize) -> Vec<&'static Mutant> {
    let count = all().count();
    let begin = count * part / PART_COUNT;
    all().take(count * (part + 1) / PART_COUNT).skip(begin).collect()
}

/// The one with this name.
///
/// # Errors
/// There is none.
pub(super) fn find(name: &str) -> Result<&'static Mutant, String> {
    let is_it = |mutant: &&Mutant| mutant.name == name;
    all().find(is_it).ok_or_else(|| format!("no mutant {name}: `cargo xtask mutants --list` lists them"))
}
