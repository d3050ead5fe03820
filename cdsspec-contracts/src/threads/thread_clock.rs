//! What a running thread knows.
//!
//! # Paper
//! CSV, section IV.2, takes happens-before from ThreadSanitizer. Here it is that of C++20: sb ∪ sw, closed; sw is release store or fence to
//! acquire load or fence, over release sequences (a store and the read-modify-writes that chain from it). `SeqCst` counts as acquire and
//! release.

use super::index::{COUNT_MAX, Indices, Keep, Slot};
use super::stamp::Stamp;
use crate::{Clock, Epoch, ThreadIndex};
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// The indices of this process.
pub(crate) static INDICES: Indices = Indices::new();

#[inline]
pub(crate) fn is_acquire(order: Ordering) -> bool {
    matches!(order, Acquire | AcqRel | SeqCst)
}

#[inline]
pub(crate) fn is_release(order: Ordering) -> bool {
    matches!(order, Release | AcqRel | SeqCst)
}

/// What a thread knows. Each operation is a step.
#[derive(Debug)]
pub(crate) struct ThreadClock {
    index: ThreadIndex,
    keep: Keep,
    /// What happens before its next step; of itself, all that it did.
    clock: Clock,
    /// `clock` at its last release fence.
    release_fence: Clock,
    /// What its relaxed loads have read, for its next acquire fence.
    pending_acquire: Clock,
    /// Whether it is known who made it.
    has_creator: bool,
}

impl ThreadClock {
    /// A thread before which happens what `start` says; none: nobody knows who made it.
    pub(crate) fn begin(start: Option<Clock>) -> Self {
        let has_creator = start.is_some();
        let mut clock = start.unwrap_or_default();
        let Slot { last, keep } = INDICES.begin(&clock);
        // Its first step is here, so that its entry is there to be advanced.
        clock.include(Epoch { step: last.step + 1, ..last });
        let (release_fence, pending_acquire) = (Clock::new(), Clock::new());
        Self { index: last.thread, keep, clock, release_fence, pending_acquire, has_creator }
    }

    /// One more step.
    #[inline]
    pub(crate) fn step(&mut self) -> Epoch {
        let step = self.clock.advance(self.index);
        if step & COUNT_MAX == COUNT_MAX {
            self.change_index();
        }
        self.last()
    }

    /// Its last step.
    #[inline]
    pub(crate) fn last(&self) -> Epoch {
        Epoch { thread: self.index, step: self.clock.get(self.index) }
    }

    /// Goes on as a thread that begins where this one ends: after everything that it did.
    #[cold]
    fn change_index(&mut self) {
        let mut next = Self::begin(Some(self.clock.clone()));
        next.has_creator = self.has_creator;
        next.release_fence.clone_from(&self.release_fence);
        next.pending_acquire.clone_from(&self.pending_acquire);
        *self = next;
    }

    /// What happens before its next step.
    #[inline]
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(crate) fn keep(&self) -> &Keep {
        &self.keep
    }

    pub(crate) fn has_creator(&self) -> bool {
        self.has_creator
    }

    /// Makes everything happen before that `released` says.
    #[inline]
    pub(crate) fn join(&mut self, released: &Clock) {
        self.clock.join(released);
    }

    /// Whether a read with this order teaches nothing that is not known.
    #[inline]
    pub(crate) fn knows(&self, stamp: Stamp, order: Ordering) -> bool {
        stamp.is_empty()
            || stamp.epoch().is_some_and(|epoch| {
                self.clock.includes(epoch) || !is_acquire(order) && self.pending_acquire.includes(epoch)
            })
    }

    /// Whether all that was released is known already.
    #[inline]
    pub(crate) fn has_joined(&self, stamp: Stamp) -> bool {
        stamp.is_empty() || stamp.epoch().is_some_and(|epoch| self.clock.includes(epoch))
    }

    /// Reads what was `released`: known at once, or after the next acquire fence.
    #[inline]
    pub(crate) fn read(&mut self, released: &Clock, stamp: Stamp, order: Ordering) {
        if self.knows(stamp, order) {
            return;
        }
        if is_acquire(order) {
            self.clock.join(released);
        } else {
            self.pending_acquire.join(released);
        }
    }

    /// What a store without release releases.
    #[inline]
    pub(crate) fn release_fence(&self) -> &Clock {
        &self.release_fence
    }

    /// A fence.
    pub(crate) fn fence(&mut self, order: Ordering) {
        self.step();
        if is_acquire(order) {
            self.clock.join(&self.pending_acquire);
            // It is known now, and will be.
            self.pending_acquire.clear();
        }
        if is_release(order) {
            self.release_fence.clone_from(&self.clock);
        }
    }
}

impl Drop for ThreadClock {
    fn drop(&mut self) {
        INDICES.end(Slot { last: self.last(), keep: std::mem::take(&mut self.keep) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_has_counted_to_the_end_goes_on_under_another_index() {
        let mut thread = ThreadClock::begin(None);
        let first = thread.step();
        thread.fence(Release);
        let fence = thread.last();
        let end = Epoch { step: first.step | (COUNT_MAX - 1), ..first };
        thread.clock.include(end);
        let next = thread.step();
        assert!(next.thread != first.thread, "the index of the old one is in use until it ends");
        assert!(thread.clock.includes(end) && thread.clock.includes(first) && thread.clock.includes(next));
        assert!(thread.release_fence.includes(fence) && !thread.release_fence.includes(end));
        assert_eq!(thread.last(), next);
    }
}
