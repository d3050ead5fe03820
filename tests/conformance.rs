//! Programs on which loom is known to miss behaviours or to report impossible ones, on both engines.
#![expect(clippy::unwrap_used, reason = "programs under test: a thread that panics fails the test")]

use cdsspec::cell::UnsafeCell;
use cdsspec::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, Ordering::*};
use cdsspec::sync::{Condvar, Mutex};
use cdsspec::{hint, thread};
use cdsspec_litmus::explore::plain_limits;
use cdsspec_litmus::{Explored, explore};
use cdsspec_runtime::engine::graph::GraphEngine;
use cdsspec_runtime::engine::loom::LoomEngine;
use cdsspec_runtime::engine::{Engine, Exploration};
use cdsspec_runtime::record::{Limit, LimitKind};
use std::collections::BTreeSet;
use std::ptr::null_mut;
use std::sync::Arc;

/// What loom makes of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Loom {
    /// The outcomes are right.
    IsRight,
    /// Some outcomes are missing.
    Misses,
    /// Some outcomes are impossible.
    IsWrong,
}

use Loom::{IsRight, IsWrong, Misses};

struct Row {
    name: &'static str,
    program: fn() -> String,
    /// The outcomes that the memory model allows.
    correct: &'static [&'static str],
    loom: Loom,
    /// What loom shows.
    on_loom: &'static [&'static str],
}

/// An `Arc` and a second one.
fn pair<T>(value: T) -> (Arc<T>, Arc<T>) {
    let first = Arc::new(value);
    (first.clone(), first)
}

fn own_load_before_a_store() -> String {
    let (x, x2) = pair(AtomicBool::new(false));
    let child = thread::spawn(move || {
        x2.load(Relaxed);
        x2.store(true, Relaxed);
    });
    let seen = x.load(Relaxed);
    child.join().unwrap();
    seen.to_string()
}

fn own_load_before_a_store_and_another_location() -> String {
    let (memory, memory2) = pair([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let child = thread::spawn(move || {
        memory2[0].load(Relaxed);
        memory2[0].store(1, Relaxed);
        memory2[1].load(Relaxed)
    });
    let mine = memory[0].load(Relaxed);
    memory[1].store(1, Relaxed);
    format!("{} {mine}", child.join().unwrap())
}

struct Node {
    value: usize,
    next: AtomicPtr<Node>,
}

/// A Treiber stack. Nodes are never freed: who frees them is not the point here.
struct Stack(AtomicPtr<Node>);

impl Stack {
    fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    fn push(&self, value: usize) {
        let node = Box::into_raw(Box::new(Node { value, next: AtomicPtr::new(null_mut()) }));
        loop {
            let head = self.0.load(Relaxed);
            // SAFETY: nodes are never freed.
            unsafe { &*node }.next.store(head, Relaxed);
            if self.0.compare_exchange(head, node, Release, Relaxed).is_ok() {
                return;
            }
            hint::spin_loop();
        }
    }

    /// The value on top; 0 if there is none.
    fn pop(&self) -> usize {
        loop {
            let head = self.0.load(Acquire);
            if head.is_null() {
                return 0;
            }
            // SAFETY: nodes are never freed.
            let node = unsafe { &*head };
            let next = node.next.load(Relaxed);
            if self.0.compare_exchange(head, next, Acquire, Relaxed).is_ok() {
                return node.value;
            }
            hint::spin_loop();
        }
    }
}

/// Pops and pushes as often as this, in two threads.
fn treiber(count: usize, is_pop_first: bool) -> String {
    let (stack, stack2) = pair(Stack::new());
    let pop = move || (0..count).map(|_| stack.pop().to_string()).collect::<Vec<_>>().join(" ");
    let push = move || (1..=count).for_each(|value| stack2.push(value));
    let (popping, pushing);
    if is_pop_first {
        popping = thread::spawn(pop);
        pushing = thread::spawn(push);
    } else {
        pushing = thread::spawn(push);
        popping = thread::spawn(pop);
    }
    pushing.join().unwrap();
    popping.join().unwrap()
}

fn pop_of_main_beside_push() -> String {
    let (stack, stack2) = pair(Stack::new());
    let pushing = thread::spawn(move || stack2.push(1));
    let popped = stack.pop();
    pushing.join().unwrap();
    popped.to_string()
}

/// A value, and whether it is there.
struct Published {
    value: UnsafeCell<usize>,
    flag: AtomicUsize,
}

// SAFETY: whether the accesses are ordered is what the engines check.
unsafe impl Sync for Published {}

/// The compare-exchange that publishes the value lacks Release.
fn published_by_a_relaxed_compare_exchange(is_consumer_first: bool) -> String {
    let published = Published { value: UnsafeCell::new(0), flag: AtomicUsize::new(0) };
    let (produced, consumed) = pair(published);
    let produce = move || {
        // SAFETY: nobody reads before the flag is set.
        produced.value.with_mut(|value| unsafe { *value = 7 });
        let flag = produced.flag.load(Relaxed);
        produced.flag.compare_exchange(flag, 1, Relaxed, Relaxed).is_ok()
    };
    let consume = move || match consumed.flag.load(Acquire) {
        0 => 0,
        // SAFETY: whoever set the flag has written the value.
        _ => consumed.value.with(|value| unsafe { *value }),
    };
    let (producing, consuming);
    if is_consumer_first {
        consuming = thread::spawn(consume);
        producing = thread::spawn(produce);
    } else {
        producing = thread::spawn(produce);
        consuming = thread::spawn(consume);
    }
    producing.join().unwrap();
    consuming.join().unwrap().to_string()
}

fn swap_beside_store() -> String {
    let (x, x2) = pair(AtomicBool::new(false));
    let child = thread::spawn(move || x2.swap(false, AcqRel));
    x.store(true, Release);
    let swapped = child.join().unwrap();
    format!("{swapped} {}", x.load(Relaxed))
}

fn store_under_a_mutex_read_by_an_rmw() -> String {
    let (memory, memory2) = pair((Mutex::new(false), AtomicUsize::new(0)));
    let child = thread::spawn(move || {
        let mut is_stored = memory2.0.lock().unwrap();
        memory2.1.store(1, Relaxed);
        *is_stored = true;
    });
    memory.1.fetch_add(0, Relaxed);
    let seen = {
        let is_stored = memory.0.lock().unwrap();
        is_stored.then(|| memory.1.fetch_add(0, Relaxed))
    };
    child.join().unwrap();
    format!("{seen:?}")
}

fn store_buffering(order: Ordering) -> String {
    let (memory, memory2) = pair([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let child = thread::spawn(move || {
        memory2[0].store(1, order);
        memory2[1].load(order)
    });
    memory[1].store(1, order);
    let mine = memory[0].load(order);
    format!("{} {mine}", child.join().unwrap())
}

/// Independent reads of independent writes; main is one of the readers.
fn iriw_seq_cst() -> String {
    let memory = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let start = |run: fn(&[AtomicUsize; 2]) -> String| {
        let memory = memory.clone();
        thread::spawn(move || run(&memory))
    };
    let writers = [
        start(|memory| {
            memory[0].store(1, SeqCst);
            String::new()
        }),
        start(|memory| {
            memory[1].store(1, SeqCst);
            String::new()
        }),
    ];
    let reader = start(|memory| format!("{}{}", memory[0].load(SeqCst), memory[1].load(SeqCst)));
    let mine = format!("{}{}", memory[1].load(SeqCst), memory[0].load(SeqCst));
    let other = reader.join().unwrap();
    for writer in writers {
        writer.join().unwrap();
    }
    format!("{other} {mine}")
}

fn failed_compare_exchange_reads_an_old_store() -> String {
    let (memory, memory2) = pair([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let child = thread::spawn(move || {
        memory2[0].store(1, Relaxed);
        memory2[1].store(1, Relaxed);
    });
    let flag = memory[1].load(Relaxed);
    let read = memory[0].compare_exchange(5, 6, Relaxed, Relaxed).unwrap_err();
    child.join().unwrap();
    format!("{flag} {read}")
}

fn load_buffering() -> String {
    let (memory, memory2) = pair([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let child = thread::spawn(move || {
        let seen = memory2[0].load(Relaxed);
        memory2[1].store(1, Relaxed);
        seen
    });
    let seen = memory[1].load(Relaxed);
    memory[0].store(1, Relaxed);
    format!("{} {seen}", child.join().unwrap())
}

/// Who reads after nine stores, with no order between them, may read each of them.
fn nine_stores() -> String {
    let (memory, memory2) = pair([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let child = thread::spawn(move || {
        (1..=9).for_each(|value| memory2[0].store(value, Relaxed));
        memory2[1].store(1, Relaxed);
    });
    let is_over = memory[1].load(Relaxed) == 1;
    let seen = if is_over { memory[0].load(Relaxed).to_string() } else { String::new() };
    child.join().unwrap();
    seen
}

fn a_weak_compare_exchange_alone() -> String {
    let x = AtomicUsize::new(0);
    x.compare_exchange_weak(0, 1, Relaxed, Relaxed).is_ok().to_string()
}

fn try_lock_beside_try_lock() -> String {
    let (lock, lock2) = pair(Mutex::new(0));
    let child = thread::spawn(move || lock2.try_lock().is_ok());
    let mine = lock.try_lock().is_ok();
    format!("{} {mine}", child.join().unwrap())
}

/// The token of a park is not what a condvar waits for.
fn condvar_beside_a_park_token() -> String {
    let (shared, shared2) = pair((Mutex::new(false), Condvar::new()));
    let main = thread::current();
    let child = thread::spawn(move || {
        main.unpark();
        *shared2.0.lock().unwrap() = true;
        shared2.1.notify_one();
    });
    let mut is_ready = shared.0.lock().unwrap();
    while !*is_ready {
        is_ready = shared.1.wait(is_ready).unwrap();
    }
    drop(is_ready);
    thread::park();
    child.join().unwrap();
    "over".to_string()
}

/// Issue numbers are loom's.
const ROWS: &[Row] = &[
    Row {
        name: "#392: an own load before a store hides another thread's load",
        program: own_load_before_a_store,
        correct: &["false", "true"],
        loom: Misses,
        on_loom: &["false"],
    },
    Row {
        name: "#166: the same, and another location",
        program: own_load_before_a_store_and_another_location,
        correct: &["0 0", "0 1", "1 0", "1 1"],
        loom: Misses,
        on_loom: &["0 0", "1 0"],
    },
    Row {
        name: "Treiber, pop beside push, the popper started first",
        program: || treiber(1, true),
        correct: &["0", "1"],
        loom: Misses,
        on_loom: &["0"],
    },
    Row {
        name: "Treiber, pop beside push, the pusher started first",
        program: || treiber(1, false),
        correct: &["0", "1"],
        loom: IsRight,
        on_loom: &["0", "1"],
    },
    Row {
        name: "Treiber, pop of main beside push",
        program: pop_of_main_beside_push,
        correct: &["0", "1"],
        loom: Misses,
        on_loom: &["0"],
    },
    Row {
        name: "Treiber, pop pop beside push push, the popper started first",
        program: || treiber(2, true),
        correct: &["0 0", "0 1", "0 2", "1 0", "1 2", "2 1"],
        loom: Misses,
        on_loom: &["0 0"],
    },
    Row {
        name: "Treiber, pop pop beside push push, the pusher started first",
        program: || treiber(2, false),
        correct: &["0 0", "0 1", "0 2", "1 0", "1 2", "2 1"],
        loom: Misses,
        on_loom: &["0 0", "0 1", "0 2", "1 0", "2 1"],
    },
    Row {
        name: "published by a relaxed compare-exchange, the consumer started first",
        program: || published_by_a_relaxed_compare_exchange(true),
        correct: &["0", "RACE"],
        loom: Misses,
        on_loom: &["0"],
    },
    Row {
        name: "published by a relaxed compare-exchange, the producer started first",
        program: || published_by_a_relaxed_compare_exchange(false),
        correct: &["0", "RACE"],
        loom: IsRight,
        on_loom: &["0", "RACE"],
    },
    Row {
        name: "#254: swap(false) beside store(true)",
        program: swap_beside_store,
        correct: &["false true", "true false"],
        loom: IsWrong,
        on_loom: &["false false", "false true", "true false"],
    },
    Row {
        name: "#424: a store under a mutex, read by an RMW",
        program: store_under_a_mutex_read_by_an_rmw,
        correct: &["None", "Some(1)"],
        loom: IsWrong,
        on_loom: &["None", "Some(0)", "Some(1)"],
    },
    Row {
        name: "store buffering, SeqCst",
        program: || store_buffering(SeqCst),
        correct: &["0 1", "1 0", "1 1"],
        loom: IsRight,
        on_loom: &["0 1", "1 0", "1 1"],
    },
    Row {
        name: "a failed compare-exchange reads an old store",
        program: failed_compare_exchange_reads_an_old_store,
        correct: &["0 0", "0 1", "1 0", "1 1"],
        loom: Misses,
        on_loom: &["0 0", "0 1", "1 1"],
    },
    Row {
        name: "load buffering: the model RC11 excludes 1 1, which C++ allows",
        program: load_buffering,
        correct: &["0 0", "0 1", "1 0"],
        loom: IsRight,
        on_loom: &["0 0", "0 1", "1 0"],
    },
    Row {
        name: "nine stores",
        program: nine_stores,
        correct: &["", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
        loom: Misses,
        on_loom: &["", "3", "4", "5", "6", "7", "8", "9"],
    },
    Row {
        name: "a weak compare-exchange alone",
        program: a_weak_compare_exchange_alone,
        correct: &["false", "true"],
        loom: Misses,
        on_loom: &["true"],
    },
    Row {
        name: "#376: try_lock beside try_lock",
        program: try_lock_beside_try_lock,
        correct: &["false true", "true false", "true true"],
        loom: IsRight,
        on_loom: &["false true", "true false", "true true"],
    },
    Row {
        name: "#422: a condvar beside a park token",
        program: condvar_beside_a_park_token,
        correct: &["over"],
        loom: IsRight,
        on_loom: &["over"],
    },
];

/// An engine's outcomes; `blocked` or the word of another ending stands among them, if there is one.
fn outcomes(explored: &Explored) -> BTreeSet<&str> {
    let blocked = (explored.blocked > 0).then_some("blocked");
    let others = explored.others.keys().copied();
    explored.outcomes.keys().map(String::as_str).chain(blocked).chain(others).collect()
}

fn set(outcomes: &'static [&'static str]) -> BTreeSet<&'static str> {
    outcomes.iter().copied().collect()
}

#[test]
fn rc11_is_right_on_every_row() {
    for row in ROWS {
        let explored = explore(&GraphEngine::new(), &plain_limits(), row.program);
        assert_eq!(outcomes(&explored), set(row.correct), "{}: {explored:?}", row.name);
        assert_eq!(explored.end, Exploration::Complete, "{}", row.name);
    }
}

#[test]
fn loom_does_what_the_rows_say() {
    for row in ROWS {
        let explored = explore(&LoomEngine::new(), &plain_limits(), row.program);
        assert_eq!(outcomes(&explored), set(row.on_loom), "{}: {explored:?}", row.name);
        let (correct, found) = (set(row.correct), set(row.on_loom));
        let loom = match (correct.is_subset(&found), found.is_subset(&correct)) {
            (true, true) => IsRight,
            (_, true) => Misses,
            (_, false) => IsWrong,
        };
        assert_eq!(loom, row.loom, "{}", row.name);
    }
}

#[test]
fn rc11_finishes_iriw_with_seq_cst_and_loom_does_not() {
    let explored = explore(&GraphEngine::new(), &plain_limits(), iriw_seq_cst);
    assert_eq!(explored.end, Exploration::Complete);
    assert_eq!(explored.complete, 15, "all but one reader seeing x only and the other y only");
    assert!(!explored.outcomes.contains_key("10 10"), "{explored:?}");
    let mut limits = plain_limits();
    limits.executions_max = Some(2_000);
    let explored = explore(&LoomEngine::new(), &limits, iriw_seq_cst);
    assert_eq!(explored.end, Exploration::Limit(Limit { kind: LimitKind::Executions, value: 2_000 }));
}

/// Two threads that take two locks in opposite orders.
fn opposite_locks() -> String {
    let (locks, locks2) = pair([Mutex::new(()), Mutex::new(())]);
    let child = thread::spawn(move || {
        let _first = locks2[0].lock().unwrap();
        let _second = locks2[1].lock().unwrap();
    });
    {
        let _first = locks[1].lock().unwrap();
        let _second = locks[0].lock().unwrap();
    }
    child.join().unwrap();
    "over".to_string()
}

#[test]
fn a_deadlock_is_a_result_and_the_exploration_goes_on() {
    let engines: [&dyn Engine; 2] = [&GraphEngine::new(), &LoomEngine::new()];
    for engine in engines {
        let explored = explore(engine, &plain_limits(), opposite_locks);
        assert_eq!(outcomes(&explored), BTreeSet::from(["blocked", "over"]), "{}", engine.name());
        assert_eq!(explored.end, Exploration::Complete, "{}", engine.name());
    }
}

/// A thread spins for a flag that nobody sets.
fn spin_for_ever() -> String {
    let flag = AtomicBool::new(false);
    while !flag.load(Acquire) {
        hint::spin_loop();
    }
    String::new()
}

#[test]
fn a_livelock_is_a_result() {
    let mut limits = plain_limits();
    limits.branches_max = 200;
    let explored = explore(&GraphEngine::new(), &limits, spin_for_ever);
    assert_eq!((explored.complete, explored.blocked, explored.spinning), (0, 1, 1), "{explored:?}");
}

/// A thread that has read an old store spins for a flag that nobody sets.
fn spin_after_an_old_store() -> String {
    let (memory, memory2) = pair([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let child = thread::spawn(move || memory2[0].store(1, Relaxed));
    let seen = memory[0].load(Relaxed);
    while seen == 0 && memory[1].load(Relaxed) == 0 {
        hint::spin_loop();
    }
    child.join().unwrap();
    seen.to_string()
}

#[test]
fn what_a_thread_read_before_it_spins_does_not_hide_a_livelock() {
    let explored = explore(&GraphEngine::new(), &plain_limits(), spin_after_an_old_store);
    assert_eq!((explored.outcome_set(), explored.blocked), (vec!["1"], 1), "{explored:?}");
}

/// A thread yields between two loads, in no loop.
fn yield_between_loads() -> String {
    let x = AtomicUsize::new(0);
    let first = x.load(Relaxed);
    thread::yield_now();
    format!("{first} {}", x.load(Relaxed))
}

#[test]
fn a_yield_in_no_loop_waits_for_nothing() {
    let explored = explore(&GraphEngine::new(), &plain_limits(), yield_between_loads);
    assert_eq!((explored.outcome_set(), explored.blocked), (vec!["0 0"], 0), "{explored:?}");
}

#[test]
fn a_limit_of_executions_is_honoured_to_the_execution() {
    let mut limits = plain_limits();
    limits.executions_max = Some(10);
    let engines: [&dyn Engine; 2] = [&GraphEngine::new(), &LoomEngine::new()];
    for engine in engines {
        let explored = explore(engine, &limits, iriw_seq_cst);
        let visited = explored.complete + explored.blocked + explored.by_products;
        assert_eq!(visited, 10, "{}: {explored:?}", engine.name());
        assert!(matches!(explored.end, Exploration::Limit(_)), "{}", engine.name());
    }
}
