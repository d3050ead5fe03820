//! Moments of real threads, for events.

use super::current;
use super::facts::{Origin, ThreadFacts};
use super::thread_clock::{INDICES, ThreadClock};
use crate::{Clock, Epoch};
use std::sync::Arc;

/// A moment of a real thread: its step, and what happens before it.
///
/// As long as a moment is kept, its thread's index is not given to a thread that does not come after it: so what is asked of an event is
/// asked as long as its moment is there: it says more than its epoch alone.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The step.
    pub epoch: Epoch,
    /// What happens before it, and the step itself.
    pub clock: Clock,
    /// Whether it is known who made the thread: one that std made begins with nothing before it.
    pub has_creator: bool,
    _facts: Arc<ThreadFacts>,
}

impl Moment {
    /// A step of this thread, which is nothing but a moment: what it did is before it, and what it does after. None where contracts are off, or
    /// the thread's clock is gone, in the destructor of a thread-local.
    pub fn now() -> Option<Self> {
        current::with(|thread| {
            thread.step();
            Self::of(thread)
        })
    }

    /// The last step of this thread: its last operation.
    pub fn of_last_operation() -> Option<Self> {
        current::with(|thread| Self::of(thread))
    }

    fn of(thread: &ThreadClock) -> Self {
        Self {
            epoch: thread.last(),
            clock: thread.clock().clone(),
            has_creator: thread.facts().origin() == Origin::Known,
            _facts: Arc::clone(thread.facts()),
        }
    }

    /// Whether this moment happens before the other.
    pub fn happens_before(&self, other: &Self) -> bool {
        self.epoch != other.epoch && other.clock.includes(self.epoch)
    }
}

/// How many thread indices there are: the length of the longest clock.
pub fn index_count() -> u32 {
    INDICES.count()
}
