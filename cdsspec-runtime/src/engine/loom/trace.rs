//! Notices a program that does something else on replay.
//!
//! loom runs the program again and again; up to the choice that it has changed, an execution must do what the one before it did. As long
//! as all choices were the same, so must be the next operation of a thread.

use crate::record::{LocationId, Place, StoreId, ThreadId};
use std::fmt;

/// What a thread does, or what became of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TraceStep {
    /// A thread begins an operation.
    Begin { thread: ThreadId, place: Place, location: Option<LocationId> },
    /// A thread has read a store: a choice of loom's.
    Read { thread: ThreadId, store: StoreId },
    /// A thread has ended.
    End { thread: ThreadId },
}

impl TraceStep {
    /// The thread, of a step that is no choice of loom's.
    fn doer(&self) -> Option<ThreadId> {
        match *self {
            Self::Begin { thread, .. } | Self::End { thread } => Some(thread),
            Self::Read { .. } => None,
        }
    }
}

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begin { place, .. } => write!(f, "{place}"),
            Self::Read { .. } => f.write_str("read"),
            Self::End { .. } => f.write_str("the end of the thread"),
        }
    }
}

/// The steps of the last execution and of this one.
#[derive(Default)]
pub(super) struct Trace {
    previous: Vec<TraceStep>,
    current: Vec<TraceStep>,
    /// Whether this execution has done the same so far.
    is_same: bool,
}

impl Trace {
    /// An execution begins.
    pub(super) fn begin(&mut self) {
        std::mem::swap(&mut self.previous, &mut self.current);
        self.current.clear();
        self.is_same = !self.previous.is_empty();
    }

    /// A step of this execution. If the program has left its path with it: what it did, and what it had done.
    pub(super) fn note(&mut self, step: TraceStep) -> Option<String> {
        let before = self.previous.get(self.current.len()).filter(|_| self.is_same).copied();
        self.current.push(step);
        let before = before?;
        self.is_same = before == step;
        let is_left = !self.is_same && step.doer().is_some() && step.doer() == before.doer();
        is_left.then(|| format!("it did {step} where it had done {before}"))
    }
}
