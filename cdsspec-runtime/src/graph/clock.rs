//! Narrow vector clocks: how many events of each thread are included.

use super::id::{EventId, ThreadIndex};

/// A machine joins so many entries at once.
const GROUP_LEN: usize = 8;

type Group = [u16; GROUP_LEN];

/// A group that includes nothing.
const NOTHING: Group = [0; GROUP_LEN];

/// The clocks that each event has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClockKind {
    /// sb ∪ rf ∪ creation ∪ join, closed, the event itself included.
    Porf,
    /// happens-before, the event itself included.
    Hb,
    /// happens-before of the thread's last release fence.
    ReleaseFence,
    /// What the thread's relaxed loads have read.
    PendingAcquire,
    /// What an acquiring reader learns.
    Released,
}

const KIND_COUNT: usize = 5;

/// All clocks of an event, for as many threads as a group has entries.
#[derive(Clone, Copy, Default, Debug)]
struct ClockBlock([Group; KIND_COUNT]);

impl ClockBlock {
    #[inline]
    fn join(&mut self, kind: ClockKind, other: &Self, from: ClockKind) {
        // Counted by hand: an iterator is many calls an entry where nothing is optimised.
        let (mine, theirs) = (&mut self.0[kind as usize], &other.0[from as usize]);
        let mut index = 0;
        while index < GROUP_LEN {
            // Written in each case, so that a machine does all at once where it is optimised.
            mine[index] = if mine[index] < theirs[index] { theirs[index] } else { mine[index] };
            index += 1;
        }
    }

    #[inline]
    fn copy(&mut self, kind: ClockKind, from: ClockKind) {
        self.0[kind as usize] = self.0[from as usize];
    }
}

/// For each thread of a graph, how many of its events are included. A thread that is not named counts as 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventClock<'a> {
    blocks: &'a [ClockBlock],
    kind: ClockKind,
}

impl EventClock<'_> {
    /// The clock that includes nothing.
    pub(crate) const NOTHING: EventClock<'static> = EventClock { blocks: &[], kind: ClockKind::Hb };

    #[inline]
    pub(crate) fn get(self, thread: ThreadIndex) -> u16 {
        let index = thread / GROUP_LEN;
        if index < self.blocks.len() {
            self.blocks[index].0[self.kind as usize][thread % GROUP_LEN]
        } else {
            0
        }
    }
}

/// What is before an event in its thread.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Before {
    Event(EventId),
    /// It is the first of its thread, which this event created.
    Creation(EventId),
    /// It is the first of the main thread.
    Nothing,
}

/// What an event learns beside what its thread knew before.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Learnt {
    Nothing,
    /// What another thread knew at its end.
    End(Before),
    /// What this store released; a relaxed read learns it at the next fence.
    Store {
        store: EventId,
        is_acquire: bool,
    },
    Fence {
        is_acquire: bool,
        is_release: bool,
    },
}

/// All that the clocks of an event depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knowledge {
    pub(crate) thread: ThreadIndex,
    /// How many events its thread has, itself included.
    pub(crate) count: u16,
    pub(crate) before: Before,
    pub(crate) learnt: Learnt,
    pub(crate) is_write: bool,
    pub(crate) is_release: bool,
}

/// The clocks of all events of a graph, in one table: the blocks of an event stand one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    blocks: Vec<ClockBlock>,
    /// How many blocks an event has.
    width: usize,
}

impl Default for Clocks {
    fn default() -> Self {
        Self { blocks: Vec::new(), width: 1 }
    }
}

impl Clocks {
    #[inline]
    pub(crate) fn get(&self, event: EventId, kind: ClockKind) -> EventClock<'_> {
        let start = event as usize * self.width;
        EventClock { blocks: &self.blocks[start..start + self.width], kind }
    }

    /// How many events have clocks.
    #[inline]
    pub(crate) fn event_count(&self) -> usize {
        self.blocks.len() / self.width
    }

    /// Computes the clocks of the next event of the table.
    pub(crate) fn push(&mut self, knowledge: &Knowledge) {
        for index in 0..self.width {
            let block = self.block(knowledge, index);
            self.blocks.push(block);
        }
    }

    /// Computes the clocks of an event anew.
    pub(crate) fn set(&mut self, event: EventId, knowledge: &Knowledge) {
        for index in 0..self.width {
            let block = self.block(knowledge, index);
            self.blocks[event as usize * self.width + index] = block;
        }
    }

    #[inline]
    fn block(&self, knowledge: &Knowledge, index: usize) -> ClockBlock {
        use ClockKind::{Hb, PendingAcquire, Porf, ReleaseFence, Released};
        let of = |event: EventId| &self.blocks[event as usize * self.width + index];
        let mut block = ClockBlock([NOTHING; KIND_COUNT]);
        match knowledge.before {
            Before::Event(before) => block = *of(before),
            Before::Creation(creation) => {
                block.join(Porf, of(creation), Porf);
                block.join(Hb, of(creation), Hb);
            }
            Before::Nothing => {}
        }
        block.0[Released as usize] = NOTHING;
        if knowledge.thread / GROUP_LEN == index {
            block.0[Porf as usize][knowledge.thread % GROUP_LEN] = knowledge.count;
            block.0[Hb as usize][knowledge.thread % GROUP_LEN] = knowledge.count;
        }
        match knowledge.learnt {
            Learnt::End(Before::Event(last) | Before::Creation(last)) => {
                block.join(Porf, of(last), Porf);
                block.join(Hb, of(last), Hb);
            }
            Learnt::Store { store, is_acquire } => {
                block.join(Porf, of(store), Porf);
                block.join(PendingAcquire, of(store), Released);
                if is_acquire {
                    block.join(Hb, of(store), Released);
                }
            }
            Learnt::Fence { is_acquire, is_release } => {
                if is_acquire {
                    let known = block;
                    block.join(Hb, &known, PendingAcquire);
                }
                if is_release {
                    block.copy(ReleaseFence, Hb);
                }
            }
            Learnt::Nothing | Learnt::End(Before::Nothing) => {}
        }
        if knowledge.is_write {
            block.copy(Released, if knowledge.is_release { Hb } else { ReleaseFence });
            // A read-modify-write goes on with the release sequence.
            if let Learnt::Store { store, .. } = knowledge.learnt {
                block.join(Released, of(store), Released);
            }
        }
        block
    }

    /// Keeps the clocks of the first `count` events.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.blocks.truncate(count * self.width);
    }

    /// Keeps no clocks, and is as narrow as for a thread.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.width = 1;
    }

    /// Keeps no clocks, and gets the width of another table.
    pub(crate) fn restart(&mut self, other: &Self) {
        self.blocks.clear();
        self.width = other.width;
    }

    /// Adds the clocks of some events of another table of the same width.
    #[inline]
    pub(crate) fn extend_from(&mut self, other: &Self, events: std::ops::Range<usize>) {
        self.blocks.extend_from_slice(&other.blocks[events.start * self.width..events.end * self.width]);
    }

    /// Makes room for so many threads.
    pub(crate) fn widen(&mut self, thread_count: usize) {
        let (old, new) = (self.width, thread_count.div_ceil(GROUP_LEN));
        if new <= old {
            return;
        }
        let mut blocks = vec![ClockBlock::default(); self.blocks.len() / old * new];
        for (narrow, wide) in self.blocks.chunks_exact(old).zip(blocks.chunks_exact_mut(new)) {
            wide[..old].copy_from_slice(narrow);
        }
        *self = Self { blocks, width: new };
    }
}

#[cfg(test)]
mod tests {
    use super::ClockKind::{Hb, Porf, Released};
    use super::*;

    #[test]
    fn many_threads_are_joined_like_few() {
        let knowledge = |thread, before, learnt| Knowledge {
            thread,
            count: 1,
            before,
            learnt,
            is_write: true,
            is_release: true,
        };
        let mut clocks = Clocks::default();
        clocks.push(&knowledge(1, Before::Nothing, Learnt::Nothing));
        clocks.widen(21);
        clocks.push(&knowledge(20, Before::Creation(0), Learnt::Nothing));
        clocks.push(&knowledge(13, Before::Nothing, Learnt::Store { store: 1, is_acquire: true }));
        clocks.push(&Knowledge { count: 2, ..knowledge(1, Before::Event(0), Learnt::End(Before::Event(2))) });
        let counts = |event, kind| [1, 13, 20, 40].map(|thread| clocks.get(event, kind).get(thread));
        assert_eq!(counts(0, Released), [1, 0, 0, 0]);
        assert_eq!(counts(1, Hb), [1, 0, 1, 0]);
        assert_eq!(counts(2, Hb), [1, 1, 1, 0]);
        assert_eq!(counts(3, Hb), [2, 1, 1, 0]);
        assert_eq!(counts(3, Porf), [2, 1, 1, 0]);
    }
}
