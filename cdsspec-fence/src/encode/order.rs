//! The memory order: a variable for each pair, whose sign says which comes first, and clauses for transitivity (section 3.2.1, auxiliary variables 1).
//!
//! What is ordered are *units*: accesses, or atomic blocks, or operations of serial executions, whose accesses are contiguous and keep program order. The
//! initial operations come before all others, the last ones behind; within both all is in program order.

use crate::flat::{Access, AccessId, Flat};
use crate::memory_model::Axioms;
use crate::solver::{Bit, Solver};

/// Which accesses come before which.
#[derive(Default)]
pub(super) struct MemoryOrder {
    /// For each access of a thread, its unit; none before and behind all threads.
    units: Vec<Option<usize>>,
    /// For each access, its place in any order of the sequences: initial operations, threads, last ones.
    places: Vec<(usize, usize, usize)>,
    /// For each pair of units, the lower one first, whether it comes first in memory order.
    before: Vec<Vec<Bit>>,
}

/// What is contiguous.
#[derive(PartialEq, Eq)]
enum Contiguous {
    Operation(usize, usize),
    Block(usize),
    Access(usize),
}

impl MemoryOrder {
    /// A total order of the units.
    pub(super) fn new(flat: &Flat, axioms: &dyn Axioms, solver: &mut Solver) -> Self {
        Self::of_units(flat, axioms.is_total(), &|access, index| contiguous(access, index, axioms), solver)
    }

    /// A total order of accesses and atomic blocks that keeps all of program order.
    pub(super) fn in_program_order(flat: &Flat, solver: &mut Solver) -> Self {
        Self::of_units(flat, true, &accesses_and_blocks, solver)
    }

    /// A total order of the accesses.
    pub(super) fn of_accesses(flat: &Flat, solver: &mut Solver) -> Self {
        Self::of_units(flat, false, &|_, index| Contiguous::Access(index), solver)
    }

    fn of_units(
        flat: &Flat,
        is_total: bool,
        part: &dyn Fn(&Access, usize) -> Contiguous,
        solver: &mut Solver,
    ) -> Self {
        let mut order = Self::default();
        let mut found: Vec<(Contiguous, usize)> = Vec::new();
        for (index, access) in flat.accesses.iter().enumerate() {
            let is_alone = flat.is_initial(access.sequence) || flat.is_last(access.sequence);
            let phase = if flat.is_initial(access.sequence) {
                0
            } else {
                1 + usize::from(flat.is_last(access.sequence))
            };
            order.places.push((phase, access.sequence, access.position));
            if is_alone {
                order.units.push(None);
                continue;
            }
            let part = part(access, index);
            let known = found.iter().position(|(other, _)| *other == part);
            let unit = known.unwrap_or_else(|| {
                found.push((part, access.sequence));
                found.len() - 1
            });
            order.units.push(Some(unit));
        }
        for unit in 0..found.len() {
            let mut row = Vec::new();
            for later in unit + 1..found.len() {
                let is_ordered = is_total && found[unit].1 == found[later].1;
                row.push(if is_ordered { Bit::TRUE } else { solver.variable() });
            }
            order.before.push(row);
        }
        order.add_transitivity(solver);
        order
    }

    /// Whether one unit comes before another: the same variable for both ways round.
    fn unit_before(&self, unit: usize, other: usize) -> Bit {
        if unit < other { self.before[unit][other - unit - 1] } else { !self.before[other][unit - other - 1] }
    }

    /// No three units go round in a circle. Longer circles have a chord, by which they are shorter.
    fn add_transitivity(&self, solver: &mut Solver) {
        let count = self.before.len();
        for first in 0..count {
            for second in first + 1..count {
                for third in second + 1..count {
                    let sides = [
                        self.unit_before(first, second),
                        self.unit_before(second, third),
                        self.unit_before(third, first),
                    ];
                    solver.clause(&sides);
                    solver.clause(&sides.map(|side| !side));
                }
            }
        }
    }

    /// Whether an access comes before another one in memory order.
    pub(super) fn before(&self, access: AccessId, other: AccessId) -> Bit {
        match (self.units[access.0], self.units[other.0]) {
            (Some(unit), Some(later)) if unit != later => self.unit_before(unit, later),
            _ => Bit::Constant(self.places[access.0] < self.places[other.0]),
        }
    }
}

fn contiguous(access: &Access, index: usize, axioms: &dyn Axioms) -> Contiguous {
    if axioms.is_serial() {
        return Contiguous::Operation(access.sequence, access.operation);
    }
    accesses_and_blocks(access, index)
}

fn accesses_and_blocks(access: &Access, index: usize) -> Contiguous {
    access.block.map_or(Contiguous::Access(index), Contiguous::Block)
}
