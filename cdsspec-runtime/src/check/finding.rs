//! What is wrong with one execution.

use super::Verdict;
use crate::contract::Misuse;
use crate::record::{
    CallId, Limit, MemoryFault, MemoryFaultKind, ObjectId, OperationId, Panic, Race, SpecificationError,
    WaitReason, WaitingThread,
};
use crate::relation::CycleEdge;
use crate::specification::ClauseKind;

/// One thing that is wrong with an execution, with all that a report needs beside the recording.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Finding {
    /// A mistake in a specification.
    SpecError(SpecificationError),
    /// The program left its path on replay.
    Nondeterministic(String),
    /// A data race.
    Race(Race),
    /// Memory that is used before it is initialised or after it was freed, or is freed twice.
    Memory(MemoryFault),
    /// A panic that nobody joined.
    Panic(Panic),
    /// A contract is broken.
    Misused(Misuse),
    /// Threads that can never go on. A livelock if one of them spins, else a deadlock.
    Blocked(Vec<WaitingThread>),
    /// A cycle in the order of the calls.
    Cyclic {
        /// The calls around the cycle: each edge ends where the next begins, the last where the first begins.
        edges: Vec<CycleEdge>,
        /// Whether hb ∪ sc on the ordering points has a cycle by itself, so that no choice of calls could avoid it.
        is_memory_model: bool,
    },
    /// A sequential history that breaks a condition (CDSSpec, definition 6).
    Violated {
        /// The object.
        object: ObjectId,
        /// The call whose condition is broken.
        call: CallId,
        /// Which one.
        clause: ClauseKind,
        /// The calls of the object before it in that history, in order.
        before: Vec<CallId>,
        /// The state before the call, where it can be shown.
        state: Option<String>,
        /// What the side effect returned, where it was run and can be shown.
        specified: Option<String>,
        /// The order of the object's SeqCst points under which it is so; empty where r does not depend on the choice.
        sc: Vec<OperationId>,
    },
    /// A call without a justifying subhistory (CDSSpec, definition 4).
    Unjustified {
        /// The object.
        object: ObjectId,
        /// The call.
        call: CallId,
        /// How many justifying subhistories there are; each breaks a clause.
        subhistory_count: u64,
        /// The first of them, without the call itself.
        example: Vec<CallId>,
        /// The clause that the example breaks.
        clause: ClauseKind,
        /// The state before the call in the example, where it can be shown.
        state: Option<String>,
        /// What the side effect returned in the example, where it was run and can be shown.
        specified: Option<String>,
        /// The order of the object's SeqCst points under which it is so; empty where r does not depend on the choice.
        sc: Vec<OperationId>,
    },
    /// Two calls that a rule wants ordered are not (CDSSpec, definition 1).
    Inadmissible {
        /// The object.
        object: ObjectId,
        /// The rule: an index into the specification's table.
        rule: usize,
        /// The call in the role of `m1`.
        first: CallId,
        /// The call in the role of `m2`.
        second: CallId,
        /// The order of the object's SeqCst points under which it is so; empty where r does not depend on the choice.
        sc: Vec<OperationId>,
    },
    /// A call was left by a panic after its ordering point, and the program went on: what it did may have been seen, what it returned
    /// is not known, so its object was not checked.
    Unfinished {
        /// The object.
        object: ObjectId,
        /// The call.
        call: CallId,
    },
    /// A limit was reached.
    Limit(Limit),
    /// The engine gave up.
    EngineFailed(String),
}

impl Finding {
    /// The order of the object's SeqCst points under which it is so; empty where r does not depend on the choice.
    pub fn sc(&self) -> &[OperationId] {
        match self {
            Self::Violated { sc, .. } | Self::Unjustified { sc, .. } | Self::Inadmissible { sc, .. } => sc,
            _ => &[],
        }
    }

    /// The object whose order of calls it is about, if it is about one.
    pub fn object(&self) -> Option<ObjectId> {
        match self {
            Self::Violated { object, .. }
            | Self::Unjustified { object, .. }
            | Self::Inadmissible { object, .. } => Some(*object),
            _ => None,
        }
    }

    /// The verdict that it leads to.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::SpecError(_) => Verdict::SpecError,
            Self::Nondeterministic(_) => Verdict::Nondeterministic,
            Self::Race(_) => Verdict::Race,
            Self::Memory(fault) => match fault.kind {
                MemoryFaultKind::Leaked { .. } | MemoryFaultKind::Left { .. } => Verdict::Leak,
                MemoryFaultKind::Unallocated { .. } | MemoryFaultKind::Uninitialised { .. } => {
                    Verdict::Uninitialised
                }
                MemoryFaultKind::Freed { .. } | MemoryFaultKind::FreedTwice { .. } => Verdict::Freed,
            },
            Self::Panic(_) => Verdict::Panic,
            Self::Misused(_) => Verdict::Misused,
            Self::Blocked(waiting) => {
                let is_spinning = waiting.iter().any(|thread| thread.reason == WaitReason::Spinning);
                if is_spinning { Verdict::Livelock } else { Verdict::Deadlock }
            }
            Self::Cyclic { .. } => Verdict::Cyclic,
            Self::Violated { .. } => Verdict::Violated,
            Self::Unjustified { .. } => Verdict::Unjustified,
            Self::Inadmissible { .. } => Verdict::Inadmissible,
            Self::Unfinished { .. } | Self::Limit(_) | Self::EngineFailed(_) => Verdict::Inconclusive,
        }
    }
}

/// What the check of one execution came to.
#[derive(Clone, Debug)]
pub struct ExecutionCheck {
    /// The verdict: that of the worst finding, else `Holds`, or `HoldsWithin` if only a sample of histories was checked.
    pub verdict: Verdict,
    /// What is wrong; empty if nothing is. The worst first.
    pub findings: Vec<Finding>,
    /// How many complete sequential histories there were to check, those of inadmissible orders left out, memoised ones counted as often as they are reached.
    pub history_count: u64,
    /// How many states of the searches were forgotten, since they took too much memory: some may have been looked at again.
    pub forgotten_state_count: u64,
    /// Calls without an ordering point: concurrent with all others.
    pub pointless_call_count: u64,
    /// Those calls.
    pub pointless_calls: Vec<CallId>,
    /// Calls that a panic left before their ordering points in an execution that went on to its end: taken as not made.
    pub left_call_count: u64,
    /// Objects with a call pending past an ordering point: nothing was checked of them.
    pub unchecked_objects: Vec<ObjectId>,
}
