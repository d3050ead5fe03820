//! Sets of events.

use crate::event::{self, Event, Events, Witness, note};
use crate::{Epoch, Keep};

/// Past events of a kind.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EventSet {
    /// In the order in which they were added. No two of them are one.
    events: Vec<Event>,
    keep: Keep,
}

impl EventSet {
    /// A set without events, which keeps all.
    pub const fn new() -> Self {
        Self::keeping(Keep::All)
    }

    /// A set without events, which keeps these.
    pub const fn keeping(keep: Keep) -> Self {
        Self { events: Vec::new(), keep }
    }

    /// How many events it has.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        if self.events.is_empty() {
            note(Witness::Empty(None));
        }
        self.events.is_empty()
    }

    /// Its events, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Event> {
        self.events.iter()
    }

    /// Adds an event, which it may have already. Cost: the number of events.
    pub fn add(&mut self, event: &Event) {
        if self.has(event) {
            return;
        }
        if self.keep == Keep::Last {
            // One that still runs, as this one is called by it, returns after this one does.
            let is_kept = |known: &Event| {
                known.thread != event.thread || known.number > event.number || known.end.is_none()
            };
            self.events.retain(is_kept);
        }
        self.events.push(event.clone());
    }

    fn has(&self, event: &Event) -> bool {
        self.events.iter().any(|known| known.is(event))
    }

    /// An event of it ends there; nothing, if it is not kept.
    pub(crate) fn end(&mut self, event: &Event, end: Epoch) {
        if self.keep == Keep::Last && self.has(event) {
            // Those that it called have returned before.
            self.events.retain(|known| known.thread != event.thread || known.number <= event.number);
        }
        self.events.iter_mut().filter(|known| known.is(event)).for_each(|known| known.end = Some(end));
    }

    /// Takes events out.
    pub(crate) fn retain(&mut self, is_kept: impl FnMut(&Event) -> bool) {
        self.events.retain(is_kept);
    }

    /// Whether each of its events happens before each of the others, but for itself. No events happen before everything.
    pub fn happens_before(&self, others: impl Events) -> bool {
        event::happens_before(self, &others)
    }

    /// Whether one of its events is concurrent with one of the others. No events are concurrent with nothing.
    pub fn concurrent(&self, others: impl Events) -> bool {
        event::concurrent(self, &others)
    }

    /// The events that are in it or among the others.
    pub fn union(&self, others: impl Events) -> Self {
        let mut union = Self { keep: Keep::All, ..self.clone() };
        others.each(&mut |event| union.add(event));
        union
    }

    /// The events that are in it and among the others.
    pub fn intersection(&self, others: impl Events) -> Self {
        let mut common = Self::new();
        others.each(&mut |event| {
            if self.has(event) {
                common.add(event);
            }
        });
        common
    }
}

impl Events for EventSet {
    fn each(&self, visit: &mut dyn FnMut(&Event)) {
        self.events.iter().for_each(visit);
    }
}

/// The events that are in one of the sets: `union([prod, cons])`.
pub fn union<E: Events>(sets: impl IntoIterator<Item = E>) -> EventSet {
    sets.into_iter().fold(EventSet::new(), |union, set| union.union(set))
}

/// The events that are in each of the sets: `intersection([prod, cons])`. Of no sets it has none.
pub fn intersection<E: Events>(sets: impl IntoIterator<Item = E>) -> EventSet {
    let mut sets = sets.into_iter();
    let first = sets.next().map(|set| EventSet::new().union(set)).unwrap_or_default();
    sets.fold(first, |common, set| common.intersection(set))
}
