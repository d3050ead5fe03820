//! Accesses of cells that have begun and not ended.
//!
//! What changes from one access to the next is kept here and not beside the access: that is on the stack of the thread, which would look other in each
//! round of a loop.

use crate::record::{LocationId, ThreadId};
use std::cell::RefCell;

/// Of each access: the thread, the location, and how many operations the thread had done then, this one included.
#[derive(Default)]
pub(crate) struct OpenAccesses(RefCell<Vec<(ThreadId, LocationId, u32)>>);

impl OpenAccesses {
    pub(super) fn forget(&self) {
        self.0.borrow_mut().clear();
    }

    /// A thread has begun an access.
    pub(crate) fn add(&self, thread: ThreadId, location: LocationId, position: u32) {
        self.0.borrow_mut().push((thread, location, position));
    }

    /// The last access of a location that a thread has begun ends: how many operations it had done when that began.
    pub(crate) fn remove(&self, thread: ThreadId, location: LocationId) -> Option<u32> {
        let mut accesses = self.0.borrow_mut();
        let is_it = |&(other, there, _): &(ThreadId, LocationId, u32)| other == thread && there == location;
        let last = accesses.iter().rposition(is_it)?;
        Some(accesses.remove(last).2)
    }
}
