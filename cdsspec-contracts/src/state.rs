//! Contracts while the program runs on real threads: the sets that an object carries, and its calls.
//!
//! # Which object
//! The sets are a field of the object, so that they are made, moved and dropped with it, and no table of addresses can take one object for another.
//! A call is an event of the object if no other call of it is running in the same thread: the outermost one alone is. A constructor knows its object
//! only when it returns; what it called of the object, which is nested in it as well, is taken back then.

use crate::event::take_witness;
use crate::provider::{Now, current, provider};
use crate::view::{View, empty_sets};
use crate::{Condition, ConditionMoment, Contract, Event, EventSet, Level, Source, Violation, Witness};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The event sets of one object: a field of it. Without a contract's call it is a lock around nothing.
#[derive(Default)]
pub struct Sets(Mutex<Option<Box<State>>>);

struct State {
    sets: Vec<RefCell<EventSet>>,
    names: Vec<&'static str>,
    /// How many events there were.
    event_count: u64,
}

/// Whether the condition with this index among a method's holds.
type Holds<'a> = &'a dyn Fn(usize, &View<'_>) -> bool;

/// Conditions that do not hold, with what the last comparison in each has found.
type Broken = Vec<(&'static Condition, Option<Witness>)>;

impl Sets {
    /// Of an object that is new: nothing has happened to it.
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

/// Another object, to which nothing has happened.
impl Clone for Sets {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl fmt::Debug for Sets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sets")
    }
}

/// The highest level that is looked at.
static LEVEL: AtomicU8 = AtomicU8::new(Level::Axiom as u8);

/// Sets the highest level of the conditions that are looked at, in the whole process: all of them, if nothing is said.
pub fn set_level(level: Level) {
    LEVEL.store(level as u8, Ordering::Relaxed);
}

thread_local! {
    /// The calls that run in this thread, outermost first: the addresses of their objects' sets, and the events.
    static OPEN: RefCell<Vec<Open>> = const { RefCell::new(Vec::new()) };
    /// Whether a condition is being looked at: what it calls is no event.
    static IS_LOOKING: Cell<bool> = const { Cell::new(false) };
}

struct Open {
    sets: usize,
    contract: &'static Contract,
    event: Event,
}

/// A call of a method while it runs.
pub struct Call<'a> {
    /// Nothing, if it is no event.
    sets: Option<&'a Sets>,
}

impl<'a> Call<'a> {
    /// A call begins: its `expects` are looked at, and it is added to the sets of its method, whether they hold or not. `holds` says whether the
    /// condition with this index among the method's holds.
    #[track_caller]
    pub fn enter(
        contract: &'static Contract,
        method: usize,
        sets: &'a Sets,
        holds: impl Fn(usize, &View<'_>) -> bool,
    ) -> Self {
        let is_nested = OPEN.with(|open| open.borrow().iter().any(|open| open.sets == sets.address()));
        if is_nested || IS_LOOKING.get() {
            return Self { sets: None };
        }
        let caller = Source::of(std::panic::Location::caller());
        let began = Began { contract, method, now: current(), caller };
        let (event, broken) = sets.begin(&began, &holds);
        OPEN.with(|open| {
            open.borrow_mut().push(Open { sets: sets.address(), contract, event: event.clone() })
        });
        // A violation that panics ends the call.
        let call = Self { sets: Some(sets) };
        tell(contract, &event, broken);
        call
    }

    /// What the call returns is there: its `ensures` are looked at. It is still running.
    pub fn ensure(&self, holds: impl Fn(usize, &View<'_>) -> bool) {
        let Some(sets) = self.sets else { return };
        let Some((contract, event)) = innermost() else { return };
        let broken = sets.locked(contract, |locked| locked.look(&event, ConditionMoment::Return, &holds));
        tell(contract, &event, broken);
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let Some(sets) = self.sets else { return };
        let open = OPEN.with(|open| open.borrow_mut().pop());
        if let Some(Open { event, .. }) = open {
            sets.end(&event, &current());
        }
    }
}

/// A statement in a call: whether the condition with this index among the method's holds. Nothing, where no call of the contract runs in this
/// thread.
pub fn expect_here(
    contract: &'static Contract,
    sets: &Sets,
    index: usize,
    holds: impl Fn(&View<'_>) -> bool,
) {
    let Some((_, event)) = innermost().filter(|(running, _)| std::ptr::eq(*running, contract)) else {
        return;
    };
    let Some(condition) = contract.methods[event.method].conditions.get(index) else { return };
    let broken = sets.locked(contract, |locked| locked.check(&event, condition, &holds));
    tell(contract, &event, broken.into_iter().collect());
}

fn innermost() -> Option<(&'static Contract, Event)> {
    OPEN.with(|open| open.borrow().last().map(|open| (open.contract, open.event.clone())))
}

fn tell(contract: &'static Contract, event: &Event, broken: Broken) {
    for (condition, witness) in broken {
        provider().violated(&Violation { contract, condition, event, witness });
    }
}

/// A constructor while it runs: which object it makes is known when it returns.
pub struct Constructor(Began);

struct Began {
    contract: &'static Contract,
    method: usize,
    now: Now,
    caller: Source,
}

impl Constructor {
    /// It begins.
    #[track_caller]
    pub fn enter(contract: &'static Contract, method: usize) -> Self {
        let caller = Source::of(std::panic::Location::caller());
        Self(Began { contract, method, now: current(), caller })
    }

    /// It returns an object with these sets: all its conditions are looked at.
    pub fn finish(self, sets: &Sets, holds: impl Fn(usize, &View<'_>) -> bool) {
        if IS_LOOKING.get() {
            return;
        }
        let contract = self.0.contract;
        sets.take_back(&self.0.now);
        let (event, mut broken) = sets.begin(&self.0, &holds);
        broken.extend(sets.locked(contract, |locked| locked.look(&event, ConditionMoment::Return, &holds)));
        sets.end(&event, &current());
        tell(contract, &event, broken);
    }
}

/// The sets of an object, while nobody else looks at them.
struct Locked<'a> {
    contract: &'static Contract,
    sets: &'a [RefCell<EventSet>],
    /// Which of them are the contract's.
    order: &'a [usize],
    event_count: &'a mut u64,
}

impl Sets {
    fn begin(&self, began: &Began, holds: Holds<'_>) -> (Event, Broken) {
        self.locked(began.contract, |locked| {
            *locked.event_count += 1;
            let event = Event {
                thread: began.now.thread,
                number: *locked.event_count,
                clock: Arc::new(began.now.clock.clone()),
                end: None,
                method: began.method,
                caller: began.caller,
            };
            let broken = locked.look(&event, ConditionMoment::Invocation, holds);
            for &set in began.contract.methods[began.method].adds {
                View::ordered(locked.sets, locked.order, &event).set(set).add(&event);
            }
            (event, broken)
        })
    }

    fn locked<R>(&self, contract: &'static Contract, f: impl FnOnce(Locked<'_>) -> R) -> R {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = state.get_or_insert_with(|| Box::new(State::of(contract)));
        let order = state.order_of(contract);
        f(Locked { contract, sets: &state.sets, order: &order, event_count: &mut state.event_count })
    }

    fn end(&self, event: &Event, now: &Now) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for set in state.iter_mut().flat_map(|state| &mut state.sets) {
            set.get_mut().end(event, now.epoch());
        }
    }

    /// Takes back what a thread did since then: it was nested in what only now turns out to be a call of this object.
    fn take_back(&self, began: &Now) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for set in state.iter_mut().flat_map(|state| &mut state.sets) {
            set.get_mut().retain(|event| {
                event.thread != began.thread || event.clock.get(began.thread) < began.epoch().step
            });
        }
    }
}

impl Locked<'_> {
    fn look(&self, event: &Event, moment: ConditionMoment, holds: Holds<'_>) -> Broken {
        let conditions = self.contract.methods[event.method].conditions.iter().enumerate();
        conditions
            .filter(|(_, condition)| condition.moment == moment)
            .filter_map(|(index, condition)| self.check(event, condition, &|view| holds(index, view)))
            .collect()
    }

    fn check(
        &self,
        event: &Event,
        condition: &'static Condition,
        holds: &dyn Fn(&View<'_>) -> bool,
    ) -> Option<(&'static Condition, Option<Witness>)> {
        if condition.level as u8 > LEVEL.load(Ordering::Relaxed) {
            return None;
        }
        take_witness();
        let _looking = Looking::begin();
        let is_broken = !holds(&View::ordered(self.sets, self.order, event));
        is_broken.then(|| (condition, take_witness()))
    }
}

impl State {
    fn of(contract: &Contract) -> Self {
        let names = contract.sets.iter().map(|set| set.name).collect();
        Self { sets: empty_sets(contract), names, event_count: 0 }
    }

    /// Which sets are those of a contract: all of them in their order, said by nothing; or, where an impl of the object has another contract, those of the same
    /// names. New ones are added.
    fn order_of(&mut self, contract: &Contract) -> Vec<usize> {
        let is_own = self.names.len() == contract.sets.len()
            && self.names.iter().zip(contract.sets).all(|(name, set)| *name == set.name);
        if is_own {
            return Vec::new();
        }
        let index_of = |set: &crate::DeclaredSet| {
            self.names.iter().position(|name| *name == set.name).unwrap_or_else(|| {
                self.names.push(set.name);
                self.sets.push(RefCell::new(EventSet::keeping(set.keep)));
                self.sets.len() - 1
            })
        };
        contract.sets.iter().map(index_of).collect()
    }
}

/// While a condition is looked at.
struct Looking;

impl Looking {
    fn begin() -> Self {
        IS_LOOKING.set(true);
        Self
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        IS_LOOKING.set(false);
    }
}
