//! Loops that only read: which wait, which give up, and which nobody can end. On rc11, where a loop that waits is not explored
//! round by round.

use cdsspec::sync::atomic::Ordering::{Acquire, Release};
use cdsspec::sync::atomic::{AtomicUsize, Ordering};
use cdsspec::{Builder, Outcome, Verdict, hint, thread};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

type Wait = fn(&AtomicUsize) -> bool;

/// What `wait` returns beside a thread that stores 1.
fn beside_a_store(
    builder: Builder,
    wait: impl Fn(&AtomicUsize) -> bool + Send + Sync + 'static,
) -> (Outcome, BTreeSet<bool>) {
    let found = Arc::new(Mutex::new(BTreeSet::new()));
    let found2 = found.clone();
    let outcome = builder.check(move || {
        let flag = Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let other = thread::spawn(move || flag2.store(1, Release));
        let is_up = wait(&flag);
        other.join().expect("it does not panic");
        found2.lock().expect("nobody panics with it").insert(is_up);
    });
    let found = found.lock().expect("nobody panics with it").clone();
    (outcome, found)
}

/// The steps of a spin-then-yield backoff, as crates have it.
struct Backoff(u32);

impl Backoff {
    fn snooze(&mut self) {
        if self.0 <= 6 {
            (0..1 << self.0).for_each(|_| hint::spin_loop());
        } else {
            thread::yield_now();
        }
        if self.0 <= 10 {
            self.0 += 1;
        }
    }
}

fn with_hint(flag: &AtomicUsize) -> bool {
    while flag.load(Acquire) == 0 {
        hint::spin_loop();
    }
    true
}

fn without_hint(flag: &AtomicUsize) -> bool {
    while flag.load(Acquire) == 0 {}
    true
}

fn two_reads_without_hint(flag: &AtomicUsize) -> bool {
    while flag.load(Acquire) + flag.load(Ordering::Relaxed) < 2 {}
    true
}

fn with_exchange(flag: &AtomicUsize) -> bool {
    while flag.compare_exchange(1, 1, Acquire, Ordering::Relaxed).is_err() {
        hint::spin_loop();
    }
    true
}

fn with_backoff(flag: &AtomicUsize) -> bool {
    let mut backoff = Backoff(0);
    while flag.load(Acquire) == 0 {
        backoff.snooze();
    }
    true
}

fn counting(flag: &AtomicUsize) -> bool {
    let mut rounds = 0_u64;
    while flag.load(Acquire) == 0 {
        rounds = std::hint::black_box(rounds + 1);
        hint::spin_loop();
    }
    std::hint::black_box(rounds);
    true
}

fn up_to(rounds: usize) -> impl Fn(&AtomicUsize) -> bool {
    move |flag| {
        (0..rounds).any(|_| {
            hint::spin_loop();
            flag.load(Acquire) == 1
        })
    }
}

fn up_to_without_hint(rounds: usize) -> impl Fn(&AtomicUsize) -> bool {
    move |flag| (0..rounds).any(|_| flag.load(Acquire) == 1)
}

#[test]
fn a_loop_that_keeps_nothing_from_round_to_round_waits() {
    let loops: [(&str, Wait); 5] = [
        ("with_hint", with_hint),
        ("without_hint", without_hint),
        ("two_reads_without_hint", two_reads_without_hint),
        ("with_exchange", with_exchange),
        ("with_backoff", with_backoff),
    ];
    for (name, wait) in loops {
        let (outcome, found) = beside_a_store(Builder::new(), wait);
        assert_eq!((outcome.verdict, found), (Verdict::Holds, [true].into()), "{name}: {outcome}");
    }
}

#[test]
fn a_loop_that_gives_up_is_explored_to_its_end() {
    for rounds in [1, 2, 5, 20, 100] {
        // It sees the flag in one of its rounds, or in none.
        let expected = (Verdict::Holds, rounds as u64 + 1, [false, true].into());
        let (outcome, found) = beside_a_store(Builder::new(), up_to(rounds));
        assert_eq!((outcome.verdict, outcome.complete_executions, found), expected, "{rounds}: {outcome}");
        let (outcome, found) = beside_a_store(Builder::new(), up_to_without_hint(rounds));
        assert_eq!((outcome.verdict, outcome.complete_executions, found), expected, "{rounds}: {outcome}");
    }
}

#[test]
fn a_loop_that_counts_beyond_the_limit_holds_within_it() {
    let limit = |line| vec![format!("loop_rounds_max = 16 for the loop at tests/waiting.rs:{line}")];
    let (outcome, _) = beside_a_store(Builder::new().loop_rounds_max(16), up_to(40));
    assert_eq!((outcome.verdict, &outcome.bounds), (Verdict::HoldsWithin, &limit(93)), "{outcome}");
    let (outcome, found) = beside_a_store(Builder::new().loop_rounds_max(16), counting);
    assert_eq!((outcome.verdict, &outcome.bounds), (Verdict::HoldsWithin, &limit(81)), "{outcome}");
    assert_eq!(found, [true].into());
    let (outcome, found) = beside_a_store(Builder::new().loop_rounds_max(50), up_to(40));
    assert_eq!((outcome.verdict, found), (Verdict::Holds, [false, true].into()), "{outcome}");
}

/// `wait` with nobody who stores.
fn alone(wait: impl Fn(&AtomicUsize) -> bool + Send + Sync + 'static) -> Outcome {
    Builder::new().check(move || _ = wait(&AtomicUsize::new(0)))
}

#[test]
fn a_loop_that_nobody_can_end_is_a_livelock() {
    for wait in [with_hint, without_hint, two_reads_without_hint, with_exchange, with_backoff] {
        let outcome = alone(wait);
        assert_eq!(outcome.verdict, Verdict::Livelock, "{outcome}");
    }
}

#[test]
fn a_loop_that_nobody_ends_but_that_counts_is_inconclusive_and_not_a_livelock() {
    let outcome = alone(counting);
    assert_eq!(outcome.verdict, Verdict::Inconclusive, "{outcome}");
    let report = outcome.report().split_whitespace().collect::<Vec<_>>().join(" ");
    for phrase in ["no execution had a result", "loop_rounds_max = 128 for the loop at tests/waiting.rs:81"] {
        assert!(report.contains(phrase), "{phrase}: {outcome}");
    }
    let outcome = alone(up_to(100));
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Holds, 1), "{outcome}");
}

/// An exchange that expects what the last one has read: the second round is not the first over again.
#[test]
fn a_failed_exchange_with_another_operand_is_not_a_round_that_waits() {
    let (outcome, _) = beside_a_store(Builder::new(), |flag| {
        let mut seen = 0;
        while let Err(newer) = flag.compare_exchange(seen, seen + 2, Acquire, Acquire) {
            seen = newer;
            hint::spin_loop();
        }
        seen == 1
    });
    // The exchange reads 0, before the store; or the first one reads 1 and fails, and the second does not.
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::Holds, 2), "{outcome}");
}

/// Adds 1 with a compare-exchange that, when it fails, expects next what it read.
fn add_one(counter: &AtomicUsize) {
    let mut expected = counter.load(Acquire);
    while let Err(now) = counter.compare_exchange(expected, expected + 1, Release, Ordering::Relaxed) {
        expected = now;
        hint::spin_loop();
    }
}

#[test]
fn an_exchange_that_expects_next_what_it_read_is_no_loop_that_waits() {
    let outcome = Builder::new().check(|| {
        let counter = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| add_one(&counter));
            scope.spawn(|| add_one(&counter));
        });
        assert_eq!(counter.load(Acquire), 2);
    });
    // Either is first, and the other either fails first or not.
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::Holds, 4), "{outcome}");
}

/// Waits, when it is dropped by a panic, for what nobody does any more once the execution is cut.
struct WaitsInDrop(Arc<AtomicUsize>);

impl Drop for WaitsInDrop {
    fn drop(&mut self) {
        with_hint(&self.0);
    }
}

#[test]
fn a_panic_that_waits_in_a_destructor_for_ever_is_left_behind_with_its_execution() {
    let outcome = Builder::new().check(|| {
        let never = Arc::new(AtomicUsize::new(0));
        let other = thread::spawn(move || {
            let _waits = WaitsInDrop(never);
            panic!("it waits when it is dropped");
        });
        let _panicked = other.join();
    });
    assert_eq!(outcome.verdict, Verdict::Livelock, "{outcome}");
}

/// A register whose reads are wrong.
#[derive(Default)]
struct Wrong(AtomicUsize);

#[cdsspec::spec]
#[declare_state(value: usize)]
impl Wrong {
    /// Yields last of all.
    #[side_effect(*value)]
    fn read_and_yield(&self) -> usize {
        #[op_define]
        let value = self.0.load(Acquire);
        hint::spin_loop();
        value + 1
    }

    #[side_effect(*value)]
    fn read(&self) -> usize {
        #[op_define]
        let value = self.0.load(Acquire);
        value + 1
    }
}

#[test]
fn a_call_that_ends_or_begins_after_a_yield_and_before_another_operation_is_recorded() {
    let outcome = Builder::new().check(|| _ = Wrong::default().read_and_yield());
    assert_eq!(outcome.verdict, Verdict::Violated, "{outcome}");
    let outcome = Builder::new().check(|| {
        let other = AtomicUsize::new(0);
        other.load(Acquire);
        hint::spin_loop();
        Wrong::default().read();
    });
    assert_eq!(outcome.verdict, Verdict::Violated, "{outcome}");
}

#[test]
fn a_lock_that_is_free_is_taken() {
    let outcome = Builder::new().check(|| {
        let flag = Arc::new(AtomicUsize::new(0));
        let setter = flag.clone();
        let threads = [
            thread::spawn(move || setter.store(1, Release)),
            thread::spawn(|| {
                let own = cdsspec::sync::Mutex::new(0);
                (0..4).for_each(|_| *own.lock().expect("nobody panics with it") += 1);
            }),
        ];
        flag.load(Acquire);
        threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    });
    assert_eq!((outcome.complete_executions, outcome.by_products), (2, 0), "{outcome}");
}

/// What an access of a cell keeps is not on the stack, where it would differ from round to round.
#[test]
fn a_loop_that_reads_a_cell_in_its_rounds_waits() {
    struct Shared(AtomicUsize, cdsspec::cell::UnsafeCell<usize>);
    // SAFETY: nobody writes the cell.
    unsafe impl Sync for Shared {}
    let outcome = Builder::new().check(|| {
        let shared = Arc::new(Shared(AtomicUsize::new(0), cdsspec::cell::UnsafeCell::new(7)));
        let other = shared.clone();
        let setter = thread::spawn(move || other.0.store(1, Release));
        while shared.0.load(Acquire) == 0 {
            // SAFETY: as above.
            assert_eq!(shared.1.with(|value| unsafe { *value }), 7);
            hint::spin_loop();
        }
        setter.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.bounds.len()), (Verdict::Holds, 0), "{outcome}");
}
