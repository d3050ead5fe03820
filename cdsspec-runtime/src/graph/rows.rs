//! The events of each thread, all in one table: a graph is copied so often that a table for each thread would cost too much.

use super::id::{EventId, ThreadIndex};
use std::ops::Index;

/// For each thread of a graph its events, in the order of the thread.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// A row for each thread, of `room` entries each; what is behind its count is rubbish.
    ids: Vec<EventId>,
    counts: Vec<u32>,
    room: usize,
}

/// So many events of a thread have room at first.
const ROOM_MIN: usize = 8;

impl Default for Rows {
    fn default() -> Self {
        Self { ids: Vec::new(), counts: Vec::new(), room: ROOM_MIN }
    }
}

impl Index<ThreadIndex> for Rows {
    type Output = [EventId];

    #[inline]
    fn index(&self, thread: ThreadIndex) -> &[EventId] {
        let start = thread * self.room;
        &self.ids[start..start + self.counts[thread] as usize]
    }
}

impl Rows {
    /// How many threads there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// The event of a thread with this index, if there is one.
    #[inline]
    pub(crate) fn get(&self, thread: ThreadIndex, index: usize) -> Option<EventId> {
        (index < self.counts[thread] as usize).then(|| self.ids[thread * self.room + index])
    }

    /// A thread more, without events.
    pub(crate) fn add_thread(&mut self) {
        self.counts.push(0);
        self.ids.resize(self.counts.len() * self.room, 0);
    }

    /// An event at the end of a thread; how many there were.
    #[inline]
    pub(crate) fn push(&mut self, thread: ThreadIndex, id: EventId) -> usize {
        let index = self.counts[thread] as usize;
        if index == self.room {
            self.make_room();
        }
        self.set_next(thread, id);
        index
    }

    #[cold]
    fn make_room(&mut self) {
        let (old, new) = (self.room, self.room * 2);
        let mut ids = vec![0; self.counts.len() * new];
        for (narrow, wide) in self.ids.chunks_exact(old).zip(ids.chunks_exact_mut(new)) {
            wide[..old].copy_from_slice(narrow);
        }
        (self.ids, self.room) = (ids, new);
    }

    /// Takes the last event of a thread away.
    pub(crate) fn pop(&mut self, thread: ThreadIndex) {
        self.counts[thread] -= 1;
    }

    /// Keeps the events up to this one.
    pub(crate) fn truncate_after(&mut self, last: EventId) {
        for (row, count) in self.ids.chunks_exact(self.room).zip(&mut self.counts) {
            while *count > 0 && row[*count as usize - 1] > last {
                *count -= 1;
            }
        }
    }

    /// No threads, with the room that there is for each.
    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.counts.clear();
    }

    /// As many threads as another table has, without events, with as much room.
    pub(crate) fn restart(&mut self, other: &Self) {
        self.room = other.room;
        self.ids.resize(other.ids.len(), 0);
        self.counts.clear();
        self.counts.resize(other.counts.len(), 0);
    }

    /// An event at the end of a thread for which there is room.
    #[inline]
    pub(crate) fn set_next(&mut self, thread: ThreadIndex, id: EventId) {
        let count = &mut self.counts[thread];
        self.ids[thread * self.room + *count as usize] = id;
        *count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn rows_are_as_long_as_their_threads_and_are_cut_and_copied_each() {
        let mut rows = Rows::default();
        (0..3).for_each(|_| rows.add_thread());
        for id in 0..30 {
            // Thread 1 gets more than there is room for at first.
            let thread = if id % 3 == 0 { 0 } else { 1 };
            assert_eq!(rows.push(thread, id), rows[thread].len() - 1);
        }
        assert_eq!((rows[0].len(), rows[1].len(), rows[2].len()), (10, 20, 0));
        assert_eq!((rows.get(1, 19), rows.get(1, 20), rows.get(2, 0)), (Some(29), None, None));
        let mut copy = Rows::default();
        copy.add_thread();
        copy.push(0, 7);
        copy.restart(&rows);
        assert_eq!((copy.len(), copy[0].len(), copy[1].len()), (3, 0, 0));
        (0..20).for_each(|id| copy.set_next(1, id));
        copy.set_next(2, 20);
        assert_eq!((&copy[0], copy[1].len(), &copy[2]), (&[][..], 20, &[20][..]));
        rows.truncate_after(4);
        assert_eq!((&rows[0], &rows[1], &rows[2]), (&[0, 3][..], &[1, 2, 4][..], &[][..]));
    }
}
