//! Backward revisits: a new write may be read by a read that was added before it.
//!
//! # Paper
//! TruSt (POPL 2022), section 4: the read is made to read from the write, and what was added since and is not in the write's own past
//! is deleted, iff all of that was added maximally. Then the deleted events are exactly those that running on from the smaller
//! graph would add again by always taking the maximal choice, so that of all graphs that could make this revisit one does.

use crate::graph::{Action, EventClock, EventId, Graph, Label, ReadsFrom};
use smallvec::SmallVec;

/// A write that may be read by reads that were added before it.
#[derive(Clone, Copy)]
struct Revisitor<'a> {
    write: EventId,
    /// What is before it in sb ∪ rf, itself included.
    past: EventClock<'a>,
}

impl Graph {
    /// The reads that may read from `write` instead of what they read, newest first.
    pub(crate) fn revisitable(&self, write: EventId) -> SmallVec<[EventId; 16]> {
        let location = self.event(write).location.expect("a write has a location");
        let revisitor = Revisitor { write, past: self.porf(write) };
        let mut revisitable = SmallVec::new();
        let mut maximal = self.events.len() as EventId;
        for &read in self.location(location).reads.iter().rev() {
            if self.event(read).is_in(revisitor.past) {
                continue;
            }
            // Older reads delete more: once one fails they all do.
            if !self.is_maximal_revisit(revisitor, read, maximal) {
                break;
            }
            maximal = read;
            if self.is_coherent_revisit(revisitor, read) {
                revisitable.push(read);
            }
        }
        revisitable
    }

    /// Whether the read, and everything that would be deleted, was added maximally. What would be deleted from `known` on was.
    fn is_maximal_revisit(&self, revisitor: Revisitor<'_>, read: EventId, known: EventId) -> bool {
        let (event, write) = (self.event(read), revisitor.write);
        if !event.is_revisitable {
            return false;
        }
        if !self.event(write).is_rmw()
            && let Some(location) = event.location
        {
            let position = self.position(location, ReadsFrom::Event(write));
            let next = self.location(location).writes.get(position);
            if next.is_some_and(|&next| !self.is_kept(next, revisitor, read)) {
                return false;
            }
        }
        for event in read..known {
            if !self.event(event).is_in(revisitor.past) && !self.is_maximal(event, revisitor) {
                return false;
            }
        }
        true
    }

    /// Whether an event stays when `read` is made to read from the write.
    #[inline]
    fn is_kept(&self, event: EventId, revisitor: Revisitor<'_>, read: EventId) -> bool {
        event <= read || self.event(event).is_in(revisitor.past)
    }

    /// Whether an event took the choice that it would take if it were added to the events before it and those before the write.
    fn is_maximal(&self, id: EventId, revisitor: Revisitor<'_>) -> bool {
        let event = self.event(id);
        if event.location.is_none() {
            // A choice of the program's, or nothing that could be other than it is.
            return event.choice == 0;
        }
        let store = match (&event.label, event.reads_from) {
            (Label::Access(Action::Store { .. }), _) => ReadsFrom::Event(id),
            (label, ReadsFrom::Bottom) => return !label.is_read(),
            _ if event.is_spurious => return false,
            (label, store) if label.is_read() => store,
            _ => return true,
        };
        let is_there = |other: EventId| self.is_kept(other, revisitor, id);
        if let ReadsFrom::Event(store) = store
            && !is_there(store)
        {
            return false;
        }
        let location = event.location.expect("a read or write has a location");
        let position = self.position(location, store);
        for &later in &self.location(location).writes[position..] {
            if later != revisitor.write && later != id && is_there(later) {
                return false;
            }
        }
        true
    }

    /// Whether the read may read from the write among the events that stay.
    fn is_coherent_revisit(&self, revisitor: Revisitor<'_>, read: EventId) -> bool {
        let (event, write) = (self.event(read), revisitor.write);
        let location = event.location.expect("a read has a location");
        let waits = !event.label.is_satisfied(self.event(write).value);
        if waits && !self.may_wait_for_ever(revisitor, read) {
            return false;
        }
        let hb = self.hb_before(read);
        let position = self.position(location, ReadsFrom::Event(write));
        let is_kept = |other: EventId| self.is_kept(other, revisitor, read);
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

    /// Whether a wait that `write` does not end may be the end of its thread: no store that stays is newer, and it is not given up.
    fn may_wait_for_ever(&self, revisitor: Revisitor<'_>, read: EventId) -> bool {
        let (event, write) = (self.event(read), revisitor.write);
        let location = event.location.expect("a read has a location");
        let position = self.position(location, ReadsFrom::Event(write));
        let newer = &self.location(location).writes[position..];
        let is_newest = newer.iter().all(|&later| later == read || !self.is_kept(later, revisitor, read));
        is_newest && !event.label.action().is_some_and(Action::may_be_given_up)
    }

    /// Makes `graph`, whatever it was, the one in which `read` reads from `write`: its consistency not yet checked, the write of a
    /// read-modify-write not yet in place. The read in it.
    pub(crate) fn revisit_into(&self, graph: &mut Self, write: EventId, read: EventId) -> EventId {
        let [read, write] = self.filter_into(graph, read, write);
        graph.set_read(read, ReadsFrom::Event(write), false);
        graph.fix_past(write);
        read
    }
}
