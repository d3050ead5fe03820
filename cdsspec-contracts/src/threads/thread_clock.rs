//! What a running thread knows.
//!
//! # Paper
//! CSV, section IV.2, takes happens-before from ThreadSanitizer. Here it is that of C++20: sb ∪ sw, closed; sw is release store or fence to
//! acquire load or fence, over release sequences (a store and the read-modify-writes that chain from it). `SeqCst` counts as acquire and
//! release.

use super::facts::ThreadFacts;
use super::index::{COUNT_MAX, Indices, Slot};
use super::order::Order;
use super::stamp::Stamp;
use crate::{Clock, Epoch, ThreadIndex};
use std::sync::{Arc, Mutex, PoisonError};

/// The indices of this process.
pub(crate) static INDICES: Indices = Indices::new();

/// What a thread knows. Each operation is a step.
#[derive(Debug)]
pub(crate) struct ThreadClock {
    index: ThreadIndex,
    facts: Arc<ThreadFacts>,
    /// What happens before its next step; of itself, all that it did.
    clock: Clock,
    /// `clock` at its last release fence.
    release_fence: Clock,
    /// What its relaxed loads have read, for its next acquire fence.
    pending_acquire: Clock,
    /// A clock that it has just read.
    read: Clock,
    learnt_at: u64,
    /// What it knew at its end, for who joins it.
    end: Option<Arc<Mutex<Clock>>>,
}

impl ThreadClock {
    /// A thread before which happens what `start` says; none: nobody knows who made it.
    pub(crate) fn begin(start: Option<Clock>) -> Self {
        let has_creator = start.is_some();
        let mut clock = start.unwrap_or_default();
        let Slot { last, generation } = INDICES.begin(&clock);
        let facts = Arc::new(ThreadFacts::new(generation, has_creator));
        // Its first step is here, so that its entry is there to be advanced.
        clock.include(Epoch { step: last.step + 1, ..last });
        let [release_fence, pending_acquire, read] = [const { Clock::new() }; 3];
        let learnt_at = last.step + 1;
        Self { index: last.thread, facts, clock, release_fence, pending_acquire, read, learnt_at, end: None }
    }

    /// One more step.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> Epoch {
        let step = self.clock.advance(self.index);
        if step & COUNT_MAX == COUNT_MAX {
            self.change_index();
        }
        self.last()
    }

    /// It has done so many steps meanwhile.
    #[inline(always)]
    pub(crate) fn catch_up(&mut self, step: u64) {
        self.clock.include(Epoch { thread: self.index, step });
    }

    /// The step at which it last learnt something of others, or an earlier one if it has not since.
    pub(crate) fn learnt_at(&self) -> u64 {
        self.learnt_at
    }

    /// Its last step.
    #[inline(always)]
    pub(crate) fn last(&self) -> Epoch {
        Epoch { thread: self.index, step: self.clock.get(self.index) }
    }

    /// Goes on as a thread that begins where this one ends: after everything that it did.
    #[cold]
    fn change_index(&mut self) {
        let mut next = Self::begin(Some(self.clock.clone()));
        next.facts = Arc::new(next.facts.of_same_thread(&self.facts));
        next.end = self.end.take();
        next.release_fence.clone_from(&self.release_fence);
        next.pending_acquire.clone_from(&self.pending_acquire);
        *self = next;
    }

    /// What happens before its next step.
    #[inline(always)]
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(crate) fn facts(&self) -> &Arc<ThreadFacts> {
        &self.facts
    }

    /// What it knows when it is dropped is added to `end`.
    pub(crate) fn set_end(&mut self, end: Arc<Mutex<Clock>>) {
        self.end = Some(end);
    }

    /// Makes everything happen before that `released` says.
    pub(crate) fn join(&mut self, released: &Clock) {
        self.clock.join(released);
        self.learnt_at = self.last().step;
    }

    /// Whether a read with this order teaches nothing that is not known.
    #[inline(always)]
    pub(crate) fn knows(&self, stamp: Stamp, order: impl Order) -> bool {
        stamp.is_empty()
            || stamp.epoch().is_some_and(|epoch| {
                self.clock.includes(epoch) || !order.is_acquire() && self.pending_acquire.includes(epoch)
            })
    }

    /// Whether all that was released is known already.
    #[inline(always)]
    pub(crate) fn has_joined(&self, stamp: Stamp) -> bool {
        stamp.is_empty() || stamp.epoch().is_some_and(|epoch| self.clock.includes(epoch))
    }

    /// Whether all that it knows was released at this stamp: it did so itself, and has learnt nothing of others since.
    #[inline(always)]
    pub(crate) fn has_released(&self, stamp: Stamp) -> bool {
        stamp.epoch().is_some_and(|epoch| epoch.thread == self.index && epoch.step >= self.learnt_at)
    }

    /// A place for the clock that it reads.
    #[inline(always)]
    pub(crate) fn read_mut(&mut self) -> &mut Clock {
        &mut self.read
    }

    /// Learns what it has read, with this stamp: at once, or at the next acquire fence.
    pub(crate) fn learn(&mut self, stamp: Stamp, order: impl Order) {
        if stamp.is_empty() {
            return;
        }
        if let Some(epoch) = stamp.epoch() {
            self.read.include(epoch);
        }
        if order.is_acquire() {
            self.clock.join(&self.read);
            self.learnt_at = self.last().step;
        } else {
            self.pending_acquire.join(&self.read);
        }
    }

    /// What a read-modify-write releases that has read a clock with this stamp, and does not know it.
    pub(crate) fn join_released(&mut self, stamp: Stamp, order: impl Order) -> Clock {
        let mut joined = std::mem::take(&mut self.read);
        if stamp.is_empty() {
            joined.clear();
        } else if let Some(epoch) = stamp.epoch() {
            joined.include(epoch);
        }
        joined.join(if order.is_release() { &self.clock } else { &self.release_fence });
        joined
    }

    /// What a store without release releases.
    #[inline(always)]
    pub(crate) fn release_fence(&self) -> &Clock {
        &self.release_fence
    }

    /// A fence.
    pub(crate) fn fence(&mut self, order: impl Order) {
        self.step();
        if order.is_acquire() && !self.pending_acquire.is_empty() {
            self.clock.join(&self.pending_acquire);
            self.learnt_at = self.last().step;
            // It is known now, and will be.
            self.pending_acquire.clear();
        }
        if order.is_release() {
            self.release_fence.clone_from(&self.clock);
        }
    }
}

impl Drop for ThreadClock {
    fn drop(&mut self) {
        if let Some(end) = &self.end {
            end.lock().unwrap_or_else(PoisonError::into_inner).join(&self.clock);
        }
        INDICES.end(Slot { last: self.last(), generation: self.facts.generation().clone() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Release;

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
