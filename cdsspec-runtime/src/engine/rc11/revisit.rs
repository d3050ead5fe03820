//! Backward revisits: a new write may be read by a read that was added before it.
//!
//! # Paper
//! TruSt (POPL 2022), section 4: the read is made to read from the write, and what was added since and is not in the write's own past
//! is deleted, iff all of that was added maximally. Then the deleted events are exactly those that running on from the smaller
//! graph would add again by always taking the maximal choice, so that of all graphs that could make this revisit one does.

use super::event::{EventId, Label, ReadsFrom};
use super::graph::Graph;
use smallvec::SmallVec;

impl Graph {
    /// The reads that may read from `write` instead of what they read, newest first.
    pub(super) fn revisitable(&self, write: EventId) -> SmallVec<[EventId; 16]> {
        let location = self.event(write).location.expect("a write has a location");
        let mut revisitable = SmallVec::new();
        for &read in self.location(location).reads.iter().rev() {
            if read == write || self.is_in_porf(read, write) {
                continue;
            }
            // Older reads delete more: once one fails they all do.
            if !self.is_maximal_revisit(write, read) {
                break;
            }
            if self.is_coherent_revisit(write, read) {
                revisitable.push(read);
            }
        }
        revisitable
    }

    /// Whether the read, and everything that would be deleted, was added maximally.
    fn is_maximal_revisit(&self, write: EventId, read: EventId) -> bool {
        let location = self.event(write).location.expect("a write has a location");
        if !self.event(read).is_revisitable {
            return false;
        }
        if !self.event(write).is_rmw() {
            let position = self.position(location, ReadsFrom::Event(write));
            let next = self.location(location).writes.get(position);
            if next.is_some_and(|&next| !self.is_kept(next, write, read)) {
                return false;
            }
        }
        self.is_maximal(read, write)
            && (read + 1..self.events.len() as EventId)
                .filter(|&event| !self.is_kept(event, write, read))
                .all(|event| self.is_maximal(event, write))
    }

    /// Whether an event stays when `read` is made to read from `write`.
    fn is_kept(&self, event: EventId, write: EventId, read: EventId) -> bool {
        event <= read || self.is_in_porf(event, write)
    }

    /// Whether an event took the choice that it would take if it were added to the events before it and those before `write`.
    fn is_maximal(&self, id: EventId, write: EventId) -> bool {
        let event = self.event(id);
        let store = match (event.label, event.reads_from) {
            (Label::Choice { .. }, _) => return event.choice == 0,
            (Label::Store { .. }, _) => ReadsFrom::Event(id),
            // A read that waits does so at first, whatever it may read.
            (label, ReadsFrom::Bottom) => return label.is_wait() || !label.is_read(),
            (label, _) if label.is_wait() || event.is_spurious => return false,
            (label, store) if label.is_read() => store,
            _ => return true,
        };
        let is_there = |other: EventId| self.is_kept(other, write, id);
        if let ReadsFrom::Event(store) = store
            && !is_there(store)
        {
            return false;
        }
        let location = event.location.expect("a read or write has a location");
        let position = self.position(location, store);
        self.location(location).writes[position..]
            .iter()
            .all(|&later| later == write || later == id || !is_there(later))
    }

    /// Whether the read may read from the write among the events that stay.
    fn is_coherent_revisit(&self, write: EventId, read: EventId) -> bool {
        let event = self.event(read);
        let location = event.location.expect("a read has a location");
        if !event.label.is_satisfied(self.event(write).value) {
            return false;
        }
        let hb = self.hb_before(read);
        let position = self.position(location, ReadsFrom::Event(write));
        let is_kept = |other: EventId| self.is_kept(other, write, read);
        let is_known = |store: EventId| {
            self.event(store).is_in(hb)
                || self.location(location).reads.iter().any(|&other| {
                    other != read
                        && is_kept(other)
                        && self.event(other).is_in(hb)
                        && self.event(other).reads_from == ReadsFrom::Event(store)
                })
        };
        let is_overwritten = self.location(location).writes[position..]
            .iter()
            .any(|&later| later != read && is_kept(later) && is_known(later));
        // Of two read-modify-writes that read one store, `read` may be one: it is about to read another.
        let own = self.event(write);
        let has_rival = own.is_rmw()
            && self.holders(location, own.reads_from, write).any(|other| other != read && is_kept(other));
        !is_overwritten && !has_rival
    }

    /// Makes `graph`, whatever it was, the one in which `read` reads from `write`: not yet checked against psc, the write of a
    /// read-modify-write not yet in place. The read in it.
    pub(super) fn revisit_into(&self, graph: &mut Self, write: EventId, read: EventId) -> EventId {
        let is_kept = |event| self.is_kept(event, write, read);
        let [write, read] = self.filter_into(graph, read, is_kept, [write, read]);
        if graph.event(read).is_rmw() {
            graph.remove_write(read);
        }
        graph.set_read(read, ReadsFrom::Event(write), false);
        graph.fix_past(write);
        read
    }
}
