//! Contracts while the program runs on real threads: the sets that an object carries, and its calls.
//!
//! # Which object
//! The sets are a field of the object, so that they are made, moved and dropped with it, and no table of addresses can take one object for another.
//! Each call is an event, also one that another call of the object makes: it is later than that one in its thread, and returns before it. A constructor
//! knows its object only when it returns. Until then, calls of an object that has had no event before it began are taken for a part of it, and are not looked
//! at; and what was made of the object meanwhile, by them and by another constructor that it called, is taken back when it returns.

use crate::event::take_witness;
use crate::provided::{current, provider};
use crate::view::{View, empty_sets};
use crate::{
    Condition, ConditionMoment, Contract, Epoch, Event, EventSet, Level, Looks, Now, Source, Violation,
    Witness,
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
    /// The moment of the first one.
    first: Option<Epoch>,
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

crate::equal_sets!(Sets);

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
    /// The constructors that run in this thread, outermost first.
    static CONSTRUCTING: RefCell<Vec<Began>> = const { RefCell::new(Vec::new()) };
    /// Whether a condition is being looked at: what it calls is no event.
    static IS_LOOKING: Cell<bool> = const { Cell::new(false) };
}

#[derive(Clone)]
struct Open {
    state: Arc<Mutex<State>>,
    contract: &'static Contract,
    event: Event,
    /// Whether its conditions are looked at: not those of calls that a constructor makes of what it makes.
    is_looked_at: bool,
}

/// What a call of an object is, as far as can be told when it begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Event,
    /// One of an object that a constructor has made which was called by the constructor that still runs.
    Made,
    /// A part of the constructor that runs.
    Nothing,
}

/// A call of a method while it runs.
///
/// What is here called `conditions` evaluates the parts that mention no set, and makes a function that says whether the condition with this index among
/// the method's holds, over their values.
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
        conditions: impl FnOnce(Looks) -> H,
    ) -> Self {
        // In a thread whose own values are gone, as when one of them is dropped, nobody can tell: there it is no event.
        if is_looking() || OPEN.try_with(|_| ()).is_err() || !provider().is_on() {
            return Self { is_event: false };
        }
        let state = sets.state(contract);
        let caller = Source::of(std::panic::Location::caller());
        let began = Began { contract, method, now: current(), caller };
        let (event, broken, is_looked_at) = match standing(contract, &state) {
            Standing::Nothing => (began.event(0), Vec::new(), false),
            Standing::Made => {
                let (event, _) = Locked::of(&state).begin(&began, None);
                (event, Vec::new(), false)
            }
            Standing::Event => {
                let holds = looking(|| conditions(looks()));
                let (event, broken) = Locked::of(&state).begin(&began, Some(&holds));
                (event, broken, true)
            }
        };
        let open = Open { state, contract, event: event.clone(), is_looked_at };
        OPEN.with(|all| all.borrow_mut().push(open));
        // A violation that panics ends the call.
        let call = Self { is_event: true };
        tell(contract, &event, broken);
        call
    }

    /// What the call returns is there: its `ensures` are looked at. It is still running.
    pub fn ensure<H: Fn(usize, &View<'_>) -> bool + 'static>(&self, conditions: impl FnOnce(Looks) -> H) {
        let open = OPEN.try_with(|open| open.borrow().last().cloned()).ok().flatten();
        let is_ours = |open: &Open| self.is_event && open.is_looked_at;
        let Some(Open { state, contract, event, .. }) = open.filter(is_ours) else { return };
        let holds = looking(|| conditions(looks()));
        let broken = Locked::of(&state).look(contract, &event, ConditionMoment::Return, &holds);
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

fn is_looking() -> bool {
    IS_LOOKING.get()
}

/// Runs what a condition has to say.
fn looking<R>(f: impl FnOnce() -> R) -> R {
    let _looking = Looking::begin();
    f()
}

/// Which conditions are looked at in this process.
fn looks() -> Looks {
    Looks::up_to(match LEVEL.load(Ordering::Relaxed) {
        0 => Level::Default,
        1 => Level::Audit,
        _ => Level::Axiom,
    })
}

/// Evaluates the parts of `ensures` that are about parameters, which the call may consume.
pub fn early<R>(parts: impl FnOnce(Looks) -> R) -> R {
    match is_looking() || !provider().is_on() {
        true => parts(Looks::none()),
        false => looking(|| parts(looks())),
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

/// A statement in a call of this method: whether the condition with this index among its conditions holds. Where no such call runs in this thread,
/// that is told.
pub fn expect_here<H: Fn(usize, &View<'_>) -> bool + 'static>(
    contract: &'static Contract,
    (method, index): (usize, usize),
    conditions: impl FnOnce(Looks) -> H,
) {
    if is_looking() || !provider().is_on() {
        return;
    }
    let Some(condition) = contract.methods[method].conditions.get(index) else { return };
    let is_ours = |known: &Contract, number: usize| std::ptr::eq(known, contract) && number == method;
    let open = OPEN.try_with(|open| {
        let open = open.borrow();
        open.iter().rev().find(|open| is_ours(open.contract, open.event.method)).cloned()
    });
    // In a thread whose own values are gone nobody can tell.
    let Ok(open) = open else { return };
    if let Some(Open { state, event, is_looked_at, .. }) = open {
        if is_looked_at {
            let holds = looking(|| conditions(looks()));
            let broken = Locked::of(&state).check(contract, &event, (index, condition), &holds);
            tell(contract, &event, broken.into_iter().collect());
        }
        return;
    }
    let constructing = CONSTRUCTING.with(|made| {
        let made = made.borrow();
        made.iter().rev().find(|began| is_ours(began.contract, began.method)).cloned()
    });
    match constructing {
        // Nothing has happened to what is being made, but that.
        Some(began) => {
            let holds = looking(|| conditions(looks()));
            let mut state = State::of(contract);
            state.add(contract, &began.event(0));
            let state = Mutex::new(state);
            let broken = Locked::of(&state).check(contract, &began.event(0), (index, condition), &holds);
            tell(contract, &began.event(0), broken.into_iter().collect());
        }
        None => provider().stray(contract, condition),
    }
}

fn tell(contract: &'static Contract, event: &Event, broken: Broken) {
    for (condition, witness) in broken {
        provider().violated(&Violation { contract, condition, event, witness });
    }
}

/// What a call of an object is that begins now.
fn standing(contract: &'static Contract, state: &Mutex<State>) -> Standing {
    // The outermost one may have called the others to make its object.
    let outermost = CONSTRUCTING.with(|made| {
        let made = made.borrow();
        let began = made.iter().find(|began| std::ptr::eq(began.contract, contract));
        began.map(|began| began.now.epoch())
    });
    let Some(began) = outermost else { return Standing::Event };
    match Locked::of(state).0.first {
        None => Standing::Nothing,
        Some(first) if first.thread == began.thread && first.step >= began.step => Standing::Made,
        Some(_) => Standing::Event,
    }
}

/// A constructor while it runs: which object it makes is known when it returns. It has the values of what its `expects` mention.
pub struct Constructor<H> {
    began: Began,
    _constructing: Constructing,
    holds: Option<H>,
}

/// A constructor runs, until this is dropped.
struct Constructing;

impl Constructing {
    fn begin(began: &Began) -> Self {
        // In a thread whose own values are gone nothing is an event.
        _ = CONSTRUCTING.try_with(|made| made.borrow_mut().push(began.clone()));
        Self
    }
}

impl Drop for Constructing {
    fn drop(&mut self) {
        _ = CONSTRUCTING.try_with(|made| made.borrow_mut().pop());
    }
}

#[derive(Clone)]
struct Began {
    contract: &'static Contract,
    method: usize,
    now: Now,
    caller: Source,
}

impl Began {
    fn event(&self, number: u64) -> Event {
        Event {
            thread: self.now.thread,
            number,
            clock: Arc::clone(&self.now.clock),
            end: BY_INVOCATION.load(Ordering::Relaxed).then(|| self.now.epoch()),
            method: self.method,
            caller: self.caller,
            mark: self.now.mark.clone(),
        }
    }
}

impl<H: Fn(usize, &View<'_>) -> bool + 'static> Constructor<H> {
    /// It begins.
    #[track_caller]
    pub fn enter(contract: &'static Contract, method: usize, conditions: impl FnOnce(Looks) -> H) -> Self {
        let caller = Source::of(std::panic::Location::caller());
        let began = Began { contract, method, now: current(), caller };
        let is_event = !is_looking() && OPEN.try_with(|_| ()).is_ok() && provider().is_on();
        let holds = is_event.then(|| looking(|| conditions(looks())));
        Self { _constructing: Constructing::begin(&began), began, holds }
    }

    /// It returns an object with these sets, or none: all its conditions are looked at.
    pub fn finish<R: Fn(usize, &View<'_>) -> bool + 'static>(
        self,
        sets: Option<&Sets>,
        conditions: impl FnOnce(Looks) -> R,
    ) {
        let Some(expects) = &self.holds else { return };
        let contract = self.began.contract;
        let ensures = looking(|| conditions(looks()));
        let none = Sets::new();
        let state = sets.unwrap_or(&none).state(contract);
        let mut locked = Locked::of(&state);
        locked.take_back(&self.began.now);
        let (event, mut broken) = locked.begin(&self.began, Some(expects));
        broken.extend(locked.look(contract, &event, ConditionMoment::Return, &ensures));
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

    fn begin(&mut self, began: &Began, holds: Option<Holds<'_>>) -> (Event, Broken) {
        self.0.event_count += 1;
        self.0.first.get_or_insert(began.now.epoch());
        let event = began.event(self.0.event_count);
        let broken = holds.map_or_else(Vec::new, |holds| {
            self.look(began.contract, &event, ConditionMoment::Invocation, holds)
        });
        self.0.add(began.contract, &event);
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
        let is_broken = looking(|| !holds(index, &View::of(contract, (&self.0.sets, &order), event)));
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
        Self { sets: empty_sets(contract), names, event_count: 0, first: None }
    }

    /// Adds an event to the sets of its method.
    fn add(&mut self, contract: &'static Contract, event: &Event) {
        let order = self.order_of(contract);
        let view = View::of(contract, (&self.sets, &order), event);
        contract.methods[event.method].adds.iter().for_each(|&set| view.set(set).add(event));
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

/// While a condition is looked at; what it was before.
struct Looking(bool);

impl Looking {
    fn begin() -> Self {
        Self(IS_LOOKING.replace(true))
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        IS_LOOKING.set(self.0);
    }
}
