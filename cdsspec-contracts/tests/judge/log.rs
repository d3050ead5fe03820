//! What the threads of a program did.

use cdsspec_contracts::Epoch;
use cdsspec_contracts::threads::Moment;
use std::sync::atomic::Ordering;

/// Of an operation; 0 is what was there before all.
pub(crate) type Id = u64;

/// One operation, or a half of one.
#[derive(Debug)]
pub(crate) struct Node {
    pub id: Id,
    pub thread: usize,
    pub what: What,
    pub epoch: Epoch,
    /// What the clocks said then; of a first half they are not asked.
    pub moment: Option<Moment>,
}

#[derive(Debug)]
pub(crate) enum What {
    Load { order: Ordering, read: Id },
    Store { order: Ordering },
    Update { order: Ordering, read: Id },
    Fence { order: Ordering },
    Lock { unlocks: Vec<Id> },
    Unlock,
    Send,
    Receive { channel: usize, message: Id },
    Initialise,
    Get { by: Id },
    Arrive { round: usize },
    Leave { round: usize },
    Spawn { child: usize },
    Join { child: usize },
    Nothing,
}

impl What {
    /// The write that an access of an atomic has read.
    pub(crate) fn read(&self) -> Option<Id> {
        match self {
            Self::Load { read, .. } | Self::Update { read, .. } => Some(*read),
            _ => None,
        }
    }
}

impl std::fmt::Display for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:x} of thread {}, {:?}: {:?}", self.id, self.thread, self.epoch, self.what)
    }
}
