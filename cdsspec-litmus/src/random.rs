//! Draws litmus tests.

mod calling;
mod looping;
mod queueing;

pub use calling::program_with_calls;
pub use looping::looping_program;
pub use queueing::queueing_program;

use crate::syntax::{
    Instruction, Litmus, Location, LocationIndex, LocationKind, Operand, RegisterIndex, Shown,
};
use std::sync::atomic::Ordering;

/// A source of numbers that repeats.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next one (splitmix64).
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.number() % bound as u64).unwrap_or(0)
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// An order of the numbers below `count`.
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

/// A program of at most 3 threads with at most 2 loads and stores each, over 2 locations, with the values 1 and 2, relaxed,
/// release/acquire or SeqCst.
pub fn small_program(random: &mut Random, name: String) -> Litmus {
    let mut draft = Draft::new(name);
    for thread in 0..random.pick(&[1, 2, 2, 3, 3, 3, 3, 3]) {
        let count = random.pick(&[1, 2, 2, 2]);
        draft.begin_thread(thread);
        let code = (0..count).map(|_| draft.access(random)).collect();
        draft.test.threads.push(code);
    }
    draft.finish()
}

/// A program of at most 4 threads and 8 events over 2 locations, with read-modify-writes, fences, conditions and data
/// dependencies, in all orders.
pub fn large_program(random: &mut Random, name: String) -> Litmus {
    let mut draft = Draft::new(name);
    let thread_count = random.pick(&[2, 2, 3, 3, 3, 4]);
    let mut left = 5 + random.below(4);
    for thread in 0..thread_count {
        draft.begin_thread(thread);
        let share = left.div_ceil(thread_count - thread);
        let count = if thread + 1 == thread_count { left.min(4) } else { share.min(left).min(4) };
        left -= count;
        let code = draft.block(random, count);
        draft.test.threads.push(code);
    }
    draft.finish()
}

/// A program of at most 3 threads that wait for each other: at one or two locks, which may be nested, and for values; in threads that
/// also access 2 locations.
pub fn blocking_program(random: &mut Random, name: String) -> Litmus {
    let mut draft = Draft::new(name);
    for name in ["m", "n"] {
        draft.test.locations.push(Location { name: name.to_string(), initial: 0, kind: LocationKind::Lock });
    }
    for thread in 0..random.pick(&[2, 2, 3]) {
        draft.begin_thread(thread);
        let mut code = Vec::new();
        for _ in 0..1 + random.below(2) {
            draft.section(random, &mut code);
        }
        draft.test.threads.push(code);
    }
    draft.finish()
}

const LOAD_ORDERS: &[Ordering] = &[Ordering::Relaxed, Ordering::Acquire, Ordering::SeqCst];
const STORE_ORDERS: &[Ordering] = &[Ordering::Relaxed, Ordering::Release, Ordering::SeqCst];
const FENCE_ORDERS: &[Ordering] =
    &[Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst, Ordering::SeqCst];
const UPDATE_ORDERS: &[Ordering] =
    &[Ordering::Relaxed, Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst];

struct Draft {
    test: Litmus,
    /// How many locations there are, locks apart. They are the first ones.
    shared: usize,
    thread: usize,
    /// The registers that the thread has certainly written.
    written: Vec<RegisterIndex>,
}

impl Draft {
    fn new(name: String) -> Self {
        let location =
            |name: &str| Location { name: name.to_string(), initial: 0, kind: LocationKind::Atomic };
        let test = Litmus {
            name,
            locations: vec![location("x"), location("y")],
            registers: Vec::new(),
            threads: Vec::new(),
            shown: Vec::new(),
        };
        Self { shared: test.locations.len(), test, thread: 0, written: Vec::new() }
    }

    fn begin_thread(&mut self, thread: usize) {
        self.thread = thread;
        self.written.clear();
    }

    fn register(&mut self) -> RegisterIndex {
        let register = RegisterIndex(self.test.registers.len());
        self.test.registers.push(format!("r{}_{}", self.thread, register.0));
        register
    }

    fn access(&mut self, random: &mut Random) -> Instruction {
        let location = LocationIndex(random.below(self.shared));
        if random.below(2) == 0 {
            let value = Operand::Number(random.pick(&[1, 2]));
            return Instruction::Write { location, value, order: Some(random.pick(STORE_ORDERS)) };
        }
        let register = self.register();
        self.written.push(register);
        Instruction::Read { register, location, order: Some(random.pick(LOAD_ORDERS)) }
    }

    fn block(&mut self, random: &mut Random, event_count: usize) -> Vec<Instruction> {
        let mut code = Vec::new();
        let mut left = event_count;
        while left > 0 {
            if !self.written.is_empty() && random.below(5) == 0 {
                let body_count = 1 + random.below(left.min(2));
                code.push(self.conditional(random, body_count));
                left -= body_count;
            } else {
                code.push(self.instruction(random));
                left -= 1;
            }
        }
        code
    }

    fn conditional(&mut self, random: &mut Random, body_count: usize) -> Instruction {
        let register = self.written[random.below(self.written.len())];
        let value = Operand::Number(random.pick(&[0, 0, 1, 1, 2]));
        let written = self.written.clone();
        let body = self.block(random, body_count);
        self.written = written;
        Instruction::If { register, value, body }
    }

    /// An access, an await, or a lock taken and freed around accesses.
    fn section(&mut self, random: &mut Random, code: &mut Vec<Instruction>) {
        match random.below(8) {
            0 | 1 => code.push(self.access(random)),
            2 | 3 => {
                let register = self.register();
                self.written.push(register);
                let (location, value) =
                    (LocationIndex(random.below(2)), Operand::Number(random.pick(&[1, 2])));
                code.push(Instruction::Await { register, location, value, order: random.pick(LOAD_ORDERS) });
            }
            4 => code.push(self.instruction(random)),
            5 | 6 => {
                let location = LocationIndex(2 + random.below(2));
                code.push(Instruction::Lock { location });
                code.push(self.instruction(random));
                code.push(Instruction::Unlock { location });
            }
            _ => {
                let outer = random.below(2);
                let (outer, inner) = (LocationIndex(2 + outer), LocationIndex(3 - outer));
                code.extend([Instruction::Lock { location: outer }, Instruction::Lock { location: inner }]);
                code.push(self.access(random));
                code.extend([
                    Instruction::Unlock { location: inner },
                    Instruction::Unlock { location: outer },
                ]);
            }
        }
    }

    fn instruction(&mut self, random: &mut Random) -> Instruction {
        let location = LocationIndex(random.below(self.shared));
        match random.below(12) {
            0..4 => self.access(random),
            4 if !self.written.is_empty() => {
                let value = Operand::Register(self.written[random.below(self.written.len())]);
                Instruction::Write { location, value, order: Some(random.pick(STORE_ORDERS)) }
            }
            4 | 5 => Instruction::Fence { order: random.pick(FENCE_ORDERS) },
            kind => self.update_of(random, location, kind - 6),
        }
    }

    /// Of 6 kinds of read-modify-write: 0 and 1 add, 2 swaps, the others compare and exchange.
    fn update_of(&mut self, random: &mut Random, location: LocationIndex, kind: usize) -> Instruction {
        let register = self.register();
        self.written.push(register);
        let value = Operand::Number(random.pick(&[1, 1, 2]));
        let order = random.pick(UPDATE_ORDERS);
        match kind {
            0 | 1 => Instruction::Add { register, location, value, order },
            2 => Instruction::Exchange { register, location, value, order },
            _ => Instruction::CompareExchange {
                register,
                location,
                expected: Operand::Number(random.pick(&[0, 0, 1, 2])),
                new: value,
                success: order,
                failure: random.pick(LOAD_ORDERS),
                is_weak: random.below(2) == 0,
            },
        }
    }

    fn finish(mut self) -> Litmus {
        let registers = (0..self.test.registers.len()).map(|index| Shown::Register(RegisterIndex(index)));
        let locations = (0..self.shared).map(|index| Shown::Location(LocationIndex(index)));
        self.test.shown = registers.chain(locations).collect();
        self.test
    }
}
