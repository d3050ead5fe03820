//! Threads that keep to a [`Guide`]: the steps of a run that was recorded come again in their order, as far as they fit.
//!
//! A thread that is behind the call of the next step goes on until it is there; a step of a call that has ended already is passed over, and so is one of a thread that cannot go on.
//! When no step is left, threads are scheduled as without a guide.

use crate::graph::ThreadIndex;
use crate::port::Guide;
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// A thread that is behind takes no more steps than that to the call that it is to be at: it may spin.
const BEHIND_MAX: u32 = 10_000;

/// How far a guide was followed.
pub(crate) struct Following {
    guide: Arc<Guide>,
    /// The thread that asked for it, and the first of those that keep to it.
    creator: ThreadIndex,
    first: ThreadIndex,
    next: usize,
    behind: u32,
}

impl Following {
    /// From the first step on, for the threads that come.
    pub(super) fn new(guide: &Arc<Guide>, creator: ThreadIndex, first: ThreadIndex) -> Self {
        Self { guide: guide.clone(), creator, first, next: 0, behind: 0 }
    }

    /// Which of the threads that can go on does; `None`, if nothing is left of the guide.
    pub(super) fn choose(&mut self, ready: &FixedBitSet) -> Option<ThreadIndex> {
        if ready.contains(self.creator) {
            return Some(self.creator);
        }
        while let Some(step) = self.guide.step(self.next) {
            let thread = self.first + usize::from(step.thread);
            let at = self.guide.call(step.thread);
            let is_there = at == u32::from(step.call);
            let is_behind = at < u32::from(step.call) && self.behind < BEHIND_MAX;
            let goes_on = ready.contains(thread) && (is_there || is_behind);
            if goes_on && is_behind {
                self.behind += 1;
                return Some(thread);
            }
            self.next += 1;
            self.behind = 0;
            if goes_on {
                return Some(thread);
            }
        }
        None
    }
}
