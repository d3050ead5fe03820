//! Executions that go on for ever, or cannot go on.

use super::count::Effort;
use super::enumeration::{Bounds, Enumeration, Found};
use super::trace::{Rounds, TooLarge, Trace};
use crate::syntax::{Instruction, Litmus, LocationIndex, LocationKind, Operand, RegisterIndex, Registers};
use std::ops::ControlFlow;

/// How some execution of a test is stuck.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stuck {
    /// Every thread that has not ended waits for a lock.
    pub has_deadlock: bool,
    /// Every thread that has not ended waits, and one of them in a loop.
    pub has_livelock: bool,
}

/// Looks for executions in which no thread that has not ended will ever do anything new: it waits for a lock that is held, or it is in a
/// loop, has run so many rounds at most, and one more round that sees the newest store of each location changes nothing, neither a
/// register nor what any location holds at last. So no thread can change what another sees, as long as rounds do not overlap.
///
/// # Errors
/// If that takes more than the effort.
///
/// # Panics
/// If a graph has more than [`EVENTS_MAX`](super::EVENTS_MAX) events.
pub fn find_stuck(test: &Litmus, rounds: usize, effort: Effort) -> Result<Stuck, TooLarge> {
    let Effort { traces_max, steps_max } = effort;
    let rounds = Rounds { max: rounds, stops_early: true };
    let enumeration = Enumeration::new(test, Bounds { rounds, traces_max, steps_max })?;
    let mut stuck = Stuck::default();
    let is_unended = |traces: &[&Trace<'_>]| traces.iter().any(|trace| !trace.has_ended());
    enumeration.visit(&is_unended, &mut |found| {
        if found.traces.iter().all(|trace| trace.has_ended() || is_stuck(trace, found)) {
            let spins = found.traces.iter().any(|trace| is_spinning(test, trace));
            stuck.has_livelock |= spins;
            stuck.has_deadlock |= !spins;
        }
        let has_all = stuck.has_deadlock && stuck.has_livelock;
        if has_all { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(stuck)
}

/// Whether it is a loop in which a thread waits, and no lock.
fn is_spinning(test: &Litmus, trace: &Trace<'_>) -> bool {
    let is_lock = |(location, _): (LocationIndex, i64)| test.locations[location.0].kind == LocationKind::Lock;
    trace.stopped.is_some() || trace.waits.is_some_and(|wait| !is_lock(wait))
}

/// Whether a thread that has not ended does nothing new. Graphs in which what a thread waits for is there are none.
fn is_stuck(trace: &Trace<'_>, found: &Found<'_, '_>) -> bool {
    let Some(Instruction::Loop { register, value, body }) = trace.stopped else { return true };
    let newest = found.last();
    let mut state = State { registers: trace.registers.clone(), memory: newest.clone() };
    let is_run = state.run(body).is_continue();
    is_run
        && state.registers.value(Operand::Register(*register)) != state.registers.value(*value)
        && state.registers == trace.registers
        && state.memory == newest
}

/// A thread that sees the newest stores, while no other moves.
struct State {
    registers: Registers,
    memory: Vec<i64>,
}

impl State {
    /// Runs instructions. `Break`: it comes to wait for something within them, where other traces have it stop.
    fn run(&mut self, code: &[Instruction]) -> ControlFlow<()> {
        code.iter().try_for_each(|instruction| self.step(instruction))
    }

    fn step(&mut self, instruction: &Instruction) -> ControlFlow<()> {
        let value = |operand: Operand| self.registers.value(operand);
        match *instruction {
            Instruction::Write { location, value: stored, .. } => self.memory[location.0] = value(stored),
            Instruction::Read { register, location, .. } => {
                self.registers.set(register, self.memory[location.0]);
            }
            Instruction::Fence { .. } | Instruction::Point | Instruction::Clear => {}
            Instruction::Call { ref body } => return self.run(body),
            Instruction::Add { register, location, value: added, .. } => {
                let added = value(added);
                self.update(location, |old| old.wrapping_add(added), register);
            }
            Instruction::Exchange { register, location, value: stored, .. } => {
                let stored = value(stored);
                self.update(location, |_| stored, register);
            }
            Instruction::CompareExchange { register, location, expected, new, .. } => {
                let (expected, new) = (value(expected), value(new));
                self.update(location, |old| if old == expected { new } else { old }, register);
            }
            Instruction::Await { register, location, value: wanted, .. } => {
                let wanted = value(wanted);
                if self.memory[location.0] != wanted {
                    return ControlFlow::Break(());
                }
                self.registers.set(register, wanted);
            }
            Instruction::Lock { location } => {
                if self.memory[location.0] != 0 {
                    return ControlFlow::Break(());
                }
                self.memory[location.0] = 1;
            }
            Instruction::Unlock { location } => self.memory[location.0] = 0,
            Instruction::Move { register, value: set } => self.registers.set(register, value(set)),
            Instruction::If { register, value: wanted, ref body } => {
                if value(Operand::Register(register)) == value(wanted) {
                    return self.run(body);
                }
            }
            Instruction::Loop { register, value: wanted, ref body } => {
                return self.repeat(Operand::Register(register), wanted, body);
            }
        }
        ControlFlow::Continue(())
    }

    fn update(&mut self, location: LocationIndex, new: impl Fn(i64) -> i64, register: RegisterIndex) {
        let old = self.memory[location.0];
        self.memory[location.0] = new(old);
        self.registers.set(register, old);
    }

    /// A loop within the round. One that comes back to where it was, or does not end soon, is where other traces stop.
    fn repeat(&mut self, register: Operand, wanted: Operand, body: &[Instruction]) -> ControlFlow<()> {
        for _ in 0..8 {
            self.run(body)?;
            if self.registers.value(register) == self.registers.value(wanted) {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(())
    }
}
