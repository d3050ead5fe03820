//! What is wrong with how an execution uses its memory.

use super::{OperationId, SourceLocation, ThreadId};

/// A moment of a thread, by the operations around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Interval {
    /// The thread.
    pub thread: ThreadId,
    /// Its last operation before.
    pub after: Option<OperationId>,
    /// Its first operation from then on.
    pub before: Option<OperationId>,
}

/// A use of a block of memory that is not ordered against something done to the block.
///
/// Serialised, with the feature `json`, `fault` is the name of the kind in `snake_case`, beside what that kind has.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct MemoryFault {
    /// What is wrong.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub kind: MemoryFaultKind,
    /// The size of the block, in bytes.
    pub bytes: usize,
    /// When the program allocated it; `None`: not in this execution.
    pub allocated: Option<Interval>,
}

/// What is wrong with a block of memory.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(tag = "fault", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MemoryFaultKind {
    /// An object in the block was used, and the allocation of the block does not happen before that.
    Unallocated {
        /// The use.
        usage: OperationId,
    },
    /// An object in the block was used, and that it was initialised, as the program told, does not happen before that.
    Uninitialised {
        /// The use.
        usage: OperationId,
        /// When it was initialised.
        initialised: Interval,
        /// Where the program tells of it.
        source: SourceLocation,
    },
    /// An object in the block was used, and that does not happen before the free of the block.
    Freed {
        /// The use.
        usage: OperationId,
        /// The free.
        freed: Interval,
    },
    /// Blocks that were shared between objects are left, and nothing leads to them any more. The fault's bytes are those of all, and its
    /// allocation is that of the first.
    Leaked {
        /// How many blocks.
        blocks: usize,
    },
    /// Objects are left that the program was to end.
    Left {
        /// What the first of them is called.
        what: &'static str,
        /// Where it was made.
        source: SourceLocation,
        /// How many.
        objects: usize,
    },
    /// The block was freed a second time.
    FreedTwice {
        /// The first free.
        first: Interval,
        /// The second.
        second: Interval,
    },
}
