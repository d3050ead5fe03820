//! Memory models, a file each: which accesses of a thread keep their order, and what a load may read (section 2.3.2 of the paper).
//!
//! All but RC11 and Armv8 are instances of one scheme. There is a total order of the accesses, the memory order. A model says which pairs of accesses of a
//! thread keep program order there, and whether a load sees the stores of its own thread before they are in memory order. A load
//! reads the last store that it sees. Fences order what they say under every model; an atomic block is contiguous in memory order.
//!
//! # Atomic blocks
//! Section 3.1 says that a block is not interleaved with *other* threads; accesses of its own thread may fall in between. That it is
//! contiguous nonetheless loses nothing: take an order in which accesses of the same thread stand in between. Those before the block in program order are
//! moved in front of it, those behind it are moved behind it, each group in its order. No pair that must keep its order is turned round: what is moved over an access
//! of the block stands to it as in program order afterwards; and of two accesses in between, one from before the block and one from behind it, the first is moved
//! to the front. Nobody else looks in between. For the thread's own loads: a store before the block is visible to the loads of the block and behind it in any case, by
//! forwarding; a load before the block did not read a store of the block, since a store keeps its order behind an access of its location.

mod axioms;
mod pso;
mod relaxed;
mod sc;
mod serial;
mod tso;

pub use axioms::{Axioms, ProgramOrder};

/// A memory model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryModel {
    /// Operations one after the other.
    Serial,
    /// Sequential consistency.
    Sc,
    /// Total store order.
    Tso,
    /// Partial store order.
    Pso,
    /// The paper's Relaxed.
    Relaxed,
    /// RC11, of accesses with orders as in Rust.
    Rc11,
    /// Armv8, of accesses with orders as in Rust, compiled as rustc does.
    Armv8,
    /// Armv8, of executions without load buffering: program order and reads-from are acyclic, as under RC11.
    Armv8NoLoadBuffering,
}

impl MemoryModel {
    /// Whether a store may take effect before a load that precedes it in its thread: load buffering.
    pub fn has_early_stores(self) -> bool {
        matches!(self, Self::Relaxed | Self::Armv8)
    }

    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Serial,
        Self::Sc,
        Self::Tso,
        Self::Pso,
        Self::Relaxed,
        Self::Rc11,
        Self::Armv8,
        Self::Armv8NoLoadBuffering,
    ];

    /// Its name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Serial => "serial",
            Self::Sc => "sc",
            Self::Tso => "tso",
            Self::Pso => "pso",
            Self::Relaxed => "relaxed",
            Self::Rc11 => "rc11",
            Self::Armv8 => "armv8",
            Self::Armv8NoLoadBuffering => "armv8-no-lb",
        }
    }

    /// The model of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Its axioms, if it is an instance of the scheme. RC11 and Armv8 are not: their formulas are [`encode`](crate::encode)'s.
    pub fn axioms(self) -> Option<&'static dyn Axioms> {
        match self {
            Self::Serial => Some(&serial::Serial),
            Self::Sc => Some(&sc::Sc),
            Self::Tso => Some(&tso::Tso),
            Self::Pso => Some(&pso::Pso),
            Self::Relaxed => Some(&relaxed::Relaxed),
            Self::Rc11 | Self::Armv8 | Self::Armv8NoLoadBuffering => None,
        }
    }
}
