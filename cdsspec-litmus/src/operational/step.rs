//! What a machine may do next.

use super::code::Line;
use super::queue::Entry;
use super::state::{Program, State, Thread};
use crate::syntax::{Instruction, LocationIndex, Operand, RegisterIndex};
use std::sync::atomic::Ordering;

/// What a step did at the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Access {
    pub(super) thread: usize,
    pub(super) location: LocationIndex,
    pub(super) is_read: bool,
    pub(super) is_write: bool,
}

/// A step, and where it leads.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) state: State,
    /// `None`: it was a fence, an affair of the thread alone, or of the thread and its queue.
    pub(super) access: Option<Access>,
}

impl Program<'_> {
    /// All steps from a state: an entry leaves a queue, or a thread runs its next line.
    pub(super) fn steps(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        for thread in 0..state.threads.len() {
            let leaving = state.threads[thread].queue.leaving(self.model);
            steps.extend(leaving.into_iter().map(|position| leave(state, thread, position)));
            steps.extend(self.run_line(state, thread));
        }
        steps
    }

    /// The next line of a thread: no step where it waits; two where a compare-exchange may fail spuriously.
    fn run_line(&self, state: &State, index: usize) -> Vec<Step> {
        let thread = &state.threads[index];
        let Some(line) = self.codes[index].lines.get(thread.line).filter(|_| !thread.is_stopped) else {
            return Vec::new();
        };
        let mut turn = Turn { thread: index, state: state.clone(), access: None };
        turn.own().line += 1;
        match *line {
            Line::Unless { register, value, target } => {
                if !thread.holds(register, value) {
                    turn.own().line = target;
                }
                vec![turn.end()]
            }
            Line::Repeat { number, register, value, start } => {
                let rounds = thread.rounds[number] + 1;
                if thread.holds(register, value) {
                    turn.own().rounds[number] = 0;
                } else if rounds < self.bounds.rounds {
                    turn.own().rounds[number] = rounds;
                    turn.own().line = start;
                } else {
                    turn.own().is_stopped = true;
                }
                vec![turn.end()]
            }
            Line::Operation(instruction) => self.operate(instruction, turn),
        }
    }

    fn operate(&self, instruction: &Instruction, mut turn: Turn) -> Vec<Step> {
        if self.waits_for_queue(instruction) && !turn.own().queue.is_empty() {
            return Vec::new();
        }
        match *instruction {
            Instruction::Write { location, value, order } => {
                let order = order.expect("a test with `na` accesses was refused");
                let value = turn.value(value);
                if self.model.is_queued(order) {
                    turn.put_barrier(self.model.has_barrier(order));
                    turn.own().queue.push(Entry::Store(location, value));
                } else {
                    turn.write(location, value, false);
                }
            }
            Instruction::Fence { order } => turn.put_barrier(self.model.has_barrier(order)),
            Instruction::Read { register, location, .. } => turn.load(register, location),
            Instruction::Await { register, location, value, .. } => {
                if turn.state.seen(turn.thread, location) != turn.value(value) {
                    return Vec::new();
                }
                turn.load(register, location);
            }
            Instruction::Add { register, location, value, .. } => {
                let added = turn.value(value);
                let old = turn.read(register, location);
                turn.write(location, old.wrapping_add(added), true);
            }
            Instruction::Exchange { register, location, value, .. } => {
                let new = turn.value(value);
                turn.read(register, location);
                turn.write(location, new, true);
            }
            Instruction::CompareExchange { .. } => return self.compare_exchange(instruction, turn),
            Instruction::Lock { location } => {
                if turn.state.memory[location.0] != 0 {
                    return Vec::new();
                }
                turn.write(location, 1, true);
            }
            Instruction::Unlock { location } => turn.write(location, 0, true),
            Instruction::Move { register, value } => {
                let value = turn.value(value);
                turn.own().registers.set(register, value);
            }
            _ => unreachable!("cdsspec bug: blocks were laid out as lines"),
        }
        vec![turn.end()]
    }

    /// Whether an operation begins only when the queue of its thread is empty.
    fn waits_for_queue(&self, instruction: &Instruction) -> bool {
        match *instruction {
            Instruction::Write { order, .. } => order.is_none_or(|order| !self.model.is_queued(order)),
            Instruction::Fence { order } => order == Ordering::SeqCst,
            Instruction::Read { .. } | Instruction::Await { .. } | Instruction::Move { .. } => false,
            _ => true,
        }
    }

    fn compare_exchange(&self, instruction: &Instruction, mut turn: Turn) -> Vec<Step> {
        let &Instruction::CompareExchange { register, location, expected, new, success, failure, is_weak } =
            instruction
        else {
            unreachable!("cdsspec bug: this is no compare-exchange")
        };
        let (expected, new) = (turn.value(expected), turn.value(new));
        let old = turn.read(register, location);
        if old != expected {
            return vec![turn.end()];
        }
        let mut steps = Vec::new();
        let orders = (success, failure);
        if is_weak && self.bounds.has_spurious_failures && !turn.own().failed.contains(&orders) {
            let mut failing = turn.clone();
            failing.own().failed.push(orders);
            steps.push(failing.end());
        }
        turn.write(location, new, true);
        steps.push(turn.end());
        steps
    }
}

/// The entry at this position of a thread's queue leaves it.
fn leave(state: &State, thread: usize, position: usize) -> Step {
    let mut turn = Turn { thread, state: state.clone(), access: None };
    if let Entry::Store(location, value) = turn.own().queue.take(position) {
        turn.write(location, value, false);
    }
    turn.end()
}

/// A thread that takes a step, on its way from one state to the next.
#[derive(Clone)]
struct Turn {
    thread: usize,
    state: State,
    access: Option<Access>,
}

impl Turn {
    fn own(&mut self) -> &mut Thread {
        &mut self.state.threads[self.thread]
    }

    fn value(&self, operand: Operand) -> i64 {
        self.state.threads[self.thread].registers.value(operand)
    }

    fn put_barrier(&mut self, is_wanted: bool) {
        if is_wanted && !self.own().queue.is_empty() {
            self.own().queue.push(Entry::Barrier);
        }
    }

    /// Loads what the thread sees: from its queue, if that has it.
    fn load(&mut self, register: RegisterIndex, location: LocationIndex) {
        match self.own().queue.newest(location) {
            Some(value) => self.own().registers.set(register, value),
            None => drop(self.read(register, location)),
        }
    }

    /// Reads from the memory.
    fn read(&mut self, register: RegisterIndex, location: LocationIndex) -> i64 {
        let value = self.state.memory[location.0];
        self.own().registers.set(register, value);
        self.access = Some(Access { thread: self.thread, location, is_read: true, is_write: false });
        value
    }

    /// Writes to the memory.
    fn write(&mut self, location: LocationIndex, value: i64, is_read: bool) {
        self.state.memory[location.0] = value;
        self.access = Some(Access { thread: self.thread, location, is_read, is_write: true });
    }

    fn end(self) -> Step {
        Step { state: self.state, access: self.access }
    }
}

impl Thread {
    fn holds(&self, register: RegisterIndex, value: Operand) -> bool {
        self.registers.value(Operand::Register(register)) == self.registers.value(value)
    }
}
