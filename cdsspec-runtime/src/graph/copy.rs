//! Copies of graphs that leave events out.

use super::event::ReadsFrom;
use super::id::EventId;
use super::{Graph, LocationEvents};

/// The ids that the events of a graph have in a copy that leaves some out.
struct NewIds {
    /// Up to this event all keep their ids.
    last: EventId,
    /// Of the events after it; `LEFT_OUT`: none.
    later: Vec<EventId>,
}

const LEFT_OUT: EventId = EventId::MAX;

impl NewIds {
    #[inline]
    fn get(&self, id: EventId) -> Option<EventId> {
        if id <= self.last {
            return Some(id);
        }
        Some(self.later[(id - self.last) as usize - 1]).filter(|&id| id != LEFT_OUT)
    }

    /// Copies ids that are in ascending order.
    #[inline]
    fn copy_ascending(&self, ids: &[EventId], copied: &mut Vec<EventId>) {
        let first_later = ids.iter().rposition(|&id| id <= self.last).map_or(0, |position| position + 1);
        copied.clear();
        copied.extend_from_slice(&ids[..first_later]);
        for &id in &ids[first_later..] {
            if let Some(id) = self.get(id) {
                copied.push(id);
            }
        }
    }
}

impl Graph {
    /// Makes `copy`, whatever it was, a copy of the events up to `last` and of those in sb ∪ rf before `write`: in all a prefix of every thread,
    /// closed under rf but for the read that is about to change. Events keep their order; also the new ids of `last` and `write`.
    pub(crate) fn filter_into(&self, copy: &mut Self, last: EventId, write: EventId) -> [EventId; 2] {
        debug_assert_eq!(self.clocks.event_count(), self.events.len(), "cdsspec bug: clocks are missing");
        let (prefix, past) = (last as usize + 1, self.porf(write));
        copy.events.clear();
        copy.events.extend_from_slice(&self.events[..prefix]);
        copy.clocks.restart(&self.clocks);
        copy.clocks.extend_from(&self.clocks, 0..prefix);
        let mut new_ids = NewIds { last, later: std::mem::take(&mut copy.scratch) };
        new_ids.later.clear();
        for old in prefix..self.events.len() {
            let event = &self.events[old];
            let is_kept = event.is_in(past);
            new_ids.later.push(if is_kept { copy.events.len() as EventId } else { LEFT_OUT });
            if is_kept {
                copy.events.push(*event);
                copy.clocks.extend_from(&self.clocks, old..old + 1);
            }
        }
        copy.may_have_sc = self.may_have_sc;
        copy.renumber(self, &new_ids);
        let write = new_ids.get(write).expect("cdsspec bug: an event is in its own past");
        copy.scratch = new_ids.later;
        [last, write]
    }

    /// Gives rf, the threads and the locations of another graph the new ids.
    fn renumber(&mut self, other: &Self, new_ids: &NewIds) {
        self.threads.restart(&other.threads);
        for (id, event) in (0..).zip(&mut self.events) {
            self.threads.set_next(event.thread, id);
            if let ReadsFrom::Event(store) = event.reads_from
                && store > new_ids.last
            {
                // The read that is about to change may lose its store.
                event.reads_from = new_ids.get(store).map_or(ReadsFrom::Bottom, ReadsFrom::Event);
            }
        }
        self.creators.clear();
        self.creators.extend_from_slice(&other.creators);
        for creator in &mut self.creators {
            if creator.is_some_and(|creation| creation > new_ids.last) {
                *creator = creator.and_then(|creation| new_ids.get(creation));
            }
        }
        self.locations.resize_with(other.locations.len(), LocationEvents::default);
        for (location, copied) in other.locations.iter().zip(&mut self.locations) {
            copied.initial = location.initial;
            copied.writes.clear();
            copied.writes.reserve(location.writes.len());
            for &write in &location.writes {
                if let Some(write) = new_ids.get(write) {
                    copied.writes.push(write);
                }
            }
            new_ids.copy_ascending(&location.reads, &mut copied.reads);
            new_ids.copy_ascending(&location.cells, &mut copied.cells);
        }
    }
}
