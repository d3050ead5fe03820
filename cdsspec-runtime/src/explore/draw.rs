//! Samples: one execution after the other, whose choices are drawn.
//!
//! Each event is added once, and takes one of the choices that it may take in the graph so far; nothing is revisited. So a sample is a graph
//! of the model, since each step leaves it consistent. And each graph of the model can come: its events have an order that extends sb ∪ rf
//! (which has no cycle), all graphs on the way are consistent (models are closed under prefixes), and in each of them the next event may choose
//! what it has in the end, with the events that are there: a read one of the stores, a write its place between them. The threads
//! must come in that order, so whoever schedules them must be able to choose each that can go on; an event that waits is not added before
//! a store lets it go on.
//!
//! # Paper
//! Of the models that is what TruSt (POPL 2022, section 3) needs as well. Change points of reads are those of PCTWM (Gao, Chakraborty, Kulahcioglu
//! Ozkan, *Probabilistic concurrency testing for weak memory programs*, ASPLOS 2023), at all choices between stores.

use super::choices::Choices;
use super::seen::Seen;
use crate::graph::{
    Action, Event, EventId, Graph, Label, LocationEvents, LocationIndex, ReadsFrom, ThreadIndex,
    is_same_place,
};
use crate::random::Random;
use crate::record::Place;
use smallvec::SmallVec;

/// How the choices between stores of one sample are drawn.
#[derive(Clone, Debug)]
pub(crate) enum Reading {
    /// Each among all that there are.
    Any,
    /// The newest, but for the choices with these numbers, in ascending order: these among all, as above.
    NewestBut(Vec<u64>),
}

/// The choices of one sample.
#[derive(Debug)]
pub(super) struct Draws {
    random: Random,
    reading: Reading,
    /// How many times there was more than one store to read, or place to write.
    choice_count: u64,
    /// How many locations are in use; those behind them are of samples before.
    location_count: usize,
    /// Where threads have failed spuriously.
    failed: Vec<(ThreadIndex, Place)>,
    seen: Seen,
}

impl Default for Draws {
    fn default() -> Self {
        Self {
            random: Random::new(0),
            reading: Reading::Any,
            choice_count: 0,
            location_count: 0,
            failed: Vec::new(),
            seen: Seen::default(),
        }
    }
}

/// What an event may choose, oldest first.
type Candidates<T> = SmallVec<[T; 8]>;

/// A store to read, and whether the read fails spuriously.
type DrawnRead = (ReadsFrom, bool);

/// Which of some candidates is tried next.
#[derive(Clone, Copy)]
enum Pick {
    Any,
    Newest,
}

impl Draws {
    /// Takes the candidate that is tried next.
    fn take<T>(&mut self, candidates: &mut Candidates<T>, pick: Pick) -> Option<T> {
        let last = candidates.len().checked_sub(1)?;
        let index = match pick {
            Pick::Any => self.random.below(last + 1),
            Pick::Newest => last,
        };
        Some(candidates.remove(index))
    }

    /// How an event with so many candidates chooses.
    fn pick(&mut self, candidate_count: usize) -> Pick {
        if candidate_count < 2 {
            return Pick::Newest;
        }
        let number = self.choice_count;
        self.choice_count += 1;
        match &self.reading {
            Reading::Any => Pick::Any,
            Reading::NewestBut(points) if points.binary_search(&number).is_err() => Pick::Newest,
            Reading::NewestBut(_) => Pick::Any,
        }
    }
}

impl Draws {
    /// The program is about to run from its start.
    pub(super) fn begin(&mut self, graph: &mut Graph, random: Random, reading: Reading) {
        graph.restart();
        let mut seen = std::mem::take(&mut self.seen);
        seen.restart();
        *self = Self { random, reading, seen, ..Self::default() };
    }

    /// How many choices between stores there were.
    pub(super) fn choice_count(&self) -> u64 {
        self.choice_count
    }

    /// A number for a location that the sample does not know.
    pub(super) fn new_location(&mut self, graph: &mut Graph, initial: u64) -> LocationIndex {
        if self.location_count == graph.locations.len() {
            graph.locations.push(LocationEvents::default());
        }
        graph.locations[self.location_count].initial = initial;
        self.location_count += 1;
        self.location_count as LocationIndex - 1
    }

    /// The event, which was just added, takes one of its choices. A read that waits has none as long as no store lets it go on.
    pub(super) fn draw(&mut self, graph: &mut Graph, choices: Choices, id: EventId) {
        let event = graph.event(id);
        match (event.label, event.location) {
            (Label::Access(Action::BeginCell { .. }), _) => {}
            (Label::Access(Action::Store { .. }), Some(location)) => {
                self.draw_place(graph, choices, id, location)
            }
            (Label::Choice { count }, _) => {
                graph.event_mut(id).choice = self.random.below(count as usize) as u32
            }
            (label, Some(location)) if label.is_read() => self.draw_read(graph, choices, id, location),
            _ => {}
        }
    }

    fn draw_read(&mut self, graph: &mut Graph, choices: Choices, id: EventId, location: LocationIndex) {
        let has_spurious = choices.may_fail(graph.event(id)) && !self.has_failed(graph.event(id));
        let newest = graph.newest(location);
        let first = match choices.axioms.has_stale_reads() {
            true => self.seen.last_known(graph, location, graph.hb_before(id)),
            false => graph.location(location).writes.len(),
        };
        let mut candidates = graph.reads(id, first, has_spurious);
        let pick = self.pick(candidates.len());
        while let Some((store, is_spurious)) = self.take(&mut candidates, pick) {
            graph.set_read(id, store, is_spurious);
            graph.place_rmw(id);
            // What reads the newest store is consistent in each model.
            if store == newest || choices.axioms.is_consistent(graph) {
                self.seen.note(graph, id);
                if is_spurious {
                    let event = graph.event(id);
                    self.failed.push((event.thread, event.place));
                }
                return;
            }
        }
        graph.set_read(id, ReadsFrom::Bottom, false);
    }

    /// At most one spurious failure per place and thread.
    fn has_failed(&self, event: &Event) -> bool {
        let is_there = |(thread, place): &(ThreadIndex, Place)| {
            *thread == event.thread && is_same_place(place, &event.place)
        };
        self.failed.iter().any(is_there)
    }

    fn draw_place(&mut self, graph: &mut Graph, choices: Choices, id: EventId, location: LocationIndex) {
        let newest = graph.newest(location);
        let mut candidates: Candidates<ReadsFrom> = match choices.axioms.has_stale_reads() {
            true => graph.writable_from(id, self.seen.last_known(graph, location, graph.hb(id))),
            false => std::iter::once(newest).collect(),
        };
        let pick = self.pick(candidates.len());
        while let Some(after) = self.take(&mut candidates, pick) {
            graph.insert_write(id, after);
            // What stands last is consistent in each model.
            if after == newest || choices.axioms.is_consistent(graph) {
                self.seen.note(graph, id);
                return;
            }
            graph.remove_write(id);
        }
    }
}

impl Graph {
    /// What a read may read, oldest first. No other event changes any more: a store that a read-modify-write has read is no other one's.
    /// `first` is the place of the last store that it knows.
    fn reads(&self, read: EventId, first: usize, has_spurious: bool) -> Candidates<DrawnRead> {
        let location = self.event(read).location.expect("a read has a location");
        let mut reads = Candidates::new();
        for readable in self.readable_from(read, first) {
            let is_held = || {
                let next = self.location(location).writes.get(self.position(location, readable.store));
                next.map(|&next| self.event(next))
                    .is_some_and(|next| next.is_rmw() && next.reads_from == readable.store)
            };
            if readable.is_write && has_spurious {
                reads.push((readable.store, true));
            }
            if !readable.is_write || !is_held() {
                reads.push((readable.store, false));
            }
        }
        reads
    }
}
