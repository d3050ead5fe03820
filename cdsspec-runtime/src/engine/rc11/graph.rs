//! Execution graphs.

use super::clock::Clock;
use super::event::{Event, EventId, Label, LocationIndex, ReadsFrom, ThreadIndex};
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

/// An execution graph: events in order of insertion, the events of each thread, and those of each location.
///
/// A thread has entries from its creation on. An event is recomputed from its predecessor in its thread and its rf alone.
#[derive(Clone, Default, Debug)]
pub(super) struct Graph {
    pub(super) events: Vec<Event>,
    pub(super) threads: Vec<Vec<EventId>>,
    /// The event that created each thread; `None` for the main thread and for unused numbers.
    pub(super) creators: Vec<Option<EventId>>,
    pub(super) locations: Vec<LocationEvents>,
    /// The yields of each thread that are not in a loop that only reads: how many events it had, and how many yields with as many it
    /// had before. They depend on what the thread had read until then.
    passed: Vec<Vec<(u16, u16)>>,
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
        Self { threads: vec![Vec::new()], creators: vec![None], ..Self::default() }
    }

    pub(super) fn event(&self, id: EventId) -> &Event {
        &self.events[id as usize]
    }

    pub(super) fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.events[id as usize]
    }

    pub(super) fn location(&self, location: LocationIndex) -> &LocationEvents {
        &self.locations[location as usize]
    }

    /// Adds an event at the end of its thread, with its clocks, not yet in the modification order.
    pub(super) fn push(&mut self, mut event: Event) -> EventId {
        let id = EventId::try_from(self.events.len()).expect("a graph has fewer than 2^32 events");
        event.index =
            u16::try_from(self.threads[event.thread].len()).expect("checked by the limit of events");
        if let Some(location) = event.label.location() {
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
        self.threads[event.thread].push(id);
        self.events.push(event);
        self.recompute(id);
        id
    }

    /// A number for a new thread: the smallest that is not in use. Its creating event must be pushed next.
    pub(super) fn new_thread(&mut self) -> ThreadIndex {
        let unused = (1..self.threads.len()).find(|&thread| self.creators[thread].is_none());
        unused.unwrap_or_else(|| {
            self.threads.push(Vec::new());
            self.creators.push(None);
            self.threads.len() - 1
        })
    }

    /// Whether it is known that a thread goes on at this yield.
    pub(super) fn is_passed(&self, thread: ThreadIndex, point: (u16, u16)) -> bool {
        self.passed.get(thread).is_some_and(|passed| passed.contains(&point))
    }

    /// A thread goes on at this yield.
    pub(super) fn note_passed(&mut self, thread: ThreadIndex, point: (u16, u16)) {
        if self.passed.len() <= thread {
            self.passed.resize_with(thread + 1, Vec::new);
        }
        self.passed[thread].push(point);
    }

    /// An event sees something else: what its thread did after it is not known any more.
    pub(super) fn forget_passed(&mut self, id: EventId) {
        let (thread, index) = (self.event(id).thread, self.event(id).index);
        if let Some(passed) = self.passed.get_mut(thread) {
            passed.retain(|(count, _)| *count <= index);
        }
    }

    /// The value that a read of `location` from this store sees.
    pub(super) fn value_of(&self, location: LocationIndex, store: ReadsFrom) -> u64 {
        match store {
            ReadsFrom::Event(id) => self.event(id).value,
            ReadsFrom::Initial | ReadsFrom::Bottom => self.location(location).initial,
        }
    }

    /// The place of a store in the modification order; the initial store is at 0.
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
    pub(super) fn last_known(&self, location: LocationIndex, clock: &Clock) -> usize {
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

    /// The clock of an event without what it reads: its predecessor's, and itself.
    pub(super) fn hb_without_read(&self, id: EventId) -> Clock {
        let event = self.event(id);
        let mut clock = self
            .predecessor_clocks(event.thread, event.index)
            .map_or_else(Clock::default, |before| before.hb);
        clock.set(event.thread, event.index + 1);
        clock
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
        let location = self.event(id).label.location().expect("a write has a location");
        let position = self.position(location, after);
        self.locations[location as usize].writes.insert(position, id);
    }

    /// Takes a write out of the modification order.
    pub(super) fn remove_write(&mut self, id: EventId) {
        let location = self.event(id).label.location().expect("a write has a location");
        self.locations[location as usize].writes.retain(|&write| write != id);
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
        self.forget_passed(id);
        let written = self.written(id);
        let event = self.event_mut(id);
        event.is_write = written.is_some();
        event.value = written.unwrap_or(0);
        self.recompute(id);
    }

    /// What a read writes, given what it reads from.
    pub(super) fn written(&self, id: EventId) -> Option<u64> {
        let event = self.event(id);
        let location = event.label.location()?;
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
        let keep = |id: &EventId| *id <= last;
        for event in &self.events[last as usize + 1..] {
            if let Label::Create { child } = event.label {
                self.creators[child] = None;
            }
        }
        self.events.truncate(last as usize + 1);
        for thread in &mut self.threads {
            let kept = thread.partition_point(keep);
            thread.truncate(kept);
        }
        for (passed, thread) in self.passed.iter_mut().zip(&self.threads) {
            passed.retain(|(count, _)| usize::from(*count) <= thread.len());
        }
        for location in &mut self.locations {
            location.writes.retain(keep);
            let kept = location.reads.partition_point(keep);
            location.reads.truncate(kept);
            let kept = location.cells.partition_point(keep);
            location.cells.truncate(kept);
        }
    }

    /// Whether `id` is in sb ∪ rf before `of`, or `of` itself.
    pub(super) fn is_in_porf(&self, id: EventId, of: EventId) -> bool {
        self.event(id).is_in(&self.event(of).porf)
    }

    /// A copy of the events that `keep` keeps: a prefix of every thread, closed under rf but for the read that is about to change.
    /// Events keep their order; also the new id of `follow`.
    ///
    /// `copy` is a graph that is no longer needed, for its memory.
    pub(super) fn filtered(
        &self,
        mut copy: Self,
        keep: impl Fn(EventId) -> bool,
        follow: [EventId; 2],
    ) -> (Self, [EventId; 2]) {
        let mut new_ids: SmallVec<[EventId; 64]> = smallvec::smallvec![EventId::MAX; self.events.len()];
        copy.events.clear();
        copy.threads.iter_mut().for_each(Vec::clear);
        copy.threads.resize_with(self.threads.len(), Vec::new);
        copy.creators.clear();
        copy.creators.resize(self.threads.len(), None);
        copy.locations.resize_with(self.locations.len(), LocationEvents::default);
        for (old, event) in self.events.iter().enumerate() {
            if !keep(old as EventId) {
                continue;
            }
            let new = copy.events.len() as EventId;
            new_ids[old] = new;
            copy.threads[event.thread].push(new);
            if let Label::Create { child } = event.label {
                copy.creators[child] = Some(new);
            }
            copy.events.push(event.clone());
        }
        copy.passed.resize_with(self.passed.len(), Vec::new);
        for (thread, (passed, copied)) in self.passed.iter().zip(&mut copy.passed).enumerate() {
            copied.clear();
            let count = copy.threads[thread].len();
            copied.extend(passed.iter().filter(|(before, _)| usize::from(*before) <= count));
        }
        for event in &mut copy.events {
            if let ReadsFrom::Event(store) = event.reads_from {
                // The read that is about to change may lose its store.
                event.reads_from = match new_ids[store as usize] {
                    EventId::MAX => ReadsFrom::Bottom,
                    new => ReadsFrom::Event(new),
                };
            }
        }
        let renumber = |ids: &[EventId], copied: &mut Vec<EventId>| {
            copied.clear();
            copied.extend(ids.iter().map(|&id| new_ids[id as usize]).filter(|&id| id != EventId::MAX));
        };
        for (location, copied) in self.locations.iter().zip(&mut copy.locations) {
            copied.initial = location.initial;
            renumber(&location.writes, &mut copied.writes);
            renumber(&location.reads, &mut copied.reads);
            renumber(&location.cells, &mut copied.cells);
        }
        (copy, follow.map(|id| new_ids[id as usize]))
    }

    /// Computes the clocks of an event from its predecessor in its thread and its rf.
    pub(super) fn recompute(&mut self, id: EventId) {
        let event = self.event(id);
        let before = self.predecessor_clocks(event.thread, event.index).unwrap_or_default();
        let Clocks { mut porf, mut hb, mut release_fence, mut pending_acquire } = before;
        let order = event.label.order(event.is_write);
        let mut inherited = Clock::default();
        porf.set(event.thread, event.index + 1);
        hb.set(event.thread, event.index + 1);
        match (event.label, event.reads_from) {
            (Label::Join { child }, _) => {
                let last = self.end_clocks(child);
                porf.join(&last.porf);
                hb.join(&last.hb);
            }
            (Label::Fence { order }, _) => {
                if is_acquire(order) {
                    hb.join(&pending_acquire);
                }
                if is_release(order) {
                    release_fence = hb.clone();
                }
            }
            (_, ReadsFrom::Event(store)) => {
                let store = self.event(store);
                porf.join(&store.porf);
                pending_acquire.join(&store.released);
                if order.is_some_and(is_acquire) {
                    hb.join(&store.released);
                }
                inherited = store.released.clone();
            }
            _ => {}
        }
        let released = if event.is_write {
            let mut released = if order.is_some_and(is_release) { hb.clone() } else { release_fence.clone() };
            released.join(&inherited);
            released
        } else {
            Clock::default()
        };
        let event = self.event_mut(id);
        event.porf = porf;
        event.hb = hb;
        event.release_fence = release_fence;
        event.pending_acquire = pending_acquire;
        event.released = released;
    }

    /// What a thread knows at its end.
    fn end_clocks(&self, thread: ThreadIndex) -> Clocks {
        let count = self.threads[thread].len() as u16;
        self.predecessor_clocks(thread, count).unwrap_or_default()
    }

    /// What a thread knows before its event with this index.
    fn predecessor_clocks(&self, thread: ThreadIndex, index: u16) -> Option<Clocks> {
        if let Some(index) = index.checked_sub(1) {
            let event = self.event(self.threads[thread][index as usize]);
            return Some(Clocks {
                porf: event.porf.clone(),
                hb: event.hb.clone(),
                release_fence: event.release_fence.clone(),
                pending_acquire: event.pending_acquire.clone(),
            });
        }
        let creator = self.event(self.creators[thread]?);
        Some(Clocks { porf: creator.porf.clone(), hb: creator.hb.clone(), ..Clocks::default() })
    }
}

/// What a thread knows at some point.
#[derive(Default)]
struct Clocks {
    porf: Clock,
    hb: Clock,
    release_fence: Clock,
    pending_acquire: Clock,
}
