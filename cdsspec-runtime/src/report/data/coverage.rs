//! How far a run looked.

use crate::check::Verdict;
use crate::record::{Exploration, ReachedBound};
use std::collections::BTreeMap;

/// How far a run looked.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Coverage {
    /// The numbers; in the JSON they stand in this object itself.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub counts: RunCounts,
    /// How the exploration ended; in the JSON it stands in this object itself, as `end` and `by`.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub exploration: Exploration,
}

impl Default for Coverage {
    fn default() -> Self {
        Self { counts: RunCounts::default(), exploration: Exploration::Stopped }
    }
}

/// The numbers of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RunCounts {
    /// How many executions were explored, by-products included.
    pub executions: u64,
    /// How many executions ran to their end.
    pub complete_executions: u64,
    /// How many of those differ from another one in rounds of a loop that waits.
    pub delayed_executions: u64,
    /// How many executions ended early for the engine's own reasons: no results.
    pub by_products: u64,
    /// How many executions had each verdict; those that none had are left out.
    #[cfg_attr(feature = "json", serde(rename = "counts"))]
    pub by_verdict: BTreeMap<Verdict, u64>,
    /// How many shapes (calls, values, order) were checked.
    pub shapes: u64,
    /// How many sequential histories those shapes have.
    pub histories: u64,
    /// How many states of the searches for histories were forgotten, since they took too much memory: some may have been looked at again.
    pub forgotten_states: u64,
    /// How many calls under contracts there were, over all executions.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "is_none"))]
    pub events: u64,
    /// How many calls of annotated methods there were, over all executions.
    pub calls: u64,
    /// How many calls had no ordering point, over all executions.
    pub calls_without_points: u64,
    /// How many calls a panic left before their ordering points, over all executions that ran to their end.
    pub left_calls: u64,
    /// How many objects were not checked, each in each execution, since a call of theirs was pending past its ordering point.
    pub unchecked_objects: u64,
    /// How many blocks of memory the program allocated and left, over all executions.
    pub left_blocks: u64,
    /// Their bytes.
    pub left_bytes: u64,
}

impl RunCounts {
    /// How many executions had this verdict.
    pub fn of(&self, verdict: Verdict) -> u64 {
        self.by_verdict.get(&verdict).copied().unwrap_or(0)
    }
}

/// A bound within which a run looks: with one of them, the best verdict is `holds_within`.
///
/// Serialised, with the feature `json`, `bound` is the name of the variant in `snake_case`, beside what it has.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(tag = "bound", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Bound {
    /// The engine does not know all executions.
    NeverExhaustive {
        /// The engine.
        engine: String,
    },
    /// Executions are drawn.
    Runs {
        /// How many.
        count: u64,
        /// What they are drawn by.
        seed: u64,
        /// How, by the name of the strategy.
        strategy: String,
    },
    /// Real time orders no calls, on an engine that is never exhaustive.
    CallClockOff,
    /// Weak compare-exchanges do not fail spuriously.
    SpuriousFailuresOff,
    /// Condition variables and parked threads do not wake spuriously.
    SpuriousWakeupsOff,
    /// Rounds of loops that wait are left out, the first ones as well.
    SpinsAssumed,
    /// Threads are preempted so often, at most.
    Preemptions {
        /// How often.
        count: usize,
    },
    /// Not all sequential histories are looked at.
    RandomHistories {
        /// How many of each object in each execution are.
        count: u64,
        /// What they are drawn by.
        seed: u64,
    },
    /// SeqCst operations that the memory model leaves unordered are taken as unordered.
    PartialScOrder,
    /// The rounds of a loop were not explored beyond this.
    LoopRounds(ReachedBound),
}

/// What helps where memory is used that was freed, or is freed twice. Told by a second run, with the strongest orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Remedy {
    /// Stronger orders: with every order `SeqCst` it does not happen.
    Order,
    /// To free it later: it happens with every order `SeqCst` as well.
    Lifetime,
}

/// Whether there is none.
#[cfg(feature = "json")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_none(count: &u64) -> bool {
    *count == 0
}
