//! A lock.

use crate::specification::SequentialSpecification;

/// A lock, free at first. A lock of a locked one, and an unlock of a free one, cannot return.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mutex;

/// What is asked of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexOperation {
    /// To take it.
    Lock,
    /// To give it back.
    Unlock,
}

impl SequentialSpecification for Mutex {
    type Operation = MutexOperation;
    type Result = ();
    type State = bool;
    type Part = ();

    fn initial(&self) -> bool {
        false
    }

    fn step(&self, is_locked: &bool, operation: &MutexOperation) -> impl IntoIterator<Item = ((), bool)> {
        let can_lock = *operation == MutexOperation::Lock;
        (*is_locked != can_lock).then_some(((), can_lock))
    }

    fn part(&self, _: &MutexOperation) {}
}
