//! Litmus tests as trees.

use std::fmt;
use std::sync::atomic::Ordering;

/// A litmus test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Litmus {
    /// Its name.
    pub name: String,
    /// The locations, with their first values.
    pub locations: Vec<Location>,
    /// The registers' names. A register belongs to the threads that name it; each thread has its own copy.
    pub registers: Vec<String>,
    /// The threads' code.
    pub threads: Vec<Vec<Instruction>>,
    /// What an outcome shows.
    pub shown: Vec<Shown>,
}

/// A memory location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// Its first value.
    pub initial: i64,
    /// How it is accessed.
    pub kind: LocationKind,
}

/// How a location is accessed; all its accesses are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocationKind {
    /// As an atomic.
    Atomic,
    /// Without atomics.
    Plain,
    /// As a lock: 0 is free, 1 is taken.
    Lock,
}

/// Which location: an index into [`Litmus::locations`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocationIndex(pub usize);

/// Which register: an index into [`Litmus::registers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegisterIndex(pub usize);

/// What an instruction uses as a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A number.
    Number(i64),
    /// What a register holds.
    Register(RegisterIndex),
}

/// An instruction of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// `W location value order`: a store. No order: a non-atomic one.
    Write {
        /// Where.
        location: LocationIndex,
        /// What.
        value: Operand,
        /// How.
        order: Option<Ordering>,
    },
    /// `R register location order`: a load. No order: a non-atomic one.
    Read {
        /// Where the value goes.
        register: RegisterIndex,
        /// Where it comes from.
        location: LocationIndex,
        /// How.
        order: Option<Ordering>,
    },
    /// `F order`: a fence.
    Fence {
        /// Its order.
        order: Ordering,
    },
    /// `ADD register location value order`: a fetch_add.
    Add {
        /// Where the old value goes.
        register: RegisterIndex,
        /// Where.
        location: LocationIndex,
        /// What is added.
        value: Operand,
        /// How.
        order: Ordering,
    },
    /// `XCHG register location value order`: a swap.
    Exchange {
        /// Where the old value goes.
        register: RegisterIndex,
        /// Where.
        location: LocationIndex,
        /// The new value.
        value: Operand,
        /// How.
        order: Ordering,
    },
    /// `CAS register location expected new success failure`: a compare_exchange. `CASW …`: a weak one, which fails spuriously at most
    /// once for all of its thread that have these orders.
    CompareExchange {
        /// Where the value read goes.
        register: RegisterIndex,
        /// Where.
        location: LocationIndex,
        /// The value that is replaced.
        expected: Operand,
        /// The new value.
        new: Operand,
        /// How it is read and written.
        success: Ordering,
        /// How it is read only.
        failure: Ordering,
        /// Whether it may fail spuriously.
        is_weak: bool,
    },
    /// `AWAIT register location value order`: spins until it loads this value.
    Await {
        /// Where the value goes.
        register: RegisterIndex,
        /// Where it comes from.
        location: LocationIndex,
        /// What it waits for.
        value: Operand,
        /// How it is loaded.
        order: Ordering,
    },
    /// `LOCK location`: waits for the lock and takes it.
    Lock {
        /// Which one.
        location: LocationIndex,
    },
    /// `UNLOCK location`: frees the lock.
    Unlock {
        /// Which one.
        location: LocationIndex,
    },
    /// `IF register value { … }`.
    If {
        /// The register that is looked at.
        register: RegisterIndex,
        /// What it must hold.
        value: Operand,
        /// What is run if it does.
        body: Vec<Self>,
    },
    /// `LOOP register value { … }`: runs the body again and again, until the register holds the value after it.
    Loop {
        /// The register that is looked at after each round.
        register: RegisterIndex,
        /// What it must hold.
        value: Operand,
        /// A round.
        body: Vec<Self>,
    },
    /// `MOV register value`: sets a register.
    Move {
        /// Which one.
        register: RegisterIndex,
        /// To what.
        value: Operand,
    },
    /// `CALL { … }`: runs the body as a method call, which is recorded.
    Call {
        /// What it runs.
        body: Vec<Self>,
    },
    /// `POINT`: the access before it is an ordering point of the call.
    Point,
    /// `CLEAR`: the call's ordering points so far are none.
    Clear,
}

impl Instruction {
    /// What it runs under a condition, or again and again.
    pub fn body(&self) -> &[Self] {
        match self {
            Self::If { body, .. } | Self::Loop { body, .. } | Self::Call { body } => body,
            _ => &[],
        }
    }

    /// Whether it is an access of an atomic or a plain location, or a fence.
    pub fn is_operation(&self) -> bool {
        matches!(
            self,
            Self::Write { .. }
                | Self::Read { .. }
                | Self::Fence { .. }
                | Self::Add { .. }
                | Self::Exchange { .. }
                | Self::CompareExchange { .. }
                | Self::Await { .. }
        )
    }

    /// The register that it certainly sets.
    pub fn target(&self) -> Option<RegisterIndex> {
        match *self {
            Self::Read { register, .. }
            | Self::Add { register, .. }
            | Self::Exchange { register, .. }
            | Self::CompareExchange { register, .. }
            | Self::Await { register, .. }
            | Self::Move { register, .. } => Some(register),
            _ => None,
        }
    }
}

/// What an outcome shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A register's last value.
    Register(RegisterIndex),
    /// A location's last store.
    Location(LocationIndex),
}

/// The registers of one thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Registers(Vec<Option<i64>>);

/// The outcome of an execution with a data race.
pub const RACE: &str = "RACE";

/// The outcome of an execution in which some thread waits for ever.
pub const BLOCKED: &str = "BLOCKED";

/// The outcome of an execution in which some thread is in a loop after the last round that is written out.
pub const CUT: &str = "CUT";

impl Litmus {
    /// The registers of a thread that has not begun.
    pub fn no_registers(&self) -> Registers {
        Registers(vec![None; self.registers.len()])
    }

    /// Whether a thread has a loop.
    pub fn has_loop(&self) -> bool {
        fn has_loop(code: &[Instruction]) -> bool {
            code.iter().any(|one| matches!(one, Instruction::Loop { .. }) || has_loop(one.body()))
        }
        self.threads.iter().any(|code| has_loop(code))
    }

    /// An execution's outcome: the registers of each thread, and the last stores.
    pub fn outcome(&self, threads: &[Registers], last: &[i64]) -> String {
        let show = |shown: &Shown| match *shown {
            Shown::Location(location) => format!("{}={}", self.locations[location.0].name, last[location.0]),
            Shown::Register(register) => {
                let value = threads.iter().rev().find_map(|registers| registers.0[register.0]);
                let value = value.map_or_else(|| "None".to_string(), |value| value.to_string());
                format!("{}={value}", self.registers[register.0])
            }
        };
        self.shown.iter().map(show).collect::<Vec<_>>().join(" ")
    }
}

impl Registers {
    /// What an operand is.
    ///
    /// # Panics
    /// If it is a register that was not written. The parser accepts no such test.
    pub fn value(&self, operand: Operand) -> i64 {
        match operand {
            Operand::Number(number) => number,
            Operand::Register(register) => {
                self.0[register.0].expect("a register is written before it is used")
            }
        }
    }

    /// Sets a register.
    pub fn set(&mut self, register: RegisterIndex, value: i64) {
        self.0[register.0] = Some(value);
    }
}

/// The word of the format for an order; `None` is a non-atomic access.
pub fn order_word(order: Option<Ordering>) -> &'static str {
    match order {
        None => "na",
        Some(Ordering::Relaxed) => "rlx",
        Some(Ordering::Acquire) => "acq",
        Some(Ordering::Release) => "rel",
        Some(Ordering::AcqRel) => "acqrel",
        Some(_) => "sc",
    }
}

/// Writes the test in its format, so that a failing random one can be run again.
impl fmt::Display for Litmus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name: {}", self.name)?;
        let initial = |location: &Location| format!("{}={}", location.name, location.initial);
        writeln!(f, "init: {}", self.locations.iter().map(initial).collect::<Vec<_>>().join(" "))?;
        for (thread, code) in self.threads.iter().enumerate() {
            writeln!(f, "T{thread}: {}", self.block_text(code))?;
        }
        let shown = |shown: &Shown| match *shown {
            Shown::Register(register) => self.registers[register.0].as_str(),
            Shown::Location(location) => self.locations[location.0].name.as_str(),
        };
        writeln!(f, "show: {}", self.shown.iter().map(shown).collect::<Vec<_>>().join(" "))
    }
}

impl Litmus {
    fn block_text(&self, code: &[Instruction]) -> String {
        code.iter().map(|instruction| self.text(instruction)).collect::<Vec<_>>().join(" ; ")
    }

    fn operand_text(&self, operand: Operand) -> String {
        match operand {
            Operand::Number(number) => number.to_string(),
            Operand::Register(register) => self.registers[register.0].clone(),
        }
    }

    fn text(&self, instruction: &Instruction) -> String {
        let place = |location: &LocationIndex| self.locations[location.0].name.as_str();
        let name = |register: &RegisterIndex| self.registers[register.0].as_str();
        let value = |operand: &Operand| self.operand_text(*operand);
        let word = |order: &Ordering| order_word(Some(*order));
        match instruction {
            Instruction::Write { location, value: stored, order } => {
                format!("W {} {} {}", place(location), value(stored), order_word(*order))
            }
            Instruction::Read { register, location, order } => {
                format!("R {} {} {}", name(register), place(location), order_word(*order))
            }
            Instruction::Fence { order } => format!("F {}", word(order)),
            Instruction::Add { register, location, value: added, order } => {
                format!("ADD {} {} {} {}", name(register), place(location), value(added), word(order))
            }
            Instruction::Exchange { register, location, value: stored, order } => {
                format!("XCHG {} {} {} {}", name(register), place(location), value(stored), word(order))
            }
            Instruction::CompareExchange { register, location, expected, new, success, failure, is_weak } => {
                let name_of = if *is_weak { "CASW" } else { "CAS" };
                let (register, location) = (name(register), place(location));
                let (expected, new) = (value(expected), value(new));
                format!(
                    "{name_of} {register} {location} {expected} {new} {} {}",
                    word(success),
                    word(failure)
                )
            }
            Instruction::Await { register, location, value: wanted, order } => {
                format!("AWAIT {} {} {} {}", name(register), place(location), value(wanted), word(order))
            }
            Instruction::Lock { location } => format!("LOCK {}", place(location)),
            Instruction::Unlock { location } => format!("UNLOCK {}", place(location)),
            Instruction::If { register, value: wanted, body } => {
                format!("IF {} {} {{ {} }}", name(register), value(wanted), self.block_text(body))
            }
            Instruction::Loop { register, value: wanted, body } => {
                format!("LOOP {} {} {{ {} }}", name(register), value(wanted), self.block_text(body))
            }
            Instruction::Call { body } => format!("CALL {{ {} }}", self.block_text(body)),
            Instruction::Point => "POINT".to_string(),
            Instruction::Clear => "CLEAR".to_string(),
            Instruction::Move { register, value: set } => format!("MOV {} {}", name(register), value(set)),
        }
    }
}
