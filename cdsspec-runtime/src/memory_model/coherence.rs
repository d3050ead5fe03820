//! Where a new event may stand: stores that a read may read from, places of a write in the modification order. For all models: what
//! happens before an event is before it in each of them, by the orders that are in force there, and none may see older stores then.
//!
//! That holds on machines with queues of stores, too. There a store happens before another thread's read only if, on a path of sb and
//! of reads that synchronise, it has left the queue before the store that is read did: on Tso since stores leave in their order, on
//! Pso since one that synchronises is behind a barrier. Within a thread coherence is that of sb.
//!
//! # Paper
//! RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017), section 3: coherence and atomicity. The choice of stores and places is that
//! of TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022).

use crate::graph::{Action, Event, EventId, Graph, Label, ReadsFrom};
use smallvec::SmallVec;

/// A store that a read may read from.
pub(crate) struct Readable {
    pub(crate) store: ReadsFrom,
    /// Whether the read writes, then.
    pub(crate) is_write: bool,
    /// Whether it may: no other read-modify-write holds the store, or the other one can still be made to read from this one.
    pub(crate) is_free: bool,
}

impl Graph {
    /// The stores that a read may read from, oldest first: the last one that happens before it or that something before it reads, and
    /// all later ones; for a read that waits, those that it waits for.
    #[inline]
    pub(crate) fn readable(&self, read: EventId) -> SmallVec<[Readable; 8]> {
        let location = self.event(read).location.expect("a read has a location");
        self.readable_from(read, self.last_known(location, self.hb_before(read)))
    }

    /// The same, where the place of that first one is known.
    #[inline]
    pub(crate) fn readable_from(&self, read: EventId, first: usize) -> SmallVec<[Readable; 8]> {
        let event = self.event(read);
        let location = event.location.expect("a read has a location");
        let writes = &self.location(location).writes;
        let mut readable = SmallVec::new();
        let mut store = self.store_at(location, first);
        for position in first..=writes.len() {
            let value = self.value_of(location, store);
            let next = writes.get(position).copied();
            if event.label.is_satisfied(value) {
                let is_write = event.label.writes(value);
                let is_free = !is_write || !self.is_held(read, store, next);
                readable.push(Readable { store, is_write, is_free });
            }
            if let Some(next) = next {
                store = ReadsFrom::Event(next);
            }
        }
        readable
    }

    /// Whether another read-modify-write reads the store, and cannot be made to read from `read`'s write; `next` is the next store.
    #[inline]
    fn is_held(&self, read: EventId, store: ReadsFrom, next: Option<EventId>) -> bool {
        // Its write stands directly after the store.
        let Some(next) = next else { return false };
        let holder = self.event(next);
        let is_holder = holder.is_rmw() && holder.reads_from == store;
        is_holder && (!holder.is_revisitable || self.is_in_porf(next, read))
    }

    /// The stores after which a plain write that is not yet in the modification order may stand, oldest first: none that is before a
    /// store that it knows, and not between a store and the read-modify-write that read it.
    #[inline]
    pub(crate) fn writable(&self, write: EventId) -> SmallVec<[ReadsFrom; 8]> {
        let location = self.event(write).location.expect("a write has a location");
        self.writable_from(write, self.last_known(location, self.hb(write)))
    }

    /// The same, where the place of the last store that it knows is known.
    #[inline]
    pub(crate) fn writable_from(&self, write: EventId, first: usize) -> SmallVec<[ReadsFrom; 8]> {
        let event = self.event(write);
        let location = event.location.expect("a write has a location");
        let writes = &self.location(location).writes;
        (first..=writes.len())
            .filter(|&position| {
                writes.get(position).is_none_or(|&next| {
                    let next = self.event(next);
                    !next.is_rmw() || next.reads_from != self.store_at(location, position)
                })
            })
            .map(|position| self.store_at(location, position))
            .collect()
    }

    /// Whether a read-modify-write shares the store that it reads with another one.
    pub(crate) fn has_rival(&self, id: EventId) -> bool {
        let event = self.event(id);
        match event.location {
            Some(location) if event.is_rmw() => self.holders(location, event.reads_from, id).next().is_some(),
            _ => false,
        }
    }

    /// Whether the location of this access is accessed both as an atomic and as a cell.
    #[inline]
    pub(crate) fn is_mixed(&self, id: EventId) -> bool {
        self.event(id).location.is_some_and(|location| {
            let known = self.location(location);
            let has_atomics = !known.writes.is_empty() || !known.reads.is_empty();
            has_atomics && !known.cells.is_empty()
        })
    }

    /// An access that conflicts with this one, where one of the two is not atomic, and that is not ordered with it: the first access as a cell, or
    /// else the first store, or load. `unsync_load` and `with_mut` access atomics as cells.
    #[inline]
    pub(crate) fn race_with(&self, id: EventId) -> Option<EventId> {
        let event = self.event(id);
        let location = self.location(event.location?);
        let is_cell = matches!(event.label, Label::Access(Action::BeginCell { .. }));
        if !is_cell && location.cells.is_empty() {
            return None;
        }
        let atomic = is_cell.then(|| location.writes.iter().chain(&location.reads)).into_iter().flatten();
        location.cells.iter().chain(atomic).copied().find(|&other| {
            let rival = self.event(other);
            other != id
                && (writes(event) || writes(rival))
                && !rival.is_in(self.hb(id))
                && !event.is_in(self.hb(other))
        })
    }
}

/// Whether it writes, as an atomic or as a cell.
fn writes(event: &Event) -> bool {
    event.is_write || matches!(event.label, Label::Access(Action::BeginCell { is_write: true }))
}
