//! A table of programs.

use crate::handle_counts::counted_limits;
use cdsspec::cell::UnsafeCell;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use cdsspec::sync::atomic::fence;
use cdsspec::sync::{Arc, Mutex};
use cdsspec::thread::{self, spawn};
use cdsspec::{Builder, Verdict};
use cdsspec_litmus::explore::plain_limits;
use cdsspec_litmus::{explore, explore_looking};
use cdsspec_runtime::engine::Exploration;
use cdsspec_runtime::engine::graph::GraphEngine;
use cdsspec_runtime::record::{Limit, LimitKind, OperationName, operation_name};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::LazyLock;

type Words = std::sync::Arc<[AtomicUsize; 3]>;

/// Words that are shared by an `Arc` of std's, whose counts are never operations.
fn words() -> Words {
    std::sync::Arc::default()
}

/// A value whose destruction stores what it reads.
struct Noted(Words);

impl Drop for Noted {
    fn drop(&mut self) {
        self.0[2].store(1 + self.0[0].load(Relaxed), Relaxed);
    }
}

fn joined_before_the_last_drop() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let two = one.clone();
    let child = spawn(move || two.0[0].store(1, Relaxed));
    let seen = one.0[0].load(Relaxed);
    child.join().unwrap();
    drop(one);
    format!("{seen} {}", words[2].load(Relaxed))
}

fn scoped() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| one.clone().0[0].fetch_add(1, Relaxed));
        }
    });
    drop(one);
    words[2].load(Relaxed).to_string()
}

fn handed_over_by_a_lock() -> String {
    let words = words();
    let handles = std::sync::Arc::new(Mutex::new(vec![Arc::new(Noted(words.clone()))]));
    let handles2 = std::sync::Arc::clone(&handles);
    let child = spawn(move || {
        let mut handles = handles2.lock().unwrap();
        let one = handles[0].clone();
        handles.push(one);
    });
    let count = handles.lock().unwrap().len();
    child.join().unwrap();
    handles.lock().unwrap().clear();
    format!("{count} {}", words[2].load(Relaxed))
}

/// Both threads store and drop their handles; nobody waits.
fn both_drop() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let two = one.clone();
    let child = spawn(move || two.0[0].store(1, Relaxed));
    drop(one);
    let seen = words[2].load(Relaxed);
    child.join().unwrap();
    format!("{seen} {}", words[2].load(Relaxed))
}

/// The main thread is joined with one of the two, and drops first.
fn children_drop_last() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let threads = [0, 1].map(|word| {
        let one = one.clone();
        spawn(move || one.0[word].store(1, Relaxed))
    });
    drop(one);
    for thread in threads {
        thread.join().unwrap();
    }
    words[2].load(Relaxed).to_string()
}

/// The same, and then the main thread looks whether anything is left.
fn children_drop_last_then_upgrade() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let weak = Arc::downgrade(&one);
    let threads = [0, 1].map(|word| {
        let one = one.clone();
        spawn(move || one.0[word].store(1, Relaxed))
    });
    drop(one);
    for thread in threads {
        thread.join().unwrap();
    }
    format!("{} {}", weak.upgrade().is_some(), words[2].load(Relaxed))
}

/// The same, the main thread dropping its handle before it starts others, and asking in other ways.
fn children_alone_drop_then_weak_count() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let weak = Arc::downgrade(&one);
    let handles = [one.clone(), one.clone()];
    drop(one);
    let threads = handles.map(|one| spawn(move || one.0[0].store(1, Relaxed)));
    for thread in threads {
        thread.join().unwrap();
    }
    format!("{} {} {}", weak.strong_count(), weak.upgrade().is_some(), words[2].load(Relaxed))
}

/// The main thread drops the last handle after the joins, and looks then: there is no order to be seen.
fn joined_before_the_last_drop_then_upgrade() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let weak = Arc::downgrade(&one);
    let two = one.clone();
    let child = spawn(move || two.0[0].store(1, Relaxed));
    child.join().unwrap();
    drop(one);
    format!("{} {}", weak.upgrade().is_some(), words[2].load(Relaxed))
}

/// The second thread sees by a flag that the first one is done with its handle.
fn a_flag_orders_the_drops() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let two = one.clone();
    let flag = words.clone();
    let child = spawn(move || {
        drop(two);
        flag[1].store(1, Release);
    });
    let seen = words[1].load(Acquire);
    if seen == 0 {
        child.join().unwrap();
    }
    drop(one);
    format!("{seen} {}", words[2].load(Relaxed))
}

/// The same, but the flag orders nothing.
fn a_relaxed_flag_does_not() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let two = one.clone();
    let flag = words.clone();
    let _child = spawn(move || {
        two.0[0].store(1, Relaxed);
        drop(two);
        flag[1].store(1, Relaxed);
    });
    if words[1].load(Relaxed) == 0 {
        std::mem::forget(one);
        return "leaked".to_owned();
    }
    drop(one);
    words[2].load(Relaxed).to_string()
}

fn looked_at_beside_a_drop() -> String {
    let one = Arc::new(1);
    let two = one.clone();
    let child = spawn(move || drop(two));
    let count = Arc::strong_count(&one);
    child.join().unwrap();
    format!("{count} {}", Arc::strong_count(&one))
}

fn looked_at_when_nothing_else_happens() -> String {
    let mut one = Arc::new(1);
    let two = one.clone();
    let is_sole = Arc::get_mut(&mut one).is_some();
    spawn(move || drop(two)).join().unwrap();
    format!("{is_sole} {} {:?}", Arc::get_mut(&mut one).is_some(), Arc::try_unwrap(one))
}

fn upgraded_beside_the_last_drop() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let weak = Arc::downgrade(&one);
    let child = spawn(move || weak.upgrade().is_some());
    drop(one);
    let is_upgraded = child.join().unwrap();
    format!("{is_upgraded} {}", words[2].load(Relaxed))
}

fn upgraded_while_there_is_a_handle() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let weak = Arc::downgrade(&one);
    let child = spawn(move || weak.upgrade().is_some_and(|two| two.0[0].load(Relaxed) == 0));
    let is_upgraded = child.join().unwrap();
    drop(one);
    format!("{is_upgraded} {}", words[2].load(Relaxed))
}

fn two_take_what_is_left() -> String {
    let one = Arc::new(1);
    let two = one.clone();
    let child = spawn(move || Arc::into_inner(two));
    let mine = Arc::into_inner(one);
    format!("{mine:?} {:?}", child.join().unwrap())
}

/// A loop until nobody else has a handle, without an operation of its own.
fn spins_until_it_is_alone() -> String {
    let one = Arc::new(AtomicUsize::new(0));
    let two = one.clone();
    spawn(move || two.store(1, Relaxed));
    while Arc::strong_count(&one) > 1 {
        hint::spin_loop();
    }
    one.load(Relaxed).to_string()
}

fn loops_until_it_is_alone() -> String {
    let one = Arc::new(AtomicUsize::new(0));
    let two = one.clone();
    spawn(move || two.store(1, Relaxed));
    while Arc::strong_count(&one) > 1 {}
    fence(Acquire);
    one.load(Relaxed).to_string()
}

/// A drop, and a clone that comes after it or not, with a fence behind: it synchronises if it does.
fn a_fence_behind_a_clone() -> String {
    let words = words();
    let one = Arc::new(());
    let (two, theirs) = (one.clone(), words.clone());
    let child = spawn(move || {
        theirs[0].store(1, Relaxed);
        drop(two);
        theirs[1].store(1, Relaxed);
    });
    let is_after = words[1].load(Relaxed);
    let two = one.clone();
    fence(Acquire);
    let seen = words[0].load(Relaxed);
    child.join().unwrap();
    drop((one, two));
    format!("{is_after} {seen}")
}

/// Two SeqCst fences with a drop between them in some orders of the drops.
fn seq_cst_fences_around_drops() -> String {
    let words = words();
    let one = Arc::new(());
    let threads = [0, 1].map(|mine: usize| {
        let (words, one) = (words.clone(), one.clone());
        spawn(move || {
            words[mine].store(1, Relaxed);
            fence(SeqCst);
            drop(one);
            words[2].fetch_add(1, Release);
        })
    });
    let before = words[2].load(Acquire);
    fence(SeqCst);
    let seen = [0, 1].map(|word| words[word].load(Relaxed));
    for thread in threads {
        thread.join().unwrap();
    }
    drop(one);
    format!("{before} {seen:?}")
}

/// The fence of who takes the last handle acquires what its thread has read before.
fn the_fence_of_the_last_drop() -> String {
    let words = words();
    let one = Arc::new(());
    let theirs = words.clone();
    let child = spawn(move || {
        theirs[0].store(1, Relaxed);
        theirs[1].store(1, Release);
    });
    let flag = words[1].load(Relaxed);
    drop(one);
    let seen = words[0].load(Relaxed);
    child.join().unwrap();
    format!("{flag} {seen}")
}

/// What a thread does to the value, without order, races with its destruction, unless drops order it.
fn a_plain_use() -> String {
    struct Plain(UnsafeCell<usize>);
    // SAFETY: the engine sees races, and ends the execution.
    unsafe impl Sync for Plain {}
    impl Drop for Plain {
        fn drop(&mut self) {
            // SAFETY: as above.
            self.0.with_mut(|value| unsafe { *value = 0 });
        }
    }
    let one = Arc::new(Plain(UnsafeCell::new(1)));
    let two = one.clone();
    // SAFETY: as above.
    let read = |one: &Plain| one.0.with(|value| unsafe { *value });
    let child = spawn(move || read(&two));
    let mine = read(&one);
    drop(one);
    format!("{mine} {}", child.join().unwrap())
}

/// A handle that outlives the execution, of a value that is made outside.
fn a_static() -> String {
    static SHARED: LazyLock<Arc<AtomicUsize>> = LazyLock::new(|| Arc::new(AtomicUsize::new(0)));
    let child = {
        let shared = SHARED.clone();
        spawn(move || shared.fetch_add(1, Relaxed))
    };
    let kept = SHARED.clone();
    let mine = SHARED.fetch_add(1, Relaxed);
    let theirs = child.join().unwrap();
    let count = Arc::strong_count(&kept);
    std::mem::forget(kept);
    format!("{mine} {theirs} {count}")
}

fn a_thread_that_panics_drops_its_handle() -> String {
    let words = words();
    let one = Arc::new(Noted(words.clone()));
    let two = one.clone();
    let child = spawn(move || {
        let _two = two;
        std::panic::resume_unwind(Box::new(()));
    });
    let result = child.join();
    drop(one);
    format!("{} {}", result.is_err(), words[2].load(Relaxed))
}

/// A structure of several handles, of which one is dropped by whoever comes last.
fn several_values() -> String {
    let words = words();
    let [one, two] = [words.clone(), words.clone()].map(|words| Arc::new(Noted(words)));
    let last = Arc::new(words.clone());
    let threads = [one.clone(), two.clone()].map(|handle| {
        let last = last.clone();
        spawn(move || {
            let seen = handle.0[0].fetch_add(1, AcqRel);
            drop(last);
            seen
        })
    });
    drop(last);
    let seen = threads.map(|thread| thread.join().unwrap());
    drop((one, two));
    format!("{seen:?} {}", words[2].load(Relaxed))
}

/// Each thread takes the last handle of its own value after it has dropped one that is shared: that fence acquires what the other's drop
/// released, if that came first.
fn another_count_tells_which_drop_came_first() -> String {
    let words = words();
    let shared = Arc::new(());
    let threads = [0, 1].map(|me| {
        let (words, shared) = (words.clone(), shared.clone());
        spawn(move || {
            let own = Arc::new(());
            words[me].store(1, Relaxed);
            drop(shared);
            drop(own);
            words[1 - me].load(Relaxed)
        })
    });
    let seen = threads.map(|thread| thread.join().unwrap());
    drop(shared);
    format!("{seen:?}")
}

/// The other way round it tells nothing.
fn another_count_before_tells_nothing() -> String {
    let words = words();
    let shared = Arc::new(());
    let threads = [0, 1].map(|me| {
        let (words, shared) = (words.clone(), shared.clone());
        spawn(move || {
            drop(Arc::new(()));
            words[me].store(1, Relaxed);
            drop(shared);
            words[1 - me].load(Relaxed)
        })
    });
    let seen = threads.map(|thread| thread.join().unwrap());
    drop(shared);
    format!("{seen:?}")
}

struct Row {
    name: &'static str,
    program: fn() -> String,
    /// Whether the order of its clones and drops shows, so that they are operations.
    shows: bool,
    /// How many executions there are, as it is, and with operations.
    executions: [u64; 2],
}

macro_rules! rows {
    ($($name:ident: $shows:expr, $executions:expr;)*) => {
        [$(Row { name: stringify!($name), program: $name, shows: $shows, executions: $executions },)*]
    };
}

/// What changes of a count are called.
const NAMES: [OperationName; 8] = [
    operation_name!("clone"),
    operation_name!("drop"),
    operation_name!("strong_count"),
    operation_name!("get_mut"),
    operation_name!("make_mut"),
    operation_name!("try_unwrap"),
    operation_name!("into_inner"),
    operation_name!("upgrade"),
];

#[test]
fn programs_have_the_outcomes_that_they_have_with_operations() {
    let rows = rows! {
        joined_before_the_last_drop: false, [2, 2];
        scoped: false, [2, 10];
        handed_over_by_a_lock: false, [2, 2];
        both_drop: true, [3, 3];
        children_drop_last: true, [8, 8];
        children_drop_last_then_upgrade: true, [8, 8];
        children_alone_drop_then_weak_count: true, [4, 4];
        joined_before_the_last_drop_then_upgrade: false, [1, 1];
        a_flag_orders_the_drops: false, [2, 2];
        a_relaxed_flag_does_not: true, [2, 2];
        looked_at_beside_a_drop: true, [2, 2];
        looked_at_when_nothing_else_happens: false, [1, 1];
        upgraded_beside_the_last_drop: true, [7, 7];
        upgraded_while_there_is_a_handle: false, [1, 2];
        two_take_what_is_left: true, [2, 2];
        spins_until_it_is_alone: true, [2, 2];
        loops_until_it_is_alone: true, [2, 2];
        a_fence_behind_a_clone: true, [4, 4];
        seq_cst_fences_around_drops: true, [35, 35];
        the_fence_of_the_last_drop: true, [3, 3];
        a_plain_use: true, [2, 2];
        a_static: false, [2, 3];
        a_thread_that_panics_drops_its_handle: false, [1, 1];
        several_values: true, [14, 14];
        another_count_tells_which_drop_came_first: true, [6, 6];
        another_count_before_tells_nothing: false, [4, 12];
    };
    for Row { name, program, shows, executions } in rows {
        let has_shown = Rc::new(Cell::new(false));
        let shown = has_shown.clone();
        let quiet = explore_looking(&GraphEngine::new(), &plain_limits(), program, move |recording| {
            shown.set(recording.operations.iter().any(|operation| NAMES.contains(&operation.place.name)));
        });
        let counted = explore(&GraphEngine::new(), &counted_limits(), program);
        assert_eq!((&quiet.end, &counted.end), (&Exploration::Complete, &Exploration::Complete), "{name}");
        assert_eq!(quiet.outcome_set(), counted.outcome_set(), "{name}");
        assert_eq!(quiet.blocked + counted.blocked, 0, "{name}");
        assert!(quiet.others.is_empty() && counted.others.is_empty(), "{name}: {quiet:?} {counted:?}");
        // Those that are delayed by rounds of a loop that waits aside.
        let complete =
            [&quiet, &counted].map(|explored| explored.complete - explored.delayed.values().sum::<u64>());
        assert_eq!((has_shown.get(), complete), (shows, executions), "{name}");
    }
}

#[test]
fn executions_before_a_restart_count_for_the_limit() {
    let explored = |executions_max| {
        let visited = Rc::new(Cell::new(0));
        let visits = visited.clone();
        let mut limits = plain_limits();
        limits.executions_max = executions_max;
        let explored = explore_looking(&GraphEngine::new(), &limits, a_relaxed_flag_does_not, move |_| {
            visits.set(visits.get() + 1);
        });
        (explored.end, explored.complete, visited.get())
    };
    // One that shows nothing, then two from the beginning.
    assert_eq!(explored(None), (Exploration::Complete, 2, 3));
    assert_eq!(explored(Some(3)), (Exploration::Complete, 2, 3));
    for (max, kept) in [(1, 1), (2, 1)] {
        let limit = Limit { kind: LimitKind::Executions, value: max };
        assert_eq!(explored(Some(max)), (Exploration::Limit(limit), kept, max));
    }
    let outcome = Builder::new().executions_max(2).check(|| drop(a_relaxed_flag_does_not()));
    let stopped = "stopped after 1 execution (limit 2, 1 of them before it started again)";
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Inconclusive, 1));
    assert!(outcome.report().contains(stopped), "{outcome}");
}

/// The report of a program that panics with its outcome.
fn report(builder: Builder, program: fn() -> String) -> String {
    let panicking = move || -> () { std::panic::resume_unwind(Box::new(program())) };
    let report = builder.name("program").check(panicking).report().to_owned();
    // What leads to the execution says which counts have operations.
    report.lines().filter(|line| !line.contains("CDSSPEC_REPLAY=")).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_exploration_that_started_again_reports_what_one_with_operations_does() {
    for program in [both_drop, children_drop_last, looked_at_beside_a_drop, two_take_what_is_left] {
        let found = report(Builder::new(), program);
        assert!(found.contains("drop ") || found.contains("into_inner "), "{found}");
        assert_eq!(found, report(Builder::new().counts_handles(), program));
    }
    let found = report(Builder::new(), joined_before_the_last_drop);
    assert!(!found.contains("drop "), "{found}");
}
