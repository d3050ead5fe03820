//! Failures of `fetch_update`, and calls beside loops.

use super::explore;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use cdsspec::sync::{Arc, Mutex};
use cdsspec::{Builder, Verdict, hint, thread};

/// Counts the calls of `set` before a call of `get`, which must not be two.
struct Counter {
    word: AtomicUsize,
    other: AtomicUsize,
}

#[cdsspec::spec]
#[declare_state(count: usize)]
impl Counter {
    fn new() -> Self {
        Self { word: AtomicUsize::new(0), other: AtomicUsize::new(0) }
    }

    #[side_effect(*count += 1)]
    fn set(&self, value: usize) {
        #[op_define]
        self.word.store(value, Release);
    }

    #[side_effect(*count)]
    #[post_condition(c_ret < 2)]
    #[justifying_post_condition(s_ret < 2)]
    fn get(&self) -> usize {
        #[op_define]
        let value = self.other.load(Relaxed);
        value
    }
}

fn check_updates(fetch_order: Ordering) -> Verdict {
    let (outcome, _) = explore(Builder::new(), move || {
        let counter = Arc::new(Counter::new());
        let setters = [1, 2].map(|value| {
            let counter = counter.clone();
            thread::spawn(move || counter.set(value))
        });
        let _ = counter.word.fetch_update(Relaxed, fetch_order, |value| Some(value + 16));
        counter.get();
        for setter in setters {
            setter.join().expect("it does not panic");
        }
    });
    outcome.verdict
}

/// The first load acquires one call, and the failure after it the other one.
#[test]
fn an_update_whose_exchange_fails_learns_of_two_calls() {
    assert_eq!([Acquire, Relaxed].map(check_updates), [Verdict::Unjustified, Verdict::Holds]);
}

static OUTER: AtomicUsize = AtomicUsize::new(0);
static INNER: AtomicUsize = AtomicUsize::new(0);

/// The place of all updates here.
fn update(word: &AtomicUsize, next: impl FnMut(usize) -> Option<usize>) -> usize {
    word.fetch_update(Relaxed, Relaxed, next).unwrap_or_else(|old| old)
}

/// An update in an update, at one place: between the load and the exchange of the outer one stands the load of the inner one.
#[test]
fn an_update_that_has_read_another_word_since_may_fail() {
    let (outcome, _) = explore(Builder::new().spurious_failures(false), || {
        let setter = thread::spawn(|| OUTER.store(1, Relaxed));
        update(&OUTER, |value| {
            update(&INNER, |_| None);
            Some(value + 2)
        });
        setter.join().expect("it does not panic");
    });
    // It reads 0, and the exchange does, or fails; or it reads 1.
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::HoldsWithin, 3), "{outcome}");
}

/// A round that locks reads what the round before it wrote when it unlocked.
#[test]
fn a_poller_beside_calls_waits() {
    let (outcome, _) = explore(Builder::new(), || {
        let shared = Arc::new((Mutex::new(false), Counter::new()));
        let other = shared.clone();
        let poller = thread::spawn(move || {
            while !*other.0.lock().expect("nobody panics with it") {
                hint::spin_loop();
            }
            other.1.get();
        });
        shared.1.set(1);
        *shared.0.lock().expect("nobody panics with it") = true;
        poller.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.bounds.len()), (Verdict::Holds, 0), "{outcome}");
}

/// Counts its calls, of which the fourth is wrong.
struct Tally;

#[cdsspec::spec]
#[declare_state(count: usize)]
impl Tally {
    #[side_effect(*count += 1)]
    #[post_condition(*count < 4)]
    fn add(&self) {}
}

#[test]
fn a_round_with_a_call_is_explored() {
    let (outcome, _) = explore(Builder::new().loop_rounds_max(8), || {
        let shared = Arc::new((AtomicUsize::new(0), Tally));
        let other = shared.clone();
        let setter = thread::spawn(move || other.0.store(1, Relaxed));
        while shared.0.load(Relaxed) == 0 {
            shared.1.add();
            hint::spin_loop();
        }
        setter.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Violated, 5), "{outcome}");
}

/// The word is 2 when the loop reaches its bound, but the loop would store 1 again.
#[test]
fn a_loop_that_would_store_again_what_another_waits_for_is_no_livelock() {
    let (outcome, _) = explore(Builder::new().loop_rounds_max(4), || {
        let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let other = shared.clone();
        let waiter = thread::spawn(move || {
            other.0.store(2, Relaxed);
            while other.0.load(Relaxed) != 1 {
                hint::spin_loop();
            }
            other.1.store(1, Relaxed);
        });
        loop {
            shared.0.store(1, Relaxed);
            if shared.1.load(Relaxed) == 1 {
                break;
            }
            hint::spin_loop();
        }
        waiter.join().expect("it does not panic");
    });
    assert_eq!(outcome.verdict, Verdict::HoldsWithin, "{outcome}");
}
