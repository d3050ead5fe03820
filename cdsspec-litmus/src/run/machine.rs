//! A thread of the running program.

use super::memory::{Memory, atomic, lock};
use super::place::{PLACE_COUNT, PLACES};
use super::{Left, Loops};
use crate::call::{CallName, specification};
use crate::syntax::{Instruction, Litmus, LocationIndex, Operand, RegisterIndex};
use cdsspec_runtime::hint;
use cdsspec_runtime::port::{Call, Marker, mark};
use cdsspec_runtime::record::SourceLocation;
use cdsspec_runtime::specification::ObjectExtent;
use cdsspec_runtime::sync::MutexGuard;
use cdsspec_runtime::sync::atomic::{AtomicI64, fence};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

/// How many registers a test may have.
const REGISTERS_MAX: usize = 24;

/// How many locations a test with locks may have.
const LOCATIONS_MAX: usize = 8;

/// What a thread keeps. It stands on the thread's stack, with all that it keeps: there an engine sees whether a round of a loop changed
/// something.
pub(super) struct Machine<'m> {
    memory: &'m [Memory],
    loops: Loops,
    thread: usize,
    call_count: usize,
    registers: [i64; REGISTERS_MAX],
    /// The registers that were written, a bit each.
    written: u64,
    locked: [Option<MutexGuard<'m, ()>>; LOCATIONS_MAX],
}

impl<'m> Machine<'m> {
    /// Runs a thread of a test to its end.
    pub(super) fn run(test: &Litmus, thread: usize, memory: &'m [Memory], loops: Loops) -> Left {
        assert!(
            test.registers.len() <= REGISTERS_MAX && test.locations.len() <= LOCATIONS_MAX,
            "litmus tests have at most {REGISTERS_MAX} registers and {LOCATIONS_MAX} locations"
        );
        let (registers, locked) = ([0; REGISTERS_MAX], [const { None }; LOCATIONS_MAX]);
        let mut machine = Machine { memory, loops, thread, call_count: 0, registers, written: 0, locked };
        let before = test.threads[..thread].iter().map(|code| machine.width(code)).sum();
        let flow = machine.run_block(&test.threads[thread], before);
        machine.locked.into_iter().for_each(std::mem::forget);
        let mut left = test.no_registers();
        for register in (0..test.registers.len()).filter(|register| machine.written >> register & 1 != 0) {
            left.set(RegisterIndex(register), machine.registers[register]);
        }
        flow.is_continue().then_some(left)
    }

    /// How many places these instructions need.
    fn width(&self, code: &[Instruction]) -> usize {
        code.iter().map(|instruction| 1 + self.copies(instruction) * self.width(instruction.body())).sum()
    }

    /// How often the body of an instruction is written out.
    fn copies(&self, instruction: &Instruction) -> usize {
        match (instruction, self.loops) {
            (Instruction::Loop { .. }, Loops::Unrolled(rounds)) => rounds,
            _ => 1,
        }
    }

    /// Runs instructions, of which the first has this place. `Break`: the thread ends here, in a loop.
    fn run_block(&mut self, code: &[Instruction], mut place: usize) -> ControlFlow<()> {
        for instruction in code {
            match instruction {
                Instruction::If { register, value, body } => {
                    if self.is_equal(*register, *value) {
                        self.run_block(body, place + 1)?;
                    }
                }
                Instruction::Loop { .. } => self.run_loop(instruction, place)?,
                Instruction::Call { body } => self.run_call(body, place)?,
                _ => PLACES[place % PLACE_COUNT](self, instruction),
            }
            place += self.width(std::slice::from_ref(instruction));
        }
        ControlFlow::Continue(())
    }

    /// A call. One that does not end is left pending.
    fn run_call(&mut self, body: &[Instruction], place: usize) -> ControlFlow<()> {
        let name: CallName = (self.thread, self.call_count);
        self.call_count += 1;
        let call = Call::enter(specification, 0, ObjectExtent::of(self.memory), || Box::new(name));
        self.run_block(body, place + 1)?;
        call.finish(|_: &mut CallName| {});
        ControlFlow::Continue(())
    }

    fn run_loop(&mut self, instruction: &Instruction, place: usize) -> ControlFlow<()> {
        let Instruction::Loop { register, value, body } = instruction else {
            panic!("cdsspec bug: only loops have rounds")
        };
        if let Loops::Unrolled(rounds) = self.loops {
            let width = self.width(body);
            for round in 0..rounds {
                self.run_block(body, place + 1 + round * width)?;
                if self.is_equal(*register, *value) {
                    return ControlFlow::Continue(());
                }
            }
            return ControlFlow::Break(());
        }
        loop {
            self.run_block(body, place + 1)?;
            if self.is_equal(*register, *value) {
                return ControlFlow::Continue(());
            }
            if self.loops == Loops::Hinted {
                PLACES[place % PLACE_COUNT](self, instruction);
            }
        }
    }

    /// Does what an instruction says, at the place of the caller; of a loop that is the hint at the end of a round.
    #[track_caller]
    pub(super) fn perform(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Write { location, value, order } => self.write(*location, *value, *order),
            Instruction::Read { register, location, order } => self.read(*register, *location, *order),
            Instruction::Fence { order } => fence(*order),
            Instruction::Add { register, location, value, order } => {
                let old = self.atomic(*location).fetch_add(self.value(*value), *order);
                self.set(*register, old);
            }
            Instruction::Exchange { register, location, value, order } => {
                let old = self.atomic(*location).swap(self.value(*value), *order);
                self.set(*register, old);
            }
            Instruction::CompareExchange { register, location, expected, new, success, failure, is_weak } => {
                let values = (self.value(*expected), self.value(*new));
                let (atomic, orders) = (self.atomic(*location), (*success, *failure));
                let result = match is_weak {
                    true => exchange_weakly(atomic, values, orders),
                    false => atomic.compare_exchange(values.0, values.1, orders.0, orders.1),
                };
                self.set(*register, result.unwrap_or_else(|old| old));
            }
            Instruction::Await { register, location, value, order } => {
                let (wanted, atomic) = (self.value(*value), self.atomic(*location));
                while atomic.load(*order) != wanted {
                    hint::spin_loop();
                }
                self.set(*register, wanted);
            }
            Instruction::Lock { location } => {
                let guard = lock(self.memory, *location).lock().expect("nobody panics");
                self.locked[location.0] = Some(guard);
            }
            Instruction::Unlock { location } => drop(self.locked[location.0].take()),
            Instruction::Move { register, value } => self.set(*register, self.value(*value)),
            Instruction::Loop { .. } => hint::spin_loop(),
            Instruction::Point => mark(Marker::Define, SourceLocation::caller()),
            Instruction::Clear => mark(Marker::Clear, SourceLocation::caller()),
            Instruction::If { .. } | Instruction::Call { .. } => {
                panic!("cdsspec bug: what has a body is no operation")
            }
        }
    }

    fn atomic(&self, location: LocationIndex) -> &'m AtomicI64 {
        atomic(self.memory, location)
    }

    #[track_caller]
    fn write(&self, location: LocationIndex, value: Operand, order: Option<Ordering>) {
        let value = self.value(value);
        match (&self.memory[location.0], order) {
            (Memory::Atomic(atomic), Some(order)) => atomic.store(value, order),
            (Memory::Plain(plain), None) => plain.write(value),
            _ => panic!("cdsspec bug: a location is accessed in two ways"),
        }
    }

    #[track_caller]
    fn read(&mut self, register: RegisterIndex, location: LocationIndex, order: Option<Ordering>) {
        let value = match (&self.memory[location.0], order) {
            (Memory::Atomic(atomic), Some(order)) => atomic.load(order),
            (Memory::Plain(plain), None) => plain.read(),
            _ => panic!("cdsspec bug: a location is accessed in two ways"),
        };
        self.set(register, value);
    }

    fn value(&self, operand: Operand) -> i64 {
        match operand {
            Operand::Number(number) => number,
            Operand::Register(register) => self.registers[register.0],
        }
    }

    fn is_equal(&self, register: RegisterIndex, value: Operand) -> bool {
        self.registers[register.0] == self.value(value)
    }

    fn set(&mut self, register: RegisterIndex, value: i64) {
        self.registers[register.0] = value;
        self.written |= 1 << register.0;
    }
}

/// A weak compare-exchange. All of them stand at this place: those of a thread with the same orders fail spuriously once, together.
fn exchange_weakly(
    atomic: &AtomicI64,
    (expected, new): (i64, i64),
    (success, failure): (Ordering, Ordering),
) -> Result<i64, i64> {
    atomic.compare_exchange_weak(expected, new, success, failure)
}
