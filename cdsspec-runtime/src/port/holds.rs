//! What an execution knows of its locks beside their words.

use super::{Notice, Port};
use crate::record::{LocationId, ThreadId};
use std::cell::RefCell;

/// Which threads have locks shared, and whose panics have poisoned which locks.
#[derive(Default)]
pub(crate) struct Holds {
    /// As often as the thread has the lock.
    shared: RefCell<Vec<(ThreadId, LocationId)>>,
    poisoners: RefCell<Vec<(LocationId, ThreadId)>>,
}

impl Holds {
    /// Another execution begins.
    pub(super) fn forget(&self) {
        self.shared.borrow_mut().clear();
        self.poisoners.borrow_mut().clear();
    }

    /// Whether a thread has a lock shared.
    pub(crate) fn is_shared_by(&self, thread: ThreadId, lock: LocationId) -> bool {
        self.shared.borrow().contains(&(thread, lock))
    }

    /// A thread has taken a lock shared.
    pub(crate) fn add_shared(&self, thread: ThreadId, lock: LocationId) {
        self.shared.borrow_mut().push((thread, lock));
    }

    /// And gives it back.
    pub(crate) fn remove_shared(&self, thread: ThreadId, lock: LocationId) {
        let mut shared = self.shared.borrow_mut();
        if let Some(index) = shared.iter().rposition(|held| *held == (thread, lock)) {
            shared.swap_remove(index);
        }
    }

    /// A thread that panics gives a lock back.
    pub(crate) fn add_poisoner(&self, lock: LocationId, thread: ThreadId) {
        self.poisoners.borrow_mut().push((lock, thread));
    }

    /// The program has seen that a lock is poisoned: the panics that have poisoned it are taken for results.
    pub(super) fn take_poison(&self, lock: LocationId, port: &dyn Port) {
        for &(poisoned, thread) in self.poisoners.borrow().iter() {
            if poisoned == lock {
                port.note(Notice::PanicTaken(thread));
            }
        }
    }
}
