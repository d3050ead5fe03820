//! Contracts while the program runs on real threads: the sets that an object carries, and its calls.
//!
//! # Which object
//! The sets are a field of the object, so that they are made, moved and dropped with it, and no table of addresses can take one object for another.
//! A call is an event of the object if no other call of it is running in the same thread: the outermost one alone is. A constructor knows its object
//! only when it returns. Until then, a call of an object that has had no event is taken for one of that object; and what another constructor that it called has
//! made of it is taken back when it returns.

use crate::event::take_witness;
use crate::provided::{current, provider};
use crate::view::{View, empty_sets};
use crate::{
    Condition, ConditionMoment, Contract, Epoch, Event, EventSet, Level, Now, Source, Violation, Witness,
};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The event sets of one object: a field of it, of which nothing is made before the first call.
#[derive(Default)]
pub struct Sets(OnceLock<Arc<Mutex<State>>>);

struct State {
    sets: Vec<RefCell<EventSet>>,
    names: Vec<&'static str>,
    /// How many events there were.
    event_count: u64,
}

/// Conditions that do not hold, with what the last comparison in each has found.
type Broken = Vec<(&'static Condition, Option<Witness>)>;

/// Whether the condition with this index among a method's holds.
type Holds<'a> = &'a dyn Fn(usize, &View<'_>) -> bool;

impl Sets {
    /// Of an object that is new: nothing has happened to it.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    fn state(&self, contract: &Contract) -> Arc<Mutex<State>> {
        Arc::clone(self.0.get_or_init(|| Arc::new(Mutex::new(State::of(contract)))))
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

/// Whether an event is before another if its invocation happens before the other's.
static BY_INVOCATION: AtomicBool = AtomicBool::new(false);

/// Says what is compared from now on, in the whole process: invocations, as in the CSV paper (section IV.1), or the return of one event with the
/// invocation of the other, which is so if nothing is said.
pub fn compare_invocations(is_on: bool) {
    BY_INVOCATION.store(is_on, Ordering::Relaxed);
}

thread_local! {
    /// The calls that run in this thread, outermost first.
    static OPEN: RefCell<Vec<Open>> = const { RefCell::new(Vec::new()) };
    /// The contracts whose constructors run in this thread.
    static CONSTRUCTING: RefCell<Vec<*const Contract>> = const { RefCell::new(Vec::new()) };
    /// Whether a condition is being looked at: what it calls is no event.
    static IS_LOOKING: Cell<bool> = const { Cell::new(false) };
}

#[derive(Clone)]
struct Open {
    state: Arc<Mutex<State>>,
    contract: &'static Contract,
    event: Event,
}

/// A call of a method while it runs.
///
/// What is here called `conditions` makes a function that says whether the condition with this index among the method's holds: it has kept what the
/// conditions mention.
pub struct Call {
    is_event: bool,
}

impl Call {
    /// A call begins: its `expects` are looked at, and it is added to the sets of its method, whether they hold or not.
    #[track_caller]
    pub fn enter<H: Fn(usize, &View<'_>) -> bool + 'static>(
        contract: &'static Contract,
        method: usize,
        sets: &Sets,
        conditions: impl FnOnce() -> H,
    ) -> Self {
        if !provider().is_on() {
            return Self { is_event: false };
        }
        let state = sets.state(contract);
        // In a thread whose own values are gone, as when one of them is dropped, nobody can tell: there it is no event.
        let is_running = |open: &Open| Arc::ptr_eq(&open.state, &state);
        let is_nested = OPEN.try_with(|open| open.borrow().iter().any(is_running)).unwrap_or(true);
        if is_nested || IS_LOOKING.get() || is_being_made(contract, &state) {
            return Self { is_event: false };
        }
        let caller = Source::of(std::panic::Location::caller());
        let began = Began { contract, method, now: current(), caller };
        let (event, broken) = Locked::of(&state).begin(&began, &conditions());
        OPEN.with(|open| open.borrow_mut().push(Open { state, contract, event: event.clone() }));
        // A violation that panics ends the call.
        let call = Self { is_event: true };
        tell(contract, &event, broken);
        call
    }

    /// What the call returns is there: its `ensures` are looked at. It is still running.
    pub fn ensure<H: Fn(usize, &View<'_>) -> bool + 'static>(&self, conditions: impl FnOnce() -> H) {
        let Some(Open { state, contract, event }) = innermost().filter(|_| self.is_event) else { return };
        let broken = Locked::of(&state).look(contract, &event, ConditionMoment::Return, &conditions());
        tell(contract, &event, broken);
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let open = self.is_event.then(|| OPEN.with(|open| open.borrow_mut().pop()));
        if let Some(Open { state, event, .. }) = open.flatten() {
            Locked::of(&state).end(&event, provider().step());
        }
    }
}

/// The running thread has the object alone, by `&mut self`. So it comes after all calls that have returned, whatever has ordered it so: the
/// last of several `Arc`s, say, whose counts are not seen. A call that has not returned is not ordered: then somebody has broken Rust's rules.
pub fn alone(sets: &mut Sets) {
    if let Some(state) = sets.0.get()
        && provider().is_on()
    {
        Locked::of(state).0.sets.iter().for_each(|set| {
            for event in set.borrow().iter() {
                if let Some(end) = event.end {
                    provider().come_after(end, &event.clock);
                }
            }
        });
    }
}

/// A statement in a call: whether the condition with this index among the method's holds. Nothing, where no call of the contract runs in this
/// thread.
pub fn expect_here<H: Fn(usize, &View<'_>) -> bool + 'static>(
    contract: &'static Contract,
    index: usize,
    conditions: impl FnOnce() -> H,
) {
    let is_ours = |open: &Open| std::ptr::eq(open.contract, contract);
    let Some(Open { state, event, .. }) = innermost().filter(is_ours) else { return };
    let Some(condition) = contract.methods[event.method].conditions.get(index) else { return };
    let broken = Locked::of(&state).check(contract, &event, (index, condition), &conditions());
    tell(contract, &event, broken.into_iter().collect());
}

fn innermost() -> Option<Open> {
    OPEN.try_with(|open| open.borrow().last().cloned()).ok().flatten()
}

fn tell(contract: &'static Contract, event: &Event, broken: Broken) {
    for (condition, witness) in broken {
        provider().violated(&Violation { contract, condition, event, witness });
    }
}

/// Whether a constructor of this contract runs in this thread, and the object has had no event.
fn is_being_made(contract: &'static Contract, state: &Mutex<State>) -> bool {
    let is_running =
        |made: &RefCell<Vec<*const Contract>>| made.borrow().contains(&std::ptr::from_ref(contract));
    CONSTRUCTING.try_with(is_running).unwrap_or(true) && Locked::of(state).0.event_count == 0
}

/// A constructor while it runs: which object it makes is known when it returns.
pub struct Constructor(Began, Constructing);

/// A constructor runs, until this is dropped.
struct Constructing;

impl Constructing {
    fn begin(contract: &'static Contract) -> Self {
        // In a thread whose own values are gone nothing is an event.
        _ = CONSTRUCTING.try_with(|made| made.borrow_mut().push(contract));
        Self
    }
}

impl Drop for Constructing {
    fn drop(&mut self) {
        _ = CONSTRUCTING.try_with(|made| made.borrow_mut().pop());
    }
}

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
        Self(Began { contract, method, now: current(), caller }, Constructing::begin(contract))
    }

    /// It returns an object with these sets: all its conditions are looked at.
    pub fn finish<H: Fn(usize, &View<'_>) -> bool + 'static>(
        self,
        sets: &Sets,
        conditions: impl FnOnce() -> H,
    ) {
        if IS_LOOKING.get() || OPEN.try_with(|_| ()).is_err() || !provider().is_on() {
            return;
        }
        let (contract, holds) = (self.0.contract, conditions());
        let state = sets.state(contract);
        let mut locked = Locked::of(&state);
        locked.take_back(&self.0.now);
        let (event, mut broken) = locked.begin(&self.0, &holds);
        broken.extend(locked.look(contract, &event, ConditionMoment::Return, &holds));
        locked.end(&event, provider().step());
        drop(locked);
        tell(contract, &event, broken);
    }
}

/// The sets of an object, while nobody else looks at them.
struct Locked<'a>(MutexGuard<'a, State>);

impl<'a> Locked<'a> {
    fn of(state: &'a Mutex<State>) -> Self {
        Self(state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn begin(&mut self, began: &Began, holds: Holds<'_>) -> (Event, Broken) {
        self.0.event_count += 1;
        let event = Event {
            thread: began.now.thread,
            number: self.0.event_count,
            clock: Arc::clone(&began.now.clock),
            end: BY_INVOCATION.load(Ordering::Relaxed).then(|| began.now.epoch()),
            method: began.method,
            caller: began.caller,
            mark: began.now.mark.clone(),
        };
        let broken = self.look(began.contract, &event, ConditionMoment::Invocation, holds);
        let order = self.0.order_of(began.contract);
        for &set in began.contract.methods[began.method].adds {
            View::ordered(&self.0.sets, &order, &event).set(set).add(&event);
        }
        (event, broken)
    }

    fn look(
        &mut self,
        contract: &'static Contract,
        event: &Event,
        moment: ConditionMoment,
        holds: Holds<'_>,
    ) -> Broken {
        let conditions = contract.methods[event.method].conditions.iter().enumerate();
        conditions
            .filter(|(_, condition)| condition.moment == moment)
            .filter_map(|one| self.check(contract, event, one, holds))
            .collect()
    }

    fn check(
        &mut self,
        contract: &'static Contract,
        event: &Event,
        (index, condition): (usize, &'static Condition),
        holds: Holds<'_>,
    ) -> Option<(&'static Condition, Option<Witness>)> {
        if condition.level as u8 > LEVEL.load(Ordering::Relaxed) {
            return None;
        }
        let order = self.0.order_of(contract);
        take_witness();
        let _looking = Looking::begin();
        let is_broken = !holds(index, &View::ordered(&self.0.sets, &order, event));
        is_broken.then(|| (condition, take_witness()))
    }

    fn end(&mut self, event: &Event, end: Epoch) {
        if event.end.is_none() {
            self.0.sets.iter_mut().for_each(|set| set.get_mut().end(event, end));
        }
    }

    /// Takes back what a thread did since then: it was nested in what only now turns out to be a call of this object.
    fn take_back(&mut self, began: &Now) {
        for set in &mut self.0.sets {
            set.get_mut().retain(|event| {
                event.thread != began.thread || event.clock.get(began.thread) < began.epoch().step
            });
        }
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
