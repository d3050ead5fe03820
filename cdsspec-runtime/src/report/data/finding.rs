//! What is wrong with an execution.

use super::OrderedCalls;
use crate::check::Verdict;
use crate::record::{
    CallId, Limit, MemoryFault, OperationId, Panic, Place, Race, SourceLocation, SpecificationErrorKind,
    ThreadId, WaitReason,
};
use crate::specification::ClauseKind;

/// One thing that is wrong with an execution.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedFinding {
    /// The verdict that it leads to.
    pub verdict: Verdict,
    /// What it is; in the JSON it stands in this object itself.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub kind: FindingKind,
}

/// The kinds of things that may be wrong with an execution.
///
/// Serialised, with the feature `json`, `kind` is the name of the variant in `snake_case`, beside what that variant has.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(tag = "kind", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FindingKind {
    /// A mistake in a specification.
    SpecError {
        /// What is wrong; in the JSON it stands in this object itself, `error` being the name of the variant.
        #[cfg_attr(feature = "json", serde(flatten))]
        error: SpecificationErrorKind,
        /// The thread that came by.
        thread: ThreadId,
        /// The annotation.
        place: SourceLocation,
    },
    /// The program left its path on replay.
    Nondeterministic {
        /// How.
        message: String,
    },
    /// A data race.
    Race(Race),
    /// Memory that is used before it is initialised or after it was freed, is freed twice, or is left.
    Memory(MemoryFault),
    /// A panic that nobody joined.
    Panic(Panic),
    /// A contract is broken.
    Misused(ReportedMisuse),
    /// Threads that can never go on.
    Blocked {
        /// What each of them waits for.
        waiting: Vec<ReportedWait>,
    },
    /// A cycle in the order of the calls.
    Cyclic {
        /// The calls around the cycle: each edge ends where the next begins, the last where the first begins.
        edges: Vec<OrderedCalls>,
        /// Whether hb ∪ sc on the ordering points has a cycle by itself, so that no choice of calls could avoid it.
        #[cfg_attr(feature = "json", serde(rename = "memory_model"))]
        is_memory_model: bool,
    },
    /// A sequential history that breaks a condition (CDSSpec, definition 6).
    Violated(BrokenCondition),
    /// A call without a justifying subhistory (CDSSpec, definition 4).
    Unjustified {
        /// How many justifying subhistories there are; each breaks a clause.
        subhistories: u64,
        /// What the first of them breaks; in the JSON it stands in this object itself.
        #[cfg_attr(feature = "json", serde(flatten))]
        first: BrokenCondition,
    },
    /// Two calls that a rule wants ordered are not (CDSSpec, definition 1).
    Inadmissible {
        /// The rule, as written.
        text: String,
        /// Where it stands.
        place: SourceLocation,
        /// The call in the role of `m1`.
        first: CallId,
        /// The call in the role of `m2`.
        second: CallId,
        /// The order of the object's SeqCst points under which it is so; empty where r does not depend on the choice.
        sc: Vec<OperationId>,
    },
    /// A call was left by a panic after its ordering point, so that its object was not checked.
    Unfinished {
        /// The call.
        call: CallId,
    },
    /// A limit was reached.
    Limit(Limit),
    /// The engine gave up.
    EngineFailed {
        /// What it says.
        message: String,
    },
}

/// A condition of a specification that does not hold of a call in a history.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BrokenCondition {
    /// The call.
    pub call: CallId,
    /// Which of the method's clauses.
    pub clause: ClauseKind,
    /// The clause, as written; `c_ret == s_ret` where no `post_condition` is.
    pub text: String,
    /// Where it stands: that of the side effect, or of the method, where it is not written.
    pub place: SourceLocation,
    /// The calls of the object in that history, in order, up to and with the call.
    pub history: Vec<CallId>,
    /// The state before the call, where it can be shown.
    pub state: Option<String>,
    /// What the side effect returned, where it was run and can be shown.
    pub s_ret: Option<String>,
    /// The order of the object's SeqCst points under which it is so; empty where r does not depend on the choice.
    pub sc: Vec<OperationId>,
}

/// A condition of a contract that does not hold.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedMisuse {
    /// The type whose contract it is.
    pub contract: String,
    /// The condition, as written.
    pub text: String,
    /// What is wrong, in the contract's words.
    pub says: Option<String>,
    /// Where the condition stands; of a role, where that does.
    pub place: SourceLocation,
    /// The event whose condition it is, by its number.
    pub event: usize,
    /// Why it does not hold.
    pub reason: MisuseReason,
    /// The events of the object in an order in which they can be invoked and it does not hold, up to this one.
    pub order: Vec<usize>,
}

/// Why a condition of a contract does not hold, as far as the last comparison in it tells.
///
/// Serialised, with the feature `json`, `reason` is the name of the variant in `snake_case`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(tag = "reason", rename_all = "snake_case"))]
pub enum MisuseReason {
    /// Nothing tells.
    Unknown,
    /// A set has no events.
    Empty {
        /// Its name, unless it is put together of others.
        set: Option<String>,
    },
    /// Neither event is before the other.
    Concurrent {
        /// The one.
        first: usize,
        /// The other.
        second: usize,
        /// Whether the thread of the second has seen what the first did before it returned.
        #[cfg_attr(feature = "json", serde(rename = "seen"))]
        is_seen: bool,
    },
    /// An event is not before another, and should be.
    NotBefore {
        /// The one.
        first: usize,
        /// The other.
        second: usize,
    },
}

/// A thread that can never go on.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedWait {
    /// The thread.
    pub thread: ThreadId,
    /// Where it waits; in the JSON it stands in this object itself.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub place: Place,
    /// For what.
    pub reason: WaitReason,
    /// Who holds the lock that it waits for, if it waits for one, in the order in which they took it.
    pub holders: Vec<ReportedHolder>,
}

/// A thread that has a lock.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedHolder {
    /// The thread.
    pub thread: ThreadId,
    /// Where it took it; in the JSON it stands in this object itself.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub place: Place,
    /// Whether the thread has ended.
    #[cfg_attr(feature = "json", serde(rename = "ended"))]
    pub has_ended: bool,
}
