//! Places for instructions.
//!
//! An engine tells operations apart by where they stand in the source. In a program each instruction stands at a place of its own, so
//! it must here: two loops of one thread are not the same loop.

use super::machine::Machine;
use crate::syntax::Instruction;

/// How many places there are. Instructions beyond that share them.
pub(super) const PLACE_COUNT: usize = 64;

/// Performs an instruction.
type Perform = for<'m> fn(&mut Machine<'m>, &Instruction);

/// The same thing again and again, each time at a place of its own.
#[rustfmt::skip]
pub(super) const PLACES: [Perform; PLACE_COUNT] = [
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
    |machine, instruction| machine.perform(instruction),
];
