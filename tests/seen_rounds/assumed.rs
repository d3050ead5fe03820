//! Rounds that are left out since the user assumes that loops which wait keep nothing.

use super::explore;
use cdsspec::cell::UnsafeCell;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicPtr, AtomicUsize};
use cdsspec::{Builder, Outcome, Verdict, hint, thread};

static LOCK: AtomicUsize = AtomicUsize::new(0);
static WORD: AtomicUsize = AtomicUsize::new(0);

/// Explores with and without the assumption, to the end: how many executions are complete.
fn both(program: fn()) -> [Outcome; 2] {
    [false, true].map(|assumes| Builder::new().spin_assume(assumes).stop_at_first(false).check(program))
}

fn in_threads(count: usize, run: fn()) {
    let threads: Vec<_> = (0..count).map(|_| thread::spawn(run)).collect();
    for thread in threads {
        thread.join().expect("it does not panic");
    }
}

fn lock() {
    while LOCK.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
        hint::spin_loop();
    }
}

#[test]
fn a_lock_is_taken_in_each_order_once_and_that_is_a_bound() {
    let programs: [fn(); 2] = [
        || {
            in_threads(4, || {
                lock();
                LOCK.store(0, Release);
            });
        },
        // Each failure is followed by an exchange of what it saw.
        || {
            in_threads(4, || {
                let mut value = WORD.load(Relaxed);
                while let Err(now) = WORD.compare_exchange(value, value + 1, Relaxed, Relaxed) {
                    value = now;
                }
            });
        },
    ];
    for program in programs {
        let [plain, assumed] = both(program);
        assert_eq!(plain.verdict, Verdict::Holds, "{plain}");
        assert_eq!((assumed.verdict, assumed.complete_executions), (Verdict::HoldsWithin, 24), "{assumed}");
        assert_eq!(assumed.bounds, ["spin_assume: rounds of loops that wait are left out"]);
        assert!(plain.complete_executions > 24, "{plain}");
    }
}

#[test]
fn what_a_loop_counts_is_not_seen_and_what_it_decides_by_its_count_is() {
    // It goes on as soon as the flag is up, and must not have waited.
    let counts: fn() = || {
        let setter = thread::spawn(|| WORD.store(1, Release));
        let mut rounds = 0;
        while WORD.load(Acquire) == 0 {
            rounds += 1;
            hint::spin_loop();
        }
        setter.join().expect("it does not panic");
        assert_eq!(rounds, 0);
    };
    assert_eq!(both(counts).map(|outcome| outcome.verdict), [Verdict::Panic, Verdict::HoldsWithin]);
    // It gives up: it tries, and does not wait.
    let tries = [false, true].map(|assumes| {
        let (outcome, found) = explore(Builder::new().spin_assume(assumes), || {
            let setter = thread::spawn(|| WORD.store(1, Release));
            let round = (0..3).find(|_| {
                hint::spin_loop();
                WORD.load(Acquire) == 1
            });
            setter.join().expect("it does not panic");
            round
        });
        (outcome.complete_executions, found)
    });
    assert_eq!(tries[0], (4, [None, Some(0), Some(1), Some(2)].into()));
    assert_eq!(tries[1], tries[0]);
}

#[test]
fn a_thread_that_waits_for_ever_is_a_livelock_and_no_other_is() {
    let forgets: fn() = || {
        in_threads(2, || {
            lock();
            hint::spin_loop();
        });
    };
    let counts = |outcome: Outcome| (outcome.verdict, outcome.complete_executions, outcome.blocked);
    assert_eq!(both(forgets).map(counts), [(Verdict::Livelock, 0, 2); 2]);
    // Whoever reads the newest value and expects it next goes on.
    let goes_on: fn() = || {
        let _ = WORD.load(Relaxed);
        let mut value = 7;
        while let Err(now) = WORD.compare_exchange(value, value + 1, Relaxed, Relaxed) {
            value = now;
        }
    };
    let outcome = Builder::new().spin_assume(true).check(goes_on);
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::HoldsWithin, 1), "{outcome}");
}

fn wait(tries: usize) {
    for _ in 0..tries {
        if WORD.load(Acquire) == 1 {
            break;
        }
        hint::spin_loop();
    }
}

#[test]
fn a_thread_that_gives_up_is_no_livelock() {
    // It is not followed to its end.
    let outcome = Builder::new().spin_assume(true).loop_rounds_max(4).check(|| wait(1_000));
    assert_eq!(outcome.verdict, Verdict::Inconclusive, "{outcome}");
    // While somebody waits there for it, too.
    let outcome = Builder::new().spin_assume(true).loop_rounds_max(4).stop_at_first(false).check(|| {
        let setter = thread::spawn(|| {
            wait(2);
            WORD.store(1, Release);
        });
        wait(1_000);
        setter.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.blocked), (Verdict::HoldsWithin, 0), "{outcome}");
    assert!(outcome.complete_executions > 0, "{outcome}");
}

struct Node {
    value: UnsafeCell<usize>,
}

// SAFETY: the checker is there to say whether that is right.
unsafe impl Sync for Node {}

static HEAD: AtomicPtr<Node> = AtomicPtr::new(std::ptr::null_mut());

/// Takes the node, and reads it, beside a thread that publishes another one: the exchange that works acquires nothing.
fn take(failure: Ordering) -> Verdict {
    let program = move || {
        let nodes = [1, 2].map(|value| Arc::new(Node { value: UnsafeCell::new(value) }));
        HEAD.store(Arc::as_ptr(&nodes[0]).cast_mut(), Relaxed);
        let next = nodes[1].clone();
        let pusher = thread::spawn(move || {
            // SAFETY: nobody else has the node.
            next.value.with_mut(|value| unsafe { *value = 3 });
            HEAD.store(Arc::as_ptr(&next).cast_mut(), Release);
        });
        let mut node = HEAD.load(Acquire);
        while let Err(now) = HEAD.compare_exchange(node, std::ptr::null_mut(), Relaxed, failure) {
            node = now;
        }
        // SAFETY: the checker is there to say whether that is right.
        let taken = unsafe { &*node };
        // SAFETY: as above.
        let _value = taken.value.with(|value| unsafe { *value });
        pusher.join().expect("it does not panic");
    };
    Builder::new().spin_assume(true).check(program).verdict
}

#[test]
fn what_a_failed_exchange_did_not_acquire_is_a_race() {
    assert_eq!([Acquire, Relaxed].map(take), [Verdict::HoldsWithin, Verdict::Race]);
}
