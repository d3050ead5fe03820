//! Which thread has which index, and when another one may have it.
//!
//! Clocks are as long as there are indices, so indices are used again. An index goes from a thread A that has ended to a thread B that
//! begins in one of two ways.
//!
//! 1. *A comes before B*: B's first clock includes A's last step. B goes on counting where A ended. A clock includes a step of B only if it
//!    was joined, over any number of corners, with one that B released: that one includes all of A's steps, since B's did from the
//!    beginning. So whoever knows a step of B comes after all of A, and that is what the larger number says.
//! 2. *No event of A is kept*, or of those that had the index before A in the same generation. B counts in the next generation.
//!    [`Clock::includes`] is false across generations, so no clock with a step of B claims anything about A. It loses what it knew of A,
//!    which only events of A could show: there are none, and there will be none, since only a thread itself makes its events. (That an
//!    atomic's clock is known is also read off steps, to save a join: what is not known there is joined.)
//!
//! Otherwise B gets a new index. So there are as many indices as the most threads that lived at a time, and as threads with events that
//! somebody keeps, of which none came after the other.

use crate::clock::{COUNT_BITS, generation};
use crate::{Clock, Epoch, ThreadIndex};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many ended threads are looked at when one begins. They take turns.
const LOOKED_AT_MAX: usize = 64;

/// At this count a thread goes on under another index.
pub(crate) const COUNT_MAX: u64 = (1 << COUNT_BITS) - 1;

/// The most generations that an index has.
const GENERATION_MAX: u64 = u64::MAX >> COUNT_BITS;

/// Every event of a generation of an index holds one of these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Generation(Arc<()>);

impl Generation {
    /// Whether no event holds one, if `self` is the last that none holds.
    fn is_last(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

/// An index in use, or one that a thread has left.
#[derive(Debug)]
pub(crate) struct Slot {
    /// Whose it is, and its last step.
    pub(crate) last: Epoch,
    /// Who keeps events of this generation.
    pub(crate) generation: Generation,
}

/// The indices of a process.
pub(crate) struct Indices {
    state: Mutex<State>,
}

struct State {
    count: u32,
    ended: VecDeque<Slot>,
}

impl Indices {
    pub(crate) const fn new() -> Self {
        Self { state: Mutex::new(State { count: 0, ended: VecDeque::new() }) }
    }

    /// An index for a thread before which happens what `start` says.
    pub(crate) fn begin(&self, start: &Clock) -> Slot {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..state.ended.len().min(LOOKED_AT_MAX) {
            let Some(slot) = state.ended.pop_front() else { break };
            match again(slot, start) {
                Ok(slot) => return slot,
                Err(slot) => state.ended.push_back(slot),
            }
        }
        let thread = ThreadIndex(state.count);
        state.count += 1;
        Slot { last: Epoch { thread, step: 0 }, generation: Generation::default() }
    }

    /// The thread has ended.
    pub(crate) fn end(&self, slot: Slot) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).ended.push_back(slot);
    }

    /// How many there are, in use or not.
    pub(crate) fn count(&self) -> u32 {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).count
    }
}

/// The index for the next thread, or not.
fn again(slot: Slot, start: &Clock) -> Result<Slot, Slot> {
    let next = generation(slot.last.step) + 1;
    let has_room = slot.last.step & COUNT_MAX < COUNT_MAX - 1;
    if start.includes(slot.last) && has_room {
        Ok(slot)
    } else if slot.generation.is_last() && next <= GENERATION_MAX {
        let last = Epoch { step: next << COUNT_BITS, ..slot.last };
        Ok(Slot { last, generation: Generation::default() })
    } else {
        Err(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(epoch: Epoch) -> Clock {
        let mut clock = Clock::new();
        clock.include(epoch);
        clock
    }

    fn with_steps(mut slot: Slot, count: u64) -> Slot {
        slot.last.step += count;
        slot
    }

    #[test]
    fn a_thread_that_comes_after_goes_on_counting() {
        let indices = Indices::new();
        let first = with_steps(indices.begin(&Clock::new()), 5);
        let (last, event) = (first.last, first.generation.clone());
        indices.end(first);
        let second = indices.begin(&after(last));
        assert_eq!((second.last, indices.count()), (last, 1));
        drop(event);
    }

    #[test]
    fn a_thread_that_does_not_come_after_has_another_index_while_an_event_is_kept() {
        let indices = Indices::new();
        let first = with_steps(indices.begin(&Clock::new()), 5);
        let (last, event) = (first.last, first.generation.clone());
        indices.end(first);
        let before_the_end = after(Epoch { step: 4, ..last });
        let second = indices.begin(&before_the_end);
        assert_eq!((second.last.thread, indices.count()), (ThreadIndex(1), 2));
        drop(event);
        let third = indices.begin(&before_the_end);
        assert_eq!(third.last, Epoch { thread: ThreadIndex(0), step: 1 << COUNT_BITS });
        assert!(!after(with_steps(third, 1).last).includes(last), "nothing of the first one is claimed");
        assert_eq!(indices.count(), 2);
    }

    #[test]
    fn an_index_that_has_counted_to_the_end_is_not_counted_on() {
        let indices = Indices::new();
        let first = with_steps(indices.begin(&Clock::new()), COUNT_MAX);
        let (last, event) = (first.last, first.generation.clone());
        indices.end(first);
        assert_eq!(indices.begin(&after(last)).last.thread, ThreadIndex(1));
        drop(event);
        assert_eq!(indices.begin(&after(last)).last, Epoch { step: 1 << COUNT_BITS, ..last });
    }

    #[test]
    fn an_index_without_generations_left_stays_where_it_is() {
        let indices = Indices::new();
        let first = with_steps(indices.begin(&Clock::new()), (GENERATION_MAX << COUNT_BITS) + 1);
        indices.end(first);
        assert_eq!(indices.begin(&Clock::new()).last.thread, ThreadIndex(1));
    }
}
