//! Execution graphs: events, what they read, the order of the stores of each location, and clocks.
//!
//! A graph knows no memory model and no program: [`memory_model`](crate::memory_model) says which graphs are consistent,
//! [`explore`](crate::explore) which come next, [`run`](crate::run) runs programs under them.

#![forbid(unsafe_code)]

mod clock;
mod copy;
mod event;
mod id;
mod rows;
#[cfg(all(feature = "checks-graphs", debug_assertions))]
mod valid;

pub(crate) use crate::port::Action;
pub(crate) use clock::{ClockKind, EventClock};
pub(crate) use event::{Event, Label, ReadsFrom, is_same_place};
pub(crate) use id::{EventId, LocationIndex, ThreadIndex};

use clock::ClockKind::{Hb, Porf};
use clock::{Before, Clocks, Knowledge, Learnt};
use rows::Rows;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// A location: its modification order, its reads, and the accesses of a cell.
#[derive(Clone, Default, Debug)]
pub(crate) struct LocationEvents {
    /// The initial value in the last run.
    pub(crate) initial: u64,
    /// The modification order, the initial store left out.
    pub(crate) writes: Vec<EventId>,
    /// All reads, in order of stamp.
    pub(crate) reads: Vec<EventId>,
    /// All accesses of a non-atomic location, in order of stamp.
    pub(crate) cells: Vec<EventId>,
}

impl LocationEvents {
    /// Makes it one without events, in the memory that it has.
    fn restart(&mut self) {
        self.writes.clear();
        self.reads.clear();
        self.cells.clear();
    }

    pub(crate) fn is_unused(&self) -> bool {
        self.writes.is_empty() && self.reads.is_empty() && self.cells.is_empty()
    }
}

/// An execution graph: events in order of insertion, the events of each thread, and those of each location.
///
/// A thread has entries from its creation on. An event is recomputed from its predecessor in its thread and its rf alone.
#[derive(Clone, Default, Debug)]
pub(crate) struct Graph {
    pub(crate) events: Vec<Event>,
    /// Of the first events; those of events at the end that access nothing may be put off.
    clocks: Clocks,
    pub(crate) threads: Rows,
    /// The event that created each thread; `None` for the main thread and for unused numbers.
    pub(crate) creators: Vec<Option<EventId>>,
    pub(crate) locations: Vec<LocationEvents>,
    /// The memory of the table that the next copy into this graph needs.
    scratch: Vec<EventId>,
    /// Whether any event may be SeqCst.
    pub(crate) may_have_sc: bool,
}

pub(crate) fn is_acquire(order: Ordering) -> bool {
    matches!(order, Acquire | AcqRel | SeqCst)
}

pub(crate) fn is_release(order: Ordering) -> bool {
    matches!(order, Release | AcqRel | SeqCst)
}

impl Graph {
    /// The graph of a program that has not begun: a main thread without events.
    pub(crate) fn new() -> Self {
        let mut graph = Self { creators: vec![None], ..Self::default() };
        graph.threads.add_thread();
        graph
    }

    /// Makes it [`new`](Self::new), in the memory that it has; its locations are unused.
    pub(crate) fn restart(&mut self) {
        self.events.clear();
        self.clocks.clear();
        self.threads.clear();
        self.threads.add_thread();
        self.creators.clear();
        self.creators.push(None);
        self.locations.iter_mut().for_each(LocationEvents::restart);
        self.may_have_sc = false;
    }

    #[inline]
    pub(crate) fn event(&self, id: EventId) -> &Event {
        &self.events[id as usize]
    }

    #[inline]
    pub(crate) fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.events[id as usize]
    }

    #[inline]
    pub(crate) fn location(&self, location: LocationIndex) -> &LocationEvents {
        &self.locations[location as usize]
    }

    /// Adds an event at the end of its thread, not yet in the modification order.
    #[inline(always)]
    pub(crate) fn push(&mut self, mut event: Event) -> EventId {
        let id = EventId::try_from(self.events.len()).expect("a graph has fewer than 2^32 events");
        let index = self.threads.push(event.thread, id);
        event.index = u32::try_from(index).expect("checked by the limit of events");
        if let Some(location) = event.location {
            let known = &mut self.locations[location as usize];
            match event.label {
                Label::Access(Action::BeginCell { .. }) => known.cells.push(id),
                Label::Access(Action::Store { .. }) => {}
                _ => known.reads.push(id),
            }
        }
        if let Label::Create { child } = event.label {
            self.creators[child] = Some(id);
        }
        self.may_have_sc |= event.label.may_be_sc();
        // Others need clocks only if something comes after them.
        let needs_clocks = event.location.is_some() || matches!(event.label, Label::Fence { .. });
        self.events.push(event);
        if needs_clocks {
            self.compute_clocks();
        }
        id
    }

    /// A number for a new thread: the smallest that is not in use. Its creating event must be pushed next.
    pub(crate) fn new_thread(&mut self) -> ThreadIndex {
        let unused = (1..self.threads.len()).find(|&thread| self.creators[thread].is_none());
        unused.unwrap_or_else(|| {
            self.threads.add_thread();
            self.creators.push(None);
            self.clocks.widen(self.threads.len());
            self.threads.len() - 1
        })
    }

    /// The value that a read of `location` from this store sees.
    #[inline]
    pub(crate) fn value_of(&self, location: LocationIndex, store: ReadsFrom) -> u64 {
        match store {
            ReadsFrom::Event(id) => self.event(id).value,
            ReadsFrom::Initial | ReadsFrom::Bottom => self.location(location).initial,
        }
    }

    /// The place of a store in the modification order; the initial store is at 0.
    #[inline]
    pub(crate) fn position(&self, location: LocationIndex, store: ReadsFrom) -> usize {
        match store {
            ReadsFrom::Event(id) => {
                let writes = &self.location(location).writes;
                1 + writes.iter().rposition(|&write| write == id).expect("cdsspec bug: a store is in mo")
            }
            ReadsFrom::Initial | ReadsFrom::Bottom => 0,
        }
    }

    /// The store at a place of the modification order.
    #[inline]
    pub(crate) fn store_at(&self, location: LocationIndex, position: usize) -> ReadsFrom {
        match position.checked_sub(1) {
            Some(index) => ReadsFrom::Event(self.location(location).writes[index]),
            None => ReadsFrom::Initial,
        }
    }

    /// The newest store of a location.
    pub(crate) fn newest(&self, location: LocationIndex) -> ReadsFrom {
        self.store_at(location, self.location(location).writes.len())
    }

    /// The place of the last store that is in a clock, or that something in the clock reads. Coherence: what comes with this clock
    /// reads nothing older, and writes nothing before it. Reads that wait have read nothing.
    pub(crate) fn last_known(&self, location: LocationIndex, clock: EventClock<'_>) -> usize {
        let known = self.location(location);
        let written = known.writes.iter().rposition(|&write| self.event(write).is_in(clock));
        let mut last = written.map_or(0, |index| index + 1);
        for &read in known.reads.iter().rev() {
            // Only what is newer than the last one matters; the newest reads mostly read the newest stores.
            let newer = &known.writes[last..];
            if newer.is_empty() {
                break;
            }
            let event = self.event(read);
            if let ReadsFrom::Event(store) = event.reads_from
                && event.is_in(clock)
                && let Some(index) = newer.iter().rposition(|&write| write == store)
            {
                last += index + 1;
            }
        }
        last
    }

    /// sb ∪ rf before an event, itself included.
    #[inline]
    pub(crate) fn porf(&self, id: EventId) -> EventClock<'_> {
        self.clocks.get(id, Porf)
    }

    /// What happens before an event, itself included.
    #[inline]
    pub(crate) fn hb(&self, id: EventId) -> EventClock<'_> {
        self.clocks.get(id, Hb)
    }

    /// A clock of an event.
    pub(crate) fn clock(&self, id: EventId, kind: ClockKind) -> EventClock<'_> {
        self.clocks.get(id, kind)
    }

    /// What happens before an event without what it reads: what its thread knew before, itself left out.
    pub(crate) fn hb_before(&self, id: EventId) -> EventClock<'_> {
        let event = self.event(id);
        match self.before(event.thread, event.index) {
            Before::Event(before) | Before::Creation(before) => self.hb(before),
            Before::Nothing => EventClock::NOTHING,
        }
    }

    /// The read-modify-writes, other than `except`, that read from this store and write.
    pub(crate) fn holders(
        &self,
        location: LocationIndex,
        store: ReadsFrom,
        except: EventId,
    ) -> impl Iterator<Item = EventId> + '_ {
        self.location(location).reads.iter().copied().filter(move |&read| {
            let event = self.event(read);
            read != except && event.is_write && event.reads_from == store
        })
    }

    /// Puts a write directly after a store in the modification order.
    pub(crate) fn insert_write(&mut self, id: EventId, after: ReadsFrom) {
        let location = self.event(id).location.expect("a write has a location");
        let position = self.position(location, after);
        self.locations[location as usize].writes.insert(position, id);
    }

    /// Takes a write out of the modification order.
    pub(crate) fn remove_write(&mut self, id: EventId) {
        let location = self.event(id).location.expect("a write has a location");
        let writes = &mut self.locations[location as usize].writes;
        if let Some(position) = writes.iter().rposition(|&write| write == id) {
            writes.remove(position);
        }
    }

    /// Makes a read read from a store. Whether it writes is known then, and what; the write has no place in the modification order
    /// until [`place_rmw`](Self::place_rmw).
    pub(crate) fn set_read(&mut self, id: EventId, store: ReadsFrom, is_spurious: bool) {
        if self.event(id).is_rmw() {
            self.remove_write(id);
        }
        let event = self.event_mut(id);
        event.reads_from = store;
        event.is_spurious = is_spurious;
        let written = self.written(id);
        let event = self.event_mut(id);
        event.is_write = written.is_some();
        event.value = written.unwrap_or(0);
        self.recompute(id);
    }

    /// What a read writes, given what it reads from.
    #[inline]
    pub(crate) fn written(&self, id: EventId) -> Option<u64> {
        let event = self.event(id);
        let location = event.location?;
        if event.is_spurious || event.reads_from == ReadsFrom::Bottom || !event.label.is_read() {
            return None;
        }
        event.label.written(self.value_of(location, event.reads_from))
    }

    /// Whether the event is a wait that is not over: it reads no store, or one that it does not wait for.
    #[inline]
    pub(crate) fn is_waiting(&self, id: EventId) -> bool {
        let event = self.event(id);
        let (true, Some(location)) = (event.label.is_wait(), event.location) else { return false };
        let is_over = |store| event.label.is_satisfied(self.value_of(location, store));
        event.reads_from == ReadsFrom::Bottom || !is_over(event.reads_from)
    }

    /// Puts the write of a read-modify-write, if it writes, directly after the store that it reads. Whether it writes.
    pub(crate) fn place_rmw(&mut self, id: EventId) -> bool {
        let event = self.event(id);
        if event.is_rmw() {
            self.insert_write(id, event.reads_from);
        }
        self.event(id).is_rmw()
    }

    /// Keeps the events up to and including this one.
    pub(crate) fn cut_after(&mut self, last: EventId) {
        let truncate = |ids: &mut Vec<EventId>| {
            while ids.last().is_some_and(|&id| id > last) {
                ids.pop();
            }
        };
        for event in &self.events[last as usize + 1..] {
            if let Label::Create { child } = event.label {
                self.creators[child] = None;
            }
        }
        self.events.truncate(last as usize + 1);
        self.clocks.truncate(last as usize + 1);
        self.threads.truncate_after(last);
        for location in &mut self.locations {
            location.writes.retain(|&id| id <= last);
            truncate(&mut location.reads);
            truncate(&mut location.cells);
        }
    }

    /// Takes the last event away, which reads and has read nothing.
    pub(crate) fn take_back(&mut self, last: EventId) {
        let event = self.event(last);
        let (thread, location) = (event.thread, event.location.expect("a read has a location"));
        self.locations[location as usize].reads.pop();
        self.events.truncate(last as usize);
        self.clocks.truncate(last as usize);
        self.threads.pop(thread);
    }

    /// Whether `id` is in sb ∪ rf before `of`, or `of` itself.
    pub(crate) fn is_in_porf(&self, id: EventId, of: EventId) -> bool {
        self.event(id).is_in(self.porf(of))
    }

    /// What is before an event, itself included, is not revisited any more.
    pub(crate) fn fix_past(&mut self, id: EventId) {
        let past = self.clocks.get(id, Porf);
        for thread in 0..self.threads.len() {
            for &id in &self.threads[thread][..past.get(thread) as usize] {
                self.events[id as usize].is_revisitable = false;
            }
        }
    }

    /// Computes the clocks of the last events, where that was put off.
    pub(crate) fn compute_clocks(&mut self) {
        for id in self.clocks.event_count()..self.events.len() {
            let knowledge = self.knowledge(id as EventId);
            self.clocks.push(&knowledge);
        }
    }

    /// Computes the clocks of an event anew.
    fn recompute(&mut self, id: EventId) {
        let knowledge = self.knowledge(id);
        self.clocks.set(id, &knowledge);
    }

    /// What the clocks of an event depend on: its predecessor in its thread, and its rf.
    #[inline]
    fn knowledge(&self, id: EventId) -> Knowledge {
        let event = self.event(id);
        let order = event.label.order(event.is_write);
        let (is_acquire, is_release) = (order.is_some_and(is_acquire), order.is_some_and(is_release));
        let learnt = match (&event.label, event.reads_from) {
            (Label::Join { child }, _) => Learnt::End(self.before(*child, self.threads[*child].len() as u32)),
            (Label::Fence { .. }, _) => Learnt::Fence { is_acquire, is_release },
            (_, ReadsFrom::Event(store)) => Learnt::Store { store, is_acquire },
            _ => Learnt::Nothing,
        };
        Knowledge {
            thread: event.thread,
            count: event.index + 1,
            before: self.before(event.thread, event.index),
            learnt,
            is_write: event.is_write,
            is_release,
        }
    }

    /// What is before the event of a thread with this index.
    #[inline]
    fn before(&self, thread: ThreadIndex, index: u32) -> Before {
        match index.checked_sub(1) {
            Some(index) => Before::Event(self.threads[thread][index as usize]),
            None => self.creators[thread].map_or(Before::Nothing, Before::Creation),
        }
    }
}
