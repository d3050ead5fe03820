//! Events: the calls of one object's methods, and the order between two of them.

use crate::{Clock, Epoch, Source, ThreadIndex};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// One call of a method, from its invocation to its return.
///
/// `a` happens before `b` if the return of `a` happens before the invocation of `b`. So a call that publishes something half-way and goes on
/// is concurrent with a call of a thread that has seen what it published. The events of one thread are ordered by the program, and none is
/// concurrent with itself.
///
/// # Paper
/// CSV, section IV.1, listing 2: there an event is an invocation alone. What is compared is the [`end`](Self::end), which can be the
/// invocation as well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Whose call it is.
    pub thread: ThreadIndex,
    /// Its place among the events of its object, in the order in which they were invoked: unique there.
    pub number: u64,
    /// What happens before the invocation.
    pub clock: Arc<Clock>,
    /// The moment that must happen before the invocation of a later event: the return, once it is there.
    pub end: Option<Epoch>,
    /// The method, as an index into [`Contract::methods`](crate::Contract::methods).
    pub method: usize,
    /// Where it is called.
    pub caller: Source,
    /// What who knows the time remembers of it.
    pub mark: Mark,
}

/// What a [`Provider`](crate::Provider) remembers of a moment, as long as an event of it is kept. All are equal.
#[derive(Clone, Default)]
pub struct Mark(pub Option<Arc<dyn Any + Send + Sync>>);

impl PartialEq for Mark {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for Mark {}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mark")
    }
}

impl Event {
    /// Whether both are one and the same event of an object.
    pub fn is(&self, other: &Self) -> bool {
        (self.thread, self.number) == (other.thread, other.number)
    }

    /// Whether this one event happens before that one.
    pub fn is_before(&self, other: &Self) -> bool {
        if self.thread == other.thread {
            return self.number < other.number;
        }
        self.end.is_some_and(|end| other.clock.includes(end))
    }

    /// Whether neither of two events happens before the other.
    pub fn is_beside(&self, other: &Self) -> bool {
        !self.is(other) && !self.is_before(other) && !other.is_before(self)
    }

    /// Whether it happens before each of these events, but for itself.
    pub fn happens_before(&self, others: impl Events) -> bool {
        happens_before(self, &others)
    }

    /// Whether it is concurrent with one of these events.
    pub fn concurrent(&self, others: impl Events) -> bool {
        concurrent(self, &others)
    }
}

/// One event, or several.
pub trait Events {
    /// Visits them, in the order in which they were added.
    fn each(&self, visit: &mut dyn FnMut(&Event));
}

impl Events for Event {
    fn each(&self, visit: &mut dyn FnMut(&Event)) {
        visit(self);
    }
}

impl<E: Events + ?Sized> Events for &E {
    fn each(&self, visit: &mut dyn FnMut(&Event)) {
        (**self).each(visit);
    }
}

/// Why a condition does not hold, as far as the last comparison in it tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// A set has no events: its name, unless it is put together of others.
    Empty(Option<&'static str>),
    /// The first event does not happen before the second.
    Unordered(Event, Event),
}

thread_local! {
    static WITNESS: std::cell::RefCell<Option<Witness>> = const { std::cell::RefCell::new(None) };
}

/// Notes what a comparison has found.
pub(crate) fn note(witness: Witness) {
    WITNESS.with(|noted| *noted.borrow_mut() = Some(witness));
}

/// Takes what the last comparison of this OS thread has found: two events that are not ordered, or that a set is empty.
pub fn take_witness() -> Option<Witness> {
    WITNESS.with(|noted| noted.borrow_mut().take())
}

/// Whether each of the first events happens before each of the others. No events happen before everything, and everything before no events.
///
/// # Paper
/// CSV, listing 2, `event_set::happens_before`. Table 1 (b), t0 and t1, needs what is said of no events: an `init` that nothing was before is
/// in order.
pub(crate) fn happens_before(first: &dyn Events, second: &dyn Events) -> bool {
    find(first, second, |a, b| !a.is(b) && !a.is_before(b)).is_none()
}

/// Whether one of the first events is concurrent with one of the others. No events are concurrent with nothing.
///
/// # Paper
/// CSV, requirements 1 to 8, which speak of each pair: `∀p ∈ Prod: p ≉ p'`. Listing 2 has it of whole sets (neither happens before the other), by
/// which a set is also concurrent with an event that stands between two of its own.
pub(crate) fn concurrent(first: &dyn Events, second: &dyn Events) -> bool {
    find(first, second, Event::is_beside).is_some()
}

/// The first pair of which that is so. It is noted.
fn find(first: &dyn Events, second: &dyn Events, is_so: impl Fn(&Event, &Event) -> bool) -> Option<()> {
    let mut found = None;
    first.each(&mut |a| {
        second.each(&mut |b| {
            if found.is_none() && is_so(a, b) {
                found = Some(());
                note(Witness::Unordered(a.clone(), b.clone()));
            }
        });
    });
    found
}
