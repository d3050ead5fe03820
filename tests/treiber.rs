//! A Treiber stack through annotated calls: outcomes, faults beside executions that complete, and a static of two models at once.

#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

use crate::stack;

use cdsspec::cell::UnsafeCell;
use cdsspec::sync::Mutex;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use cdsspec::thread;
use cdsspec::{Builder, EngineKind, Outcome, Verdict};
use stack::Stack;
use std::collections::BTreeSet;
use std::sync::{Arc, Barrier, Mutex as StdMutex};

/// The engines, and what a program without a fault comes to on each.
const ENGINES: [(EngineKind, Verdict); 2] =
    [(EngineKind::Rc11, Verdict::Holds), (EngineKind::Loom, Verdict::HoldsWithin)];

/// Who is the spawned thread.
#[derive(Clone, Copy, PartialEq)]
enum Spawned {
    Pushes,
    Pops,
}

/// So many pops beside as many pushes of 1, 2, …: what is popped in the executions.
fn popped_beside_pushes(
    engine: EngineKind,
    spawned: Spawned,
    times: i32,
) -> (Outcome, BTreeSet<Vec<Option<i32>>>) {
    let found = Arc::new(StdMutex::new(BTreeSet::new()));
    let found2 = found.clone();
    let outcome = Builder::new().engine(engine).check(move || {
        let stack = Arc::new(Stack::new());
        let stack2 = stack.clone();
        let pops = move |stack: &Stack| -> Vec<_> { (0..times).map(|_| stack.pop()).collect() };
        let pushes = move |stack: &Stack| (1..=times).for_each(|value| stack.push(value));
        let popped = if spawned == Spawned::Pops {
            let other = thread::spawn(move || pops(&stack2));
            pushes(&stack);
            other.join().expect("no thread panics")
        } else {
            let other = thread::spawn(move || pushes(&stack2));
            let popped = pops(&stack);
            other.join().expect("no thread panics");
            popped
        };
        found2.lock().expect("nobody panics with it").insert(popped);
    });
    let found = found.lock().expect("nobody panics with it").clone();
    (outcome, found)
}

fn cases() -> impl Iterator<Item = ((EngineKind, Verdict), Spawned)> {
    ENGINES.into_iter().flat_map(|engine| [(engine, Spawned::Pushes), (engine, Spawned::Pops)])
}

#[test]
fn a_pop_beside_a_push_finds_nothing_or_the_value_whoever_is_spawned() {
    for ((engine, best), spawned) in cases() {
        let (outcome, found) = popped_beside_pushes(engine, spawned, 1);
        assert_eq!(outcome.verdict, best, "{outcome}");
        assert_eq!(found, BTreeSet::from([vec![None], vec![Some(1)]]));
    }
}

#[test]
fn two_pops_beside_two_pushes_have_all_six_outcomes_whoever_is_spawned() {
    let all = [
        [None, None],
        [None, Some(1)],
        [None, Some(2)],
        [Some(1), None],
        [Some(1), Some(2)],
        [Some(2), Some(1)],
    ];
    for ((engine, best), spawned) in cases() {
        let (outcome, found) = popped_beside_pushes(engine, spawned, 2);
        assert_eq!(outcome.verdict, best, "{outcome}");
        assert_eq!(found, all.map(Vec::from).into());
    }
}

/// Does atomic operations and a call when it is dropped, also when its thread leaves an execution that was cut.
struct Noisy(Arc<(AtomicUsize, Stack)>);

impl Noisy {
    fn new() -> Self {
        Self(Arc::new((AtomicUsize::new(0), Stack::new())))
    }

    fn beside(&self) -> Self {
        Self(self.0.clone())
    }
}

impl Drop for Noisy {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, AcqRel);
        self.0.1.push(1);
        self.0.1.pop();
    }
}

/// A program whose executions end in this way or complete: both are counted, and nothing else.
fn assert_counted_beside_complete(
    builder: Builder,
    fault: Verdict,
    program: impl Fn() + Send + Sync + Clone + 'static,
) {
    for (engine, _) in ENGINES {
        let builder = builder.clone().engine(engine).stop_at_first(false).call_clock(false);
        let outcome = builder.check(program.clone());
        assert_eq!(outcome.verdict, fault, "{outcome}");
        let verdicts: BTreeSet<Verdict> = outcome.counts.keys().copied().collect();
        assert_eq!(verdicts, [fault, Verdict::Holds].into(), "{outcome}");
        assert_eq!(
            outcome.counts.values().sum::<u64>() + outcome.by_products,
            outcome.executions,
            "{outcome}"
        );
        assert_eq!(outcome.counts[&Verdict::Holds], outcome.complete_executions, "{outcome}");
        assert!(outcome.is_complete, "{outcome}");
        assert!(!std::thread::panicking(), "no panic of the program is left behind");
    }
}

#[test]
fn locks_taken_in_opposite_orders_are_deadlocks_beside_executions_that_complete() {
    assert_counted_beside_complete(Builder::new(), Verdict::Deadlock, || {
        let noisy = Noisy::new();
        let locks = Arc::new((Mutex::new(0), Mutex::new(0)));
        let (noisy2, locks2) = (noisy.beside(), locks.clone());
        let other = thread::spawn(move || {
            let _noisy = noisy2;
            let _first = locks2.0.lock().expect("nobody panics with it");
            let _second = locks2.1.lock().expect("nobody panics with it");
        });
        {
            let _second = locks.1.lock().expect("nobody panics with it");
            let _first = locks.0.lock().expect("nobody panics with it");
        }
        other.join().expect("it does not panic");
    });
}

#[test]
fn a_child_that_panics_is_a_panic_beside_executions_that_complete() {
    assert_counted_beside_complete(Builder::new(), Verdict::Panic, || {
        let noisy = Noisy::new();
        let flag = Arc::new(AtomicUsize::new(0));
        let (noisy2, flag2) = (noisy.beside(), flag.clone());
        let _nobody_joins = thread::spawn(move || {
            let _noisy = noisy2;
            assert_eq!(flag2.load(Relaxed), 0, "the flag is up");
        });
        flag.store(1, Relaxed);
    });
}

struct Shared(UnsafeCell<i32>);
// SAFETY: the test races on purpose; the race is found before the memory is touched.
unsafe impl Sync for Shared {}

#[test]
fn an_unordered_access_of_a_cell_is_a_race_beside_executions_that_complete() {
    assert_counted_beside_complete(Builder::new(), Verdict::Race, || {
        let noisy = Noisy::new();
        let shared = Arc::new((AtomicUsize::new(0), Shared(UnsafeCell::new(0))));
        let (noisy2, shared2) = (noisy.beside(), shared.clone());
        let other = thread::spawn(move || {
            let _noisy = noisy2;
            // SAFETY: see `Shared`.
            shared2.1.0.with_mut(|value| unsafe { *value = 1 });
            shared2.0.store(1, Relaxed);
        });
        if shared.0.load(Acquire) == 1 {
            // SAFETY: see `Shared`.
            shared.1.0.with(|value| unsafe { *value });
        }
        other.join().expect("it does not panic");
    });
}

#[test]
fn a_branch_limit_is_inconclusive_beside_executions_that_complete() {
    assert_counted_beside_complete(Builder::new().branches_max(40), Verdict::Inconclusive, || {
        let flag = Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let other = thread::spawn(move || flag2.store(1, Release));
        if flag.load(Acquire) == 1 {
            let _noisy = Noisy::new();
            (0..50).for_each(|_| _ = flag.fetch_add(0, Relaxed));
        }
        other.join().expect("it does not panic");
    });
}

static SHARED: Stack = Stack::new();

/// A program on the static.
fn push_pop__push() {
    let other = thread::spawn(|| SHARED.push(2));
    SHARED.push(1);
    assert!(SHARED.pop().is_some());
    other.join().expect("it does not panic");
}

#[test]
fn two_models_at_once_over_one_static_are_as_if_alone() {
    for (engine, best) in ENGINES {
        let run = move || Builder::new().engine(engine).name("push_pop__push").check(push_pop__push);
        let alone = run();
        assert_eq!(alone.verdict, best, "{alone}");
        let barrier = Arc::new(Barrier::new(2));
        let threads = [(); 2].map(|()| {
            let barrier = barrier.clone();
            std::thread::spawn(move || {
                barrier.wait();
                run()
            })
        });
        for together in threads.map(|thread| thread.join().expect("a check does not panic")) {
            assert_eq!((together.executions, &together.counts), (alone.executions, &alone.counts));
            assert_eq!((together.shapes, together.histories), (alone.shapes, alone.histories));
        }
    }
    // Outside a model it is a stack like any other.
    SHARED.push(7);
    assert_eq!((SHARED.pop(), SHARED.pop()), (Some(7), None));
}
