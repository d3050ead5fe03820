//! What bounds an exploration.

use crate::record::{Limit, LimitKind};
use cdsspec_contracts::Level;
use std::time::Duration;

/// The limits of an exploration. `None`: no limit.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Executions to visit, at most: reached, to the execution. Those count that were visited before a [`Visitor::restart`](super::Visitor::restart).
    pub executions_max: Option<u64>,
    /// Time to explore: looked at between executions.
    pub duration_max: Option<Duration>,
    /// Preemptions in one execution: a bound on what is explored, so that the best verdict is `holds_within`.
    pub preemptions_max: Option<usize>,
    /// Operations of one execution, spins included.
    pub branches_max: usize,
    /// Operations in one recording.
    pub recording_max: usize,
    /// Stack of each thread of the program, in bytes.
    pub stack_bytes: usize,
    /// Whether each call begins with an operation on one shared hidden location, where the engine may miss executions without it.
    pub has_call_clock: bool,
    /// Whether a weak compare-exchange may fail spuriously, once per place and thread in an execution, where the engine models that.
    pub has_spurious_failures: bool,
    /// Whether a wait on a `Condvar` and `park` may end without a reason, once per place and thread in an execution, where the engine models
    /// that.
    pub has_spurious_wakeups: bool,
    /// Rounds of one loop that are explored, at most, for each place, thread and call, where rounds cannot be left out: a bound, if it is
    /// reached. `None`: up to 128, as long as that is cheap.
    pub loop_rounds_max: Option<usize>,
    /// Whether a round of a loop that waits is left out at once, the first one as well, where the engine can: a bound.
    pub assumes_spins: bool,
    /// Whether every change of the count of an [`Arc`](crate::sync::Arc) is an operation, also where nobody can tell in which order they
    /// were: what is found is the same, in more executions.
    pub counts_handles: bool,
    /// Whether the program itself sees to it that of its threads one alone goes on at a time, and each after all that the others did: as
    /// serial executions do. Then a wait takes the newest value, a thread whose wait that does not end gives way without a trace, and a
    /// timeout ends a wait only where nothing else would. Where threads do run side by side, not every execution is explored.
    pub is_serial: bool,
    /// What to look for in the heap, where the program has [`allocator!`](macro@crate::allocator).
    pub memory: MemoryClasses,
    /// The highest level of the conditions of contracts that are evaluated.
    pub contract_level: Level,
}

impl Limits {
    /// The limit of time, for what is said of it.
    pub(crate) fn duration(&self) -> Limit {
        let max = self.duration_max.unwrap_or(Duration::MAX);
        Limit { kind: LimitKind::DurationMs, value: u64::try_from(max.as_millis()).unwrap_or(u64::MAX) }
    }
}

/// What to look for in the heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryClasses {
    /// Uses that are not after the allocation or initialisation.
    pub uninitialised: bool,
    /// Uses that are not before the free, and second frees.
    pub freed: bool,
    /// Objects that are never freed.
    pub leaks: bool,
    /// Whether what is found to leak is freed when the execution ends: whoever sets it promises that nothing uses it after that.
    pub(crate) reclaims_leaks: bool,
    /// Objects that the program was to end, whether or not the allocator is there.
    pub(crate) objects: bool,
}

impl Default for MemoryClasses {
    fn default() -> Self {
        Self { uninitialised: true, freed: true, leaks: false, reclaims_leaks: false, objects: false }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            executions_max: None,
            duration_max: None,
            preemptions_max: None,
            branches_max: 10_000,
            recording_max: 100_000,
            stack_bytes: 256 * 1024,
            has_call_clock: true,
            has_spurious_failures: true,
            has_spurious_wakeups: true,
            loop_rounds_max: None,
            assumes_spins: false,
            counts_handles: false,
            is_serial: false,
            memory: MemoryClasses::default(),
            contract_level: Level::Axiom,
        }
    }
}
