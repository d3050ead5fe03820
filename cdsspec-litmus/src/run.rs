//! Runs a litmus test as a program on the instrumented types.

use crate::explore::{Explored, explore, explore_looking, plain_limits};
use crate::syntax::{
    Instruction, Litmus, Location, LocationIndex, LocationKind, Operand, RACE, RegisterIndex, Registers,
};
use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::engine::{Engine, Exploration, Limits};
use cdsspec_runtime::record::Recording;
use cdsspec_runtime::sync::atomic::{AtomicI64, fence};
use cdsspec_runtime::sync::{Mutex, MutexGuard};
use cdsspec_runtime::{hint, thread};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What a litmus test came to under an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LitmusResult {
    /// The test's name.
    pub name: String,
    /// The engine's name.
    pub engine: String,
    /// How many executions ran to their end, or had a race.
    pub executions: u64,
    /// How many executions ended blocked.
    pub blocked: u64,
    /// The outcomes, sorted.
    pub outcomes: Vec<String>,
    /// How many executions had this outcome.
    pub counts: BTreeMap<String, u64>,
    /// The worst that was seen, in the words of [`Verdict`].
    pub verdict: Verdict,
}

/// How a test is run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The limits.
    pub limits: Limits,
    /// The order in which the threads are created; `None`: as they are written.
    pub creation_order: Option<Vec<usize>>,
}

impl Default for Setup {
    fn default() -> Self {
        Self { limits: plain_limits(), creation_order: None }
    }
}

/// Runs a test.
pub fn run(test: &Litmus, engine: &dyn Engine, setup: &Setup) -> LitmusResult {
    let explored = explore(engine, &setup.limits, program(test, setup));
    result(test, engine, explored)
}

/// Runs a test, looking at each recording.
pub fn run_looking(
    test: &Litmus,
    engine: &dyn Engine,
    setup: &Setup,
    look: impl FnMut(&Recording) + 'static,
) -> LitmusResult {
    let explored = explore_looking(engine, &setup.limits, program(test, setup), look);
    result(test, engine, explored)
}

fn program(test: &Litmus, setup: &Setup) -> impl Fn() -> String + Send + Sync + use<> {
    let order = setup.creation_order.clone().unwrap_or_else(|| (0..test.threads.len()).collect());
    let test = Arc::new(test.clone());
    move || execute(&test, &order)
}

fn result(test: &Litmus, engine: &dyn Engine, explored: Explored) -> LitmusResult {
    LitmusResult {
        name: test.name.clone(),
        engine: engine.name().to_string(),
        executions: explored.complete,
        blocked: explored.blocked,
        outcomes: explored.outcomes.keys().cloned().collect(),
        verdict: verdict(&explored, engine.capabilities().is_complete),
        counts: explored.outcomes,
    }
}

fn verdict(explored: &Explored, is_complete: bool) -> Verdict {
    let has = |word: &str| explored.others.contains_key(word);
    if has("nondeterministic") {
        Verdict::Nondeterministic
    } else if explored.outcomes.contains_key(RACE) {
        Verdict::Race
    } else if has("panic") {
        Verdict::Panic
    } else if explored.blocked > explored.spinning {
        Verdict::Deadlock
    } else if explored.blocked > 0 {
        Verdict::Livelock
    } else if !explored.others.is_empty() || explored.end != Exploration::Complete {
        Verdict::Inconclusive
    } else if is_complete {
        Verdict::Holds
    } else {
        Verdict::HoldsWithin
    }
}

/// A location of the running program.
enum Memory {
    Atomic(AtomicI64),
    Plain(Plain),
    Lock(Mutex<()>),
}

struct Plain(UnsafeCell<i64>);

// SAFETY: whether threads race for the cell is what the engines check; they run the threads one at a time.
unsafe impl Sync for Plain {}

impl Memory {
    fn new(location: &Location) -> Self {
        match location.kind {
            LocationKind::Atomic => Self::Atomic(AtomicI64::new(location.initial)),
            LocationKind::Plain => Self::Plain(Plain(UnsafeCell::new(location.initial))),
            LocationKind::Lock => Self::Lock(Mutex::new(())),
        }
    }

    /// The last store. No operation.
    fn into_last(self) -> i64 {
        match self {
            Self::Atomic(atomic) => atomic.into_inner(),
            Self::Plain(plain) => plain.0.into_inner(),
            // Who holds it has ended, and does not free it.
            Self::Lock(lock) => i64::from(lock.try_lock().is_err()),
        }
    }
}

/// Runs the test once, in an execution; returns its outcome.
fn execute(test: &Arc<Litmus>, order: &[usize]) -> String {
    let memory: Arc<Vec<Memory>> = Arc::new(test.locations.iter().map(Memory::new).collect());
    let start = |&index: &usize| {
        let (memory, test) = (memory.clone(), test.clone());
        let handle = thread::spawn(move || {
            let mut machine =
                Machine { memory: &memory, registers: test.no_registers(), locked: BTreeMap::new() };
            machine.run_block(&test.threads[index]);
            machine.locked.into_values().for_each(std::mem::forget);
            machine.registers
        });
        (index, handle)
    };
    let handles: BTreeMap<_, _> = order.iter().map(start).collect();
    let registers: Vec<Registers> = handles
        .into_values()
        .map(|handle| handle.join().expect("threads of litmus tests do not panic"))
        .collect();
    let memory = Arc::into_inner(memory).expect("the threads have ended");
    let last: Vec<i64> = memory.into_iter().map(Memory::into_last).collect();
    test.outcome(&registers, &last)
}

/// A thread of the running program.
struct Machine<'m> {
    memory: &'m [Memory],
    registers: Registers,
    locked: BTreeMap<LocationIndex, MutexGuard<'m, ()>>,
}

impl<'m> Machine<'m> {
    fn run_block(&mut self, code: &[Instruction]) {
        for instruction in code {
            self.step(instruction);
        }
    }

    fn step(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Write { location, value, order } => self.write(*location, *value, *order),
            Instruction::Read { register, location, order } => self.read(*register, *location, *order),
            Instruction::Fence { order } => fence(*order),
            Instruction::Add { register, location, value, order } => {
                let value = self.registers.value(*value);
                let old = self.atomic(*location).fetch_add(value, *order);
                self.registers.set(*register, old);
            }
            Instruction::Exchange { register, location, value, order } => {
                let value = self.registers.value(*value);
                let old = self.atomic(*location).swap(value, *order);
                self.registers.set(*register, old);
            }
            Instruction::CompareExchange { register, location, expected, new, success, failure, is_weak } => {
                let (expected, new) = (self.registers.value(*expected), self.registers.value(*new));
                let (atomic, orders) = (self.atomic(*location), (*success, *failure));
                let result = match is_weak {
                    true => atomic.compare_exchange_weak(expected, new, orders.0, orders.1),
                    false => atomic.compare_exchange(expected, new, orders.0, orders.1),
                };
                self.registers.set(*register, result.unwrap_or_else(|old| old));
            }
            Instruction::Await { register, location, value, order } => {
                let (wanted, atomic) = (self.registers.value(*value), self.atomic(*location));
                while atomic.load(*order) != wanted {
                    hint::spin_loop();
                }
                self.registers.set(*register, wanted);
            }
            Instruction::Lock { location } => {
                let guard = self.lock(*location).lock().expect("nobody panics");
                self.locked.insert(*location, guard);
            }
            Instruction::Unlock { location } => drop(self.locked.remove(location)),
            Instruction::If { register, value, body } => {
                let holds =
                    self.registers.value(Operand::Register(*register)) == self.registers.value(*value);
                if holds {
                    self.run_block(body);
                }
            }
        }
    }

    fn atomic(&self, location: LocationIndex) -> &'m AtomicI64 {
        match &self.memory[location.0] {
            Memory::Atomic(atomic) => atomic,
            _ => panic!("cdsspec bug: an atomic access of a location that is none"),
        }
    }

    fn lock(&self, location: LocationIndex) -> &'m Mutex<()> {
        match &self.memory[location.0] {
            Memory::Lock(lock) => lock,
            _ => panic!("cdsspec bug: a location that is no lock is locked"),
        }
    }

    fn write(&self, location: LocationIndex, value: Operand, order: Option<Ordering>) {
        let value = self.registers.value(value);
        match (&self.memory[location.0], order) {
            (Memory::Atomic(atomic), Some(order)) => atomic.store(value, order),
            (Memory::Plain(plain), None) => plain.0.with_mut(|cell| {
                // SAFETY: the pointer is valid, and the engines run one thread at a time.
                unsafe { *cell = value }
            }),
            _ => panic!("cdsspec bug: a location is accessed in two ways"),
        }
    }

    fn read(&mut self, register: RegisterIndex, location: LocationIndex, order: Option<Ordering>) {
        let value = match (&self.memory[location.0], order) {
            (Memory::Atomic(atomic), Some(order)) => atomic.load(order),
            (Memory::Plain(plain), None) => plain.0.with(|cell| {
                // SAFETY: the pointer is valid, and the engines run one thread at a time.
                unsafe { *cell }
            }),
            _ => panic!("cdsspec bug: a location is accessed in two ways"),
        };
        self.registers.set(register, value);
    }
}
