//! How an execution ended.

use super::{LocationId, OperationId, Place, SourceLocation, ThreadId};
use std::fmt;

/// How one execution ended. Anything but `Complete` and `Blocked` means that it was cut.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Ending {
    /// Every thread ran to its end.
    Complete,
    /// Some threads can never go on: a deadlock, or a livelock if one of them spins.
    Blocked(Vec<WaitingThread>),
    /// Some thread waits for a store that another execution will show it: a by-product of the exploration, no result.
    ByProduct {
        /// The bound on the rounds of a loop that stopped a thread, if one did: there may be executions beyond it.
        reached: Option<ReachedBound>,
    },
    /// Two conflicting accesses, one of them not atomic, are not ordered by happens-before.
    Race(Race),
    /// A panic that nobody joined.
    Panic(Panic),
    /// The program did something else than before at this operation.
    Nondeterministic(String),
    /// A limit of this one execution was reached.
    Limit(Limit),
    /// The engine gave up on this execution.
    EngineFailed(String),
}

/// A thread that waits, and for what.
#[derive(Clone, Debug)]
pub struct WaitingThread {
    /// The thread.
    pub thread: ThreadId,
    /// Where it waits.
    pub place: Place,
    /// The location at which it waits; `None` if it waits for the end of a thread, or spins.
    pub location: Option<LocationId>,
    /// For what.
    pub reason: WaitReason,
}

/// What a thread waits for.
///
/// Serialised, with the feature `json`: `blocking`, `spinning`, `stands_still`, or `join` with the number of the thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum WaitReason {
    /// A blocking operation: a lock, a condition variable, `park`.
    Blocking,
    /// The end of another thread.
    Join(ThreadId),
    /// A store, in a loop that spins.
    Spinning,
    /// Nothing: it was to stand still, to see whether others need it.
    StandsStill,
}

/// Two unordered conflicting accesses.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Race {
    /// The one that ran first.
    pub first: OperationId,
    /// The one that ran second.
    pub second: OperationId,
}

/// A panic of the program.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Panic {
    /// Who panicked.
    pub thread: ThreadId,
    /// The message, as far as it is text.
    pub message: String,
    /// The last operation before it.
    pub after: Option<SourceLocation>,
}

impl Panic {
    /// This panic after `earlier` ones of the same execution, in the order in which they happened. A thread that joins one that
    /// panicked often panics over that: the first message is the one to read.
    #[must_use]
    pub fn after_earlier<'a>(self, earlier: impl Iterator<Item = &'a Panic>) -> Panic {
        let earlier: Vec<_> = earlier.collect();
        earlier.into_iter().rev().fold(self, |panic, earlier| Panic {
            thread: earlier.thread,
            message: format!(
                "{} (then thread {} panicked: {})",
                earlier.message,
                panic.thread.index(),
                panic.message
            ),
            after: earlier.after,
        })
    }
}

/// A limit that was reached.
///
/// Serialised, with the feature `json`, `limit` is its name, and `value` its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Limit {
    /// Which one.
    #[cfg_attr(feature = "json", serde(rename = "limit"))]
    pub kind: LimitKind,
    /// Its value, in the unit of the kind.
    pub value: u64,
}

/// A bound on the rounds of a loop that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct ReachedBound {
    /// How many rounds were explored.
    pub round_count: u64,
    /// The operation that a round begins with.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub place: Place,
}

/// How an exploration ended.
///
/// Serialised, with the feature `json`, `end` is the name of the variant in `snake_case`, and `by` the limit, or what the engine says.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize),
    serde(tag = "end", content = "by", rename_all = "snake_case")
)]
pub enum Exploration {
    /// Every execution that the engine knows was visited.
    Complete,
    /// As many executions were drawn as were to be.
    Sampled,
    /// One execution was run again.
    Replayed,
    /// One execution was to be run again, and the program did something else: what, and where.
    Departed(String),
    /// The visitor had enough.
    Stopped,
    /// A limit was reached.
    Limit(Limit),
    /// The engine cannot go on; what it says.
    Failed(String),
}

/// The limits there are; the unit is in the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum LimitKind {
    /// Executions explored.
    Executions,
    /// Milliseconds of exploration.
    DurationMs,
    /// Operations of one execution.
    Branches,
    /// Sequential histories looked at in one execution.
    Histories,
    /// Operations kept in one recording.
    RecordingSize,
    /// Threads that the engine can run.
    Threads,
    /// Rounds of a loop.
    LoopRounds,
}

impl LimitKind {
    /// The name of the limit, as the builder's method and the environment variable have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Executions => "executions_max",
            Self::DurationMs => "duration_max_ms",
            Self::Branches => "branches_max",
            Self::Histories => "histories_max",
            Self::RecordingSize => "recording_max",
            Self::Threads => "threads",
            Self::LoopRounds => "loop_rounds_max",
        }
    }
}

/// Its name.
#[cfg(feature = "json")]
impl serde::Serialize for LimitKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.kind.name(), self.value)
    }
}
