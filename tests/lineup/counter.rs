//! The counters of sections 2.2.1 and 2.2.2.

use super::{PRECEDENCES, smallest};
use cdsspec::lineup::{Failure, LineUp, ObservationSet};
use cdsspec::sync::atomic::{AtomicU32, Ordering::SeqCst};
use cdsspec::sync::{Condvar, Mutex};
use cdsspec::{Scenario, Verdict};

/// A counter that counts.
#[derive(Default)]
struct Counter(AtomicU32);

impl Counter {
    fn inc(&self) {
        self.0.fetch_add(1, SeqCst);
    }

    fn get(&self) -> u32 {
        self.0.load(SeqCst)
    }
}

/// The first buggy counter: it takes no lock, and so loses increments.
#[derive(Default)]
pub(super) struct Counter1(AtomicU32);

impl Counter1 {
    pub(super) fn inc(&self) {
        self.0.store(self.0.load(SeqCst) + 1, SeqCst);
    }

    pub(super) fn get(&self) -> u32 {
        self.0.load(SeqCst)
    }
}

fn counter() -> Scenario<Counter> {
    Scenario::new(Counter::default)
        .op("inc()", |counter| counter.inc().into())
        .op("get()", |counter| counter.get().into())
}

pub(super) fn counter1() -> Scenario<Counter1> {
    Scenario::new(Counter1::default)
        .op("inc()", |counter| counter.inc().into())
        .op("get()", |counter| counter.get().into())
}

#[test]
fn a_matrix_of_three_by_three_has_1680_serial_histories() {
    let scenario = counter();
    let matrix = scenario.matrix([["inc()", "get()", "inc()"], ["inc()"; 3], ["get()", "inc()", "get()"]]);
    let observations = LineUp::new(scenario).observe(&matrix).expect("it has no fault");
    assert_eq!((observations.full_count(), observations.stuck_count()), (1_680, 0));
}

#[test]
fn a_counter_that_counts_holds() {
    for precedence in PRECEDENCES {
        let checks = LineUp::new(counter()).precedence(precedence).check_every(2, 2);
        assert!(checks.holds(), "{checks}");
    }
}

#[test]
fn a_lost_increment_is_found() {
    for precedence in PRECEDENCES {
        let (_, check) = smallest(&LineUp::new(counter1()).precedence(precedence), 100);
        assert!(matches!(check.failure, Some(Failure::NoWitness { pending: None, .. })));
    }
}

/// The second buggy counter: `get` forgets to release the lock; or only where it had to wait for it.
struct Counter2<const FORGETS_ALWAYS: bool> {
    count: AtomicU32,
    is_held: Mutex<bool>,
    is_free: Condvar,
}

impl<const FORGETS_ALWAYS: bool> Counter2<FORGETS_ALWAYS> {
    fn new() -> Self {
        Self { count: AtomicU32::new(0), is_held: Mutex::new(false), is_free: Condvar::new() }
    }

    /// Takes the lock; whether it had to wait.
    fn acquire(&self) -> bool {
        let mut is_held = self.is_held.lock().expect("nobody panics with it");
        let has_waited = *is_held;
        while *is_held {
            is_held = self.is_free.wait(is_held).expect("nobody panics with it");
        }
        *is_held = true;
        has_waited
    }

    fn release(&self) {
        *self.is_held.lock().expect("nobody panics with it") = false;
        self.is_free.notify_one();
    }

    fn inc(&self) {
        self.acquire();
        self.count.store(self.count.load(SeqCst) + 1, SeqCst);
        self.release();
    }

    fn get(&self) -> u32 {
        let has_waited = self.acquire();
        let count = self.count.load(SeqCst);
        if !FORGETS_ALWAYS && !has_waited {
            self.release();
        }
        count
    }
}

fn counter2<const FORGETS_ALWAYS: bool>() -> Scenario<Counter2<FORGETS_ALWAYS>> {
    Scenario::new(Counter2::<FORGETS_ALWAYS>::new)
        .op("inc()", |counter| counter.inc().into())
        .op("get()", |counter| counter.get().into())
}

/// The automaton of figure 3, as far as these calls go: nothing ever blocks.
fn counts(count: &mut u32, call: &str) -> Option<cdsspec::scenario::Value> {
    match call {
        "inc()" => *count += 1,
        _ => return Some((*count).into()),
    }
    Some(().into())
}

#[test]
fn a_counter_that_is_stuck_serially_passes_and_fails_against_the_automaton() {
    // In real time one history more is told: whether the first `inc` was over before the other began.
    for (precedence, stuck) in PRECEDENCES.into_iter().zip([1, 2]) {
        let scenario = counter2::<true>();
        let matrix = scenario.matrix([vec!["inc()", "get()"], vec!["inc()"]]);
        let lineup = LineUp::new(scenario).precedence(precedence);
        let check = lineup.check(&matrix);
        assert_eq!(check.verdict, Verdict::HoldsWithin, "{check}");
        assert_eq!((check.observations.full_count(), check.observations.stuck_count()), (2, 1));
        assert_eq!(check.stuck_histories, stuck, "{check}");
        let automaton = ObservationSet::of_model(&matrix, 0, counts);
        assert_eq!((automaton.full_count(), automaton.stuck_count()), (3, 0));
        let check = lineup.check_against(&matrix, &automaton);
        assert_eq!(check.verdict, Verdict::Violated, "{check}");
        assert!(matches!(check.failure, Some(Failure::NoWitness { pending: Some(_), .. })), "{check}");
    }
}

#[test]
fn a_release_that_is_forgotten_only_beside_another_call_is_found() {
    for precedence in PRECEDENCES {
        let lineup = LineUp::new(counter2::<false>()).precedence(precedence);
        let checks = lineup.auto_check(2);
        assert_eq!(checks.verdict, Verdict::Violated, "{checks}");
        let check = checks.failure.expect("it failed");
        assert!(matches!(check.failure, Some(Failure::NoWitness { pending: Some(_), .. })), "{check}");
        assert_eq!(check.matrix.call_count(), 3, "{check}");
    }
}
