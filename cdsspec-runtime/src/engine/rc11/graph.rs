//! Execution graphs.

use super::clock::ClockKind::{Hb, Porf};
use super::clock::{Before, Clock, ClockKind, Clocks, Knowledge, Learnt};
use super::event::{Event, EventId, Label, LocationIndex, ReadsFrom, ThreadIndex};
use super::rows::Rows;
use smallvec::SmallVec;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// A location: its modification order, its reads, and the accesses of a cell.
#[derive(Clone, Default, Debug)]
pub(super) struct LocationEvents {
    /// The initial value in the last run.
    pub(super) initial: u64,
    /// The modification order, the initial store left out.
    pub(super) writes: Vec<EventId>,
    /// All reads, in order of stamp.
    pub(super) reads: Vec<EventId>,
    /// All accesses of a non-atomic location, in order of stamp.
    pub(super) cells: Vec<EventId>,
}

impl LocationEvents {
    pub(super) fn is_unused(&self) -> bool {
        self.writes.is_empty() && self.reads.is_empty() && self.cells.is_empty()
    }
}

/// The ids that the events of a graph have in a copy that leaves some out.
struct NewIds {
    /// Up to this event all keep their ids.
    last: EventId,
    /// Of the events after it; `LEFT_OUT`: none.
    later: SmallVec<[EventId; 32]>,
}

const LEFT_OUT: EventId = EventId::MAX;

/// Until it gets its new id.
const KEPT: EventId = EventId::MAX - 1;

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

/// An execution graph: events in order of insertion, the events of each thread, and those of each location.
///
/// A thread has entries from its creation on. An event is recomputed from its predecessor in its thread and its rf alone.
#[derive(Clone, Default, Debug)]
pub(super) struct Graph {
    pub(super) events: Vec<Event>,
    /// Of the first events; those of events at the end that access nothing may be put off.
    clocks: Clocks,
    pub(super) threads: Rows,
    /// The event that created each thread; `None` for the main thread and for unused numbers.
    pub(super) creators: Vec<Option<EventId>>,
    pub(super) locations: Vec<LocationEvents>,
    /// Whether any event may be SeqCst.
    pub(super) may_have_sc: bool,
}

pub(super) fn is_acquire(order: Ordering) -> bool {
    matches!(order, Acquire | AcqRel | SeqCst)
}

pub(super) fn is_release(order: Ordering) -> bool {
    matches!(order, Release | AcqRel | SeqCst)
}

impl Graph {
    /// The graph of a program that has not begun: a main thread without events.
    pub(super) fn new() -> Self {
        let mut graph = Self { creators: vec![None], ..Self::default() };
        graph.threads.add_thread();
        graph
    }

    #[inline]
    pub(super) fn event(&self, id: EventId) -> &Event {
        &self.events[id as usize]
    }

    #[inline]
    pub(super) fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.events[id as usize]
    }

    #[inline]
    pub(super) fn location(&self, location: LocationIndex) -> &LocationEvents {
        &self.locations[location as usize]
    }

    /// Adds an event at the end of its thread, not yet in the modification order.
    #[inline(always)]
    pub(super) fn push(&mut self, mut event: Event) -> EventId {
        let id = EventId::try_from(self.events.len()).expect("a graph has fewer than 2^32 events");
        let index = self.threads.push(event.thread, id);
        event.index = u16::try_from(index).expect("checked by the limit of events");
        if let Some(location) = event.location {
            let known = &mut self.locations[location as usize];
            match event.label {
                Label::Cell { .. } => known.cells.push(id),
                Label::Store { .. } => {}
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
    pub(super) fn new_thread(&mut self) -> ThreadIndex {
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
    pub(super) fn value_of(&self, location: LocationIndex, store: ReadsFrom) -> u64 {
        match store {
            ReadsFrom::Event(id) => self.event(id).value,
            ReadsFrom::Initial | ReadsFrom::Bottom => self.location(location).initial,
        }
    }

    /// The place of a store in the modification order; the initial store is at 0.
    #[inline]
    pub(super) fn position(&self, location: LocationIndex, store: ReadsFrom) -> usize {
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
    pub(super) fn store_at(&self, location: LocationIndex, position: usize) -> ReadsFrom {
        match position.checked_sub(1) {
            Some(index) => ReadsFrom::Event(self.location(location).writes[index]),
            None => ReadsFrom::Initial,
        }
    }

    /// The newest store of a location.
    pub(super) fn newest(&self, location: LocationIndex) -> ReadsFrom {
        self.store_at(location, self.location(location).writes.len())
    }

    /// The place of the last store that is in a clock, or that something in the clock reads. Coherence: what comes with this clock
    /// reads nothing older, and writes nothing before it. Reads that wait have read nothing.
    pub(super) fn last_known(&self, location: LocationIndex, clock: Clock<'_>) -> usize {
        let known = self.location(location);
        let written = known.writes.iter().rposition(|&write| self.event(write).is_in(clock));
        let mut last = written.map_or(0, |index| index + 1);
        for &read in &known.reads {
            let event = self.event(read);
            if event.is_in(clock) && event.reads_from != ReadsFrom::Bottom {
                last = last.max(self.position(location, event.reads_from));
            }
        }
        last
    }

    /// sb ∪ rf before an event, itself included.
    #[inline]
    pub(super) fn porf(&self, id: EventId) -> Clock<'_> {
        self.clocks.get(id, Porf)
    }

    /// What happens before an event, itself included.
    #[inline]
    pub(super) fn hb(&self, id: EventId) -> Clock<'_> {
        self.clocks.get(id, Hb)
    }

    /// A clock of an event.
    pub(super) fn clock(&self, id: EventId, kind: ClockKind) -> Clock<'_> {
        self.clocks.get(id, kind)
    }

    /// What happens before an event without what it reads: what its thread knew before, itself left out.
    pub(super) fn hb_before(&self, id: EventId) -> Clock<'_> {
        let event = self.event(id);
        match self.before(event.thread, event.index) {
            Before::Event(before) | Before::Creation(before) => self.hb(before),
            Before::Nothing => Clock::NOTHING,
        }
    }

    /// The read-modify-writes, other than `except`, that read from this store and write.
    pub(super) fn holders(
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
    pub(super) fn insert_write(&mut self, id: EventId, after: ReadsFrom) {
        let location = self.event(id).location.expect("a write has a location");
        let position = self.position(location, after);
        self.locations[location as usize].writes.insert(position, id);
    }

    /// Takes a write out of the modification order.
    pub(super) fn remove_write(&mut self, id: EventId) {
        let location = self.event(id).location.expect("a write has a location");
        let writes = &mut self.locations[location as usize].writes;
        if let Some(position) = writes.iter().rposition(|&write| write == id) {
            writes.remove(position);
        }
    }

    /// Makes a read read from a store. Whether it writes is known then, and what; the write has no place in the modification order
    /// until [`place_rmw`](Self::place_rmw).
    pub(super) fn set_read(&mut self, id: EventId, store: ReadsFrom, is_spurious: bool) {
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
    pub(super) fn written(&self, id: EventId) -> Option<u64> {
        let event = self.event(id);
        let location = event.location?;
        if event.is_spurious || event.reads_from == ReadsFrom::Bottom || !event.label.is_read() {
            return None;
        }
        event.label.written(self.value_of(location, event.reads_from))
    }

    /// Puts the write of a read-modify-write, if it writes, directly after the store that it reads. Whether it writes.
    pub(super) fn place_rmw(&mut self, id: EventId) -> bool {
        let event = self.event(id);
        if event.is_rmw() {
            self.insert_write(id, event.reads_from);
        }
        self.event(id).is_rmw()
    }

    /// Keeps the events up to and including this one.
    pub(super) fn cut_after(&mut self, last: EventId) {
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

    /// Whether `id` is in sb ∪ rf before `of`, or `of` itself.
    pub(super) fn is_in_porf(&self, id: EventId, of: EventId) -> bool {
        self.event(id).is_in(self.porf(of))
    }

    /// Makes `copy`, whatever it was, a copy of the events up to `last` and of those in sb ∪ rf before `write`: in all a prefix of every thread,
    /// closed under rf but for the read that is about to change. Events keep their order; also the new ids of `last` and `write`.
    pub(super) fn filter_into(&self, copy: &mut Self, last: EventId, write: EventId) -> [EventId; 2] {
        debug_assert_eq!(self.clocks.event_count(), self.events.len(), "cdsspec bug: clocks are missing");
        let (prefix, past) = (last as usize + 1, self.porf(write));
        copy.events.clear();
        copy.events.extend_from_slice(&self.events[..prefix]);
        copy.clocks.restart(&self.clocks);
        copy.clocks.extend_from(&self.clocks, 0..prefix);
        let later = SmallVec::from_elem(LEFT_OUT, self.events.len() - prefix);
        let mut new_ids = NewIds { last, later };
        for thread in 0..self.threads.len() {
            let kept = &self.threads[thread][..usize::from(past.get(thread))];
            for &id in kept.iter().rev().take_while(|&&id| id > last) {
                new_ids.later[id as usize - prefix] = KEPT;
            }
        }
        for (old, new_id) in (prefix..).zip(&mut new_ids.later) {
            if *new_id == KEPT {
                *new_id = copy.events.len() as EventId;
                copy.events.push(self.events[old]);
                copy.clocks.extend_from(&self.clocks, old..old + 1);
            }
        }
        copy.may_have_sc = self.may_have_sc;
        copy.renumber(self, &new_ids);
        [last, new_ids.get(write).expect("cdsspec bug: an event is in its own past")]
    }

    /// Gives rf, the threads and the locations of another graph the new ids.
    fn renumber(&mut self, other: &Self, new_ids: &NewIds) {
        for event in &mut self.events {
            if let ReadsFrom::Event(store) = event.reads_from
                && store > new_ids.last
            {
                // The read that is about to change may lose its store.
                event.reads_from = new_ids.get(store).map_or(ReadsFrom::Bottom, ReadsFrom::Event);
            }
        }
        self.threads.copy(&other.threads, new_ids.last, |id| new_ids.get(id));
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

    /// What is before an event, itself included, is not revisited any more.
    pub(super) fn fix_past(&mut self, id: EventId) {
        let past = self.clocks.get(id, Porf);
        for thread in 0..self.threads.len() {
            for &id in &self.threads[thread][..usize::from(past.get(thread))] {
                self.events[id as usize].is_revisitable = false;
            }
        }
    }

    /// Computes the clocks of the last events, where that was put off.
    pub(super) fn compute_clocks(&mut self) {
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
            (Label::Join { child }, _) => Learnt::End(self.before(*child, self.threads[*child].len() as u16)),
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
    fn before(&self, thread: ThreadIndex, index: u16) -> Before {
        match index.checked_sub(1) {
            Some(index) => Before::Event(self.threads[thread][usize::from(index)]),
            None => self.creators[thread].map_or(Before::Nothing, Before::Creation),
        }
    }
}
