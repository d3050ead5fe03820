//! The abstract syntax of the load-store language (figure 4 of the paper), and the tests that are written in it.
//!
//! Beyond figure 4 there are: `choose`, an argument that a test leaves open (section 2.1); `new`, an object that nothing else points to; orders
//! behind accesses, for memory models that know them; fences that are only candidates (section 4.2); and loops marked `spin`.

use super::primitive::Primitive;
use super::value::Value;
use std::fmt;

/// The name of a register, local to a procedure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Register(pub String);

/// The name of a procedure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProcedureName(pub String);

/// The tag of a block, by which statements in it leave or repeat it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag(pub String);

macro_rules! shown_by_name {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl From<&str> for $name {
            fn from(name: &str) -> Self {
                Self(name.to_owned())
            }
        }
    )*};
}
shown_by_name!(Register, ProcedureName, Tag);

/// The order of an access or a fence, as in Rust. An access without one is a plain access of the hardware.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// No atomic: a data race is undefined behaviour.
    NonAtomic,
    /// `Relaxed`.
    Relaxed,
    /// `Acquire`.
    Acquire,
    /// `Release`.
    Release,
    /// `AcqRel`.
    AcquireRelease,
    /// `SeqCst`.
    SequentiallyConsistent,
}

impl Order {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::NonAtomic,
        Self::Relaxed,
        Self::Acquire,
        Self::Release,
        Self::AcquireRelease,
        Self::SequentiallyConsistent,
    ];

    /// Its word in the text form, which is that of litmus tests.
    pub fn word(self) -> &'static str {
        match self {
            Self::NonAtomic => "na",
            Self::Relaxed => "rlx",
            Self::Acquire => "acq",
            Self::Release => "rel",
            Self::AcquireRelease => "acqrel",
            Self::SequentiallyConsistent => "sc",
        }
    }

    /// The order of this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.word() == word)
    }

    /// Whether it acquires.
    pub fn is_acquire(self) -> bool {
        matches!(self, Self::Acquire | Self::AcquireRelease | Self::SequentiallyConsistent)
    }

    /// Whether it releases.
    pub fn is_release(self) -> bool {
        matches!(self, Self::Release | Self::AcquireRelease | Self::SequentiallyConsistent)
    }
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// It reads a location.
    Load,
    /// It writes one.
    Store,
}

/// What a fence orders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FenceKind {
    /// An X-Y fence: all accesses of the first kind before it come before all of the second kind after it (section 3.1).
    Between(AccessKind, AccessKind),
    /// A fence with an order, as in Rust.
    Ordered(Order),
}

impl FenceKind {
    /// The four X-Y fences.
    pub const XY: [Self; 4] = {
        use AccessKind::{Load, Store};
        [
            Self::Between(Load, Load),
            Self::Between(Load, Store),
            Self::Between(Store, Load),
            Self::Between(Store, Store),
        ]
    };

    /// Whether it orders accesses of the first kind before it and of the second behind it. An acquire fence orders loads before all else, a
    /// release fence all else before stores.
    pub fn orders(self, before: AccessKind, after: AccessKind) -> bool {
        match self {
            Self::Between(x, y) => (x, y) == (before, after),
            Self::Ordered(Order::SequentiallyConsistent) => true,
            Self::Ordered(order) => {
                order.is_acquire() && before == AccessKind::Load
                    || order.is_release() && after == AccessKind::Store
            }
        }
    }

    /// Its word in the text form.
    pub fn word(self) -> &'static str {
        use AccessKind::{Load, Store};
        match self {
            Self::Between(Load, Load) => "ll",
            Self::Between(Load, Store) => "ls",
            Self::Between(Store, Load) => "sl",
            Self::Between(Store, Store) => "ss",
            Self::Ordered(order) => order.word(),
        }
    }

    /// The fence of this word. There is neither a non-atomic nor a relaxed one.
    pub fn parse(word: &str) -> Option<Self> {
        let ordered = |order| (order > Order::Relaxed).then_some(Self::Ordered(order));
        Self::XY
            .into_iter()
            .find(|fence| fence.word() == word)
            .or_else(|| Order::parse(word).and_then(ordered))
    }
}

/// Whether a statement leaves its block or repeats it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Jump {
    /// Goes on behind the block.
    Break,
    /// Goes on at the beginning of the block.
    Continue,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// `r = v`.
    Constant {
        /// What is set.
        register: Register,
        /// To this.
        value: Value,
    },
    /// `r = choose {v, …}`: any of these.
    Choose {
        /// What is set.
        register: Register,
        /// The values, at least one.
        values: Vec<Value>,
    },
    /// `r = new`: a pointer to an object that was not there before. Its locations are undefined, and it is never freed.
    New {
        /// What is set.
        register: Register,
    },
    /// `r = f(r, …)`.
    Primitive {
        /// What is set.
        register: Register,
        /// What is computed.
        primitive: Primitive,
        /// Of these.
        arguments: Vec<Register>,
    },
    /// `*r = r order`.
    Store {
        /// Holds the address.
        address: Register,
        /// What is stored.
        value: Register,
        /// How.
        order: Option<Order>,
    },
    /// `r = *r order`.
    Load {
        /// What is set.
        register: Register,
        /// Holds the address.
        address: Register,
        /// How.
        order: Option<Order>,
    },
    /// `fence ll`; `fence? ll` is a candidate.
    Fence {
        /// What it orders.
        kind: FenceKind,
        /// Whether it is there only where it is asked for.
        is_candidate: bool,
    },
    /// `atomic { s … }`: in program order, and no other thread in between.
    Atomic(Vec<Self>),
    /// `p(r, …)(r, …)`.
    Call {
        /// What is called.
        procedure: ProcedureName,
        /// What it is given.
        arguments: Vec<Register>,
        /// Where its results go.
        results: Vec<Register>,
    },
    /// `t: { s … }`; `spin t: { s … }` if rounds that repeat the block have no effect.
    Block {
        /// The block's tag.
        tag: Tag,
        /// Whether a round that repeats the block has no effect, so that a solver need only look at the last one (section 3.1, figure 7).
        is_spin: bool,
        /// What is in it.
        body: Vec<Self>,
    },
    /// `if (r) break t`, `if (r) continue t`.
    Jump {
        /// Whether it jumps.
        condition: Register,
        /// Where to.
        jump: Jump,
        /// Of which enclosing block.
        tag: Tag,
    },
    /// `assert (r)`: an error if it is false.
    Assert(Register),
    /// `assume (r)`: there is no such execution if it is false. As for all conditions, it is an error if it is undefined.
    Assume(Register),
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: ProcedureName,
    /// The registers that hold its arguments.
    pub parameters: Vec<Register>,
    /// The registers whose last values are its results.
    pub results: Vec<Register>,
    /// What it does.
    pub body: Vec<Statement>,
}

/// A location with a name, and its first value. The nth one is the pointer `[n]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// The name.
    pub name: String,
    /// The first value.
    pub initial: Value,
}

/// An argument of an operation of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// This value.
    Fixed(Value),
    /// Any of these; what it is belongs to the observation.
    Open(Vec<Value>),
}

/// A call of an operation in a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Which procedure.
    pub procedure: ProcedureName,
    /// With which arguments.
    pub arguments: Vec<Argument>,
    /// Whether it does not retry: no loop of it is repeated (the primed operations of figure 8).
    pub is_primed: bool,
}

/// A bounded test (section 2.1): operations before the threads, those of each thread, and operations after all threads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Locations with names.
    pub globals: Vec<Global>,
    /// All procedures.
    pub procedures: Vec<Procedure>,
    /// What is done before the threads begin.
    pub initial: Vec<Operation>,
    /// What each thread does.
    pub threads: Vec<Vec<Operation>>,
    /// What is done when all threads have ended.
    pub last: Vec<Operation>,
}

impl Program {
    /// The procedure of this name.
    pub fn procedure(&self, name: &ProcedureName) -> Option<&Procedure> {
        self.procedures.iter().find(|procedure| procedure.name == *name)
    }

    /// Whether a sequence of operations has a store in its code.
    pub fn may_store(&self, operations: &[Operation]) -> bool {
        operations.iter().any(|operation| self.has_store(&operation.procedure))
    }

    fn has_store(&self, procedure: &ProcedureName) -> bool {
        self.procedure(procedure).is_some_and(|procedure| self.is_storing(&procedure.body))
    }

    fn is_storing(&self, body: &[Statement]) -> bool {
        body.iter().any(|statement| match statement {
            Statement::Store { .. } => true,
            Statement::Atomic(body) | Statement::Block { body, .. } => self.is_storing(body),
            Statement::Call { procedure, .. } => self.has_store(procedure),
            _ => false,
        })
    }

    /// The base of the first object that is made: behind those of globals and of all pointers that the program names.
    pub fn first_object(&self) -> u32 {
        let mut named: Vec<&Value> = self.globals.iter().map(|global| &global.initial).collect();
        self.procedures.iter().for_each(|procedure| values_of(&procedure.body, &mut named));
        for argument in self.sequences().flatten().flat_map(|operation| &operation.arguments) {
            match argument {
                Argument::Fixed(value) => named.push(value),
                Argument::Open(values) => named.extend(values),
            }
        }
        let globals = u32::try_from(self.globals.len()).expect("globals fit into 32 bits");
        let bases = named.into_iter().filter_map(Value::path).map(|path| path.components()[0]);
        bases.fold(globals, |first, base| first.max(base.saturating_add(1)))
    }

    /// The operations, thread by thread: the initial ones, those of each thread, the last ones.
    pub fn sequences(&self) -> impl Iterator<Item = &[Operation]> {
        let threads = self.threads.iter().map(Vec::as_slice);
        std::iter::once(self.initial.as_slice()).chain(threads).chain([self.last.as_slice()])
    }
}

/// The values that these statements name.
fn values_of<'s>(body: &'s [Statement], named: &mut Vec<&'s Value>) {
    for statement in body {
        match statement {
            Statement::Constant { value, .. } => named.push(value),
            Statement::Choose { values, .. } => named.extend(values),
            Statement::Atomic(body) | Statement::Block { body, .. } => values_of(body, named),
            _ => {}
        }
    }
}
