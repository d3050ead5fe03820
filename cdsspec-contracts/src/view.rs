//! What the conditions of a contract look at: the sets of the object, and the current event.

use crate::event::{self, Event, Events, Witness, note};
use crate::{Contract, EventSet, Kept};
use std::cell::RefCell;

/// The sets of an object, by the order of a contract's, and the event whose conditions are looked at.
pub struct View<'a> {
    contract: &'static Contract,
    sets: &'a [RefCell<EventSet>],
    /// Which of them the contract's are, in its order; nothing, if they are these.
    order: &'a [usize],
    now: &'a Event,
}

impl<'a> View<'a> {
    /// Of these sets, of which the contract's are those with these indices; none: they are in the order of the contract's.
    pub fn of(
        contract: &'static Contract,
        (sets, order): (&'a [RefCell<EventSet>], &'a [usize]),
        now: &'a Event,
    ) -> Self {
        Self { contract, sets, order, now }
    }

    /// The current event.
    pub fn now(&self) -> &'a Event {
        self.now
    }

    /// A set, by its index in the contract.
    ///
    /// # Panics
    /// If the contract has fewer sets: a bug of the macro.
    pub fn set(&self, index: usize) -> Set<'a> {
        let place = self.order.get(index).copied().unwrap_or(index);
        Set { name: self.contract.sets[index].name, contents: &self.sets[place], now: self.now }
    }
}

/// Sets of a contract, without events.
pub fn empty_sets(contract: &Contract) -> Vec<RefCell<EventSet>> {
    contract.sets.iter().map(|set| RefCell::new(EventSet::keeping(set.keep))).collect()
}

/// A set of the object, as conditions name it. The same questions as to an [`EventSet`], and what is added is there for the next condition.
#[derive(Clone, Copy)]
pub struct Set<'a> {
    name: &'static str,
    contents: &'a RefCell<EventSet>,
    now: &'a Event,
}

impl Set<'_> {
    /// How many events it has.
    pub fn len(&self) -> usize {
        let length = self.contents.borrow().len();
        if length == 0 {
            note(Witness::Empty(Some(self.name)));
        }
        length
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an event, which it may have already.
    pub fn add(&self, event: &Event) {
        self.contents.borrow_mut().add(event);
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
    pub fn union(&self, others: impl Events) -> EventSet {
        self.contents.borrow().union(others)
    }

    /// The events that are in it and among the others.
    pub fn intersection(&self, others: impl Events) -> EventSet {
        self.contents.borrow().intersection(others)
    }
}

impl Events for Set<'_> {
    fn each(&self, visit: &mut dyn FnMut(&Event)) {
        self.contents.borrow().each(visit);
    }
}

/// Adds the current event to a set, and holds: so it can be a part of a condition.
///
/// # Paper
/// CSV, section V.2.1: `csv::add_current()` "as part of a contract".
pub fn add_current(set: Set<'_>) -> bool {
    set.add(set.now);
    true
}

/// What a condition has of a place when its event sets are known.
pub fn keep<T: Kept + ?Sized>(value: &T) -> T::Value {
    value.kept()
}

/// Runs the body of a method.
#[inline]
pub fn run<R>(body: impl FnOnce() -> R) -> R {
    body()
}
