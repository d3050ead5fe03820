//! Runs under the real engine.

use super::{Builder, EngineKind};
use crate::check::Verdict;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use crate::thread;
use std::sync::Arc;
use std::time::Duration;

fn add_and_add() {
    let x = Arc::new(AtomicUsize::new(0));
    let other = x.clone();
    let thread = thread::spawn(move || other.fetch_add(1, Relaxed));
    x.fetch_add(1, Relaxed);
    thread.join().unwrap();
    assert_eq!(x.load(Relaxed), 2);
}

#[test]
fn a_program_without_faults_holds_within_loom() {
    let outcome = Builder::new().engine(EngineKind::Loom).name("add__add").check(add_and_add);
    println!("{outcome}");
    assert_eq!(outcome.verdict, Verdict::HoldsWithin);
}

#[test]
fn a_panic_is_a_verdict_and_its_report_names_the_message() {
    let outcome = Builder::new().engine(EngineKind::Loom).check(|| {
        add_and_add();
        panic!("too bad");
    });
    println!("{outcome}");
    assert_eq!(outcome.verdict, Verdict::Panic);
    assert_eq!(outcome.report().lines().next(), Some("panic: too bad"));
}

#[test]
fn models_do_not_nest() {
    let outcome = Builder::new().engine(EngineKind::Loom).check(|| super::model(|| {}));
    println!("{outcome}");
    assert_eq!(outcome.verdict, Verdict::Panic);
    assert!(outcome.report().contains("models do not nest"));
}

/// Three threads that each add once: more than a few executions.
fn three_adds() {
    let x = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let x = x.clone();
            thread::spawn(move || x.fetch_add(1, Relaxed))
        })
        .collect();
    x.fetch_add(1, Relaxed);
    for thread in threads {
        thread.join().unwrap();
    }
}

/// The verdict, and the first line of the report.
fn came_to(builder: Builder, program: impl Fn() + Send + Sync + 'static) -> (Verdict, String) {
    let outcome = builder.check(program);
    assert!(outcome.report().lines().all(|line| line.chars().count() <= 100), "{outcome}");
    (outcome.verdict, outcome.report().lines().next().unwrap_or_default().to_owned())
}

#[test]
fn each_limit_is_honoured_to_the_execution_and_is_no_pass() {
    let limit = Builder::new().engine(EngineKind::Loom).executions_max(3);
    let outcome = limit.clone().check(three_adds);
    assert_eq!((outcome.executions, outcome.is_complete), (3, false), "{outcome}");
    let rows = [
        (limit, "stopped after 3 executions (limit 3)"),
        (
            Builder::new().engine(EngineKind::Loom).duration_max(Duration::ZERO),
            "stopped after 0 executions (duration_max_ms = 0)",
        ),
        (
            Builder::new().engine(EngineKind::Loom).branches_max(4),
            "an execution reached its limit (branches_max = 4)",
        ),
        (
            Builder::new().engine(EngineKind::Loom).recording_max(4),
            "an execution reached its limit (recording_max = 4)",
        ),
    ];
    for (builder, message) in rows {
        let expected = (Verdict::Inconclusive, format!("inconclusive: {message}"));
        assert_eq!(came_to(builder, three_adds), expected);
    }
}

#[test]
fn a_sixth_thread_is_inconclusive_and_says_how_many_there_may_be() {
    let outcome = Builder::new().engine(EngineKind::Loom).check(|| {
        let threads: Vec<_> = (0..5).map(|_| thread::spawn(|| ())).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert_eq!(outcome.verdict, Verdict::Inconclusive, "{outcome}");
    assert!(outcome.report().contains("(threads = 5)"), "{outcome}");
    assert!(outcome.report().contains("start fewer"), "{outcome}");
}

#[test]
fn a_deadlock_is_found_beside_executions_that_complete() {
    let outcome = Builder::new().engine(EngineKind::Loom).stop_at_first(false).check(|| {
        let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
        let other = locks.clone();
        let thread = thread::spawn(move || {
            let _second = other[1].lock().unwrap();
            let _first = other[0].lock().unwrap();
        });
        {
            let _first = locks[0].lock().unwrap();
            let _second = locks[1].lock().unwrap();
        }
        thread.join().unwrap();
    });
    assert_eq!(outcome.verdict, Verdict::Deadlock, "{outcome}");
    assert!(outcome.complete_executions > 0 && outcome.blocked > 0, "{outcome}");
    assert!(outcome.report().contains("waits in lock"), "{outcome}");
}

#[test]
fn a_spin_that_nobody_ends_is_a_livelock() {
    let (verdict, line) = came_to(Builder::new().engine(EngineKind::Loom), || {
        let flag = AtomicUsize::new(0);
        while flag.load(Relaxed) == 0 {
            crate::hint::spin_loop();
        }
    });
    assert_eq!(verdict, Verdict::Livelock, "{line}");
}

#[test]
fn a_program_that_changes_from_one_execution_to_the_next_is_nondeterministic() {
    let runs = std::sync::atomic::AtomicUsize::new(0);
    let (verdict, line) = came_to(Builder::new().engine(EngineKind::Loom), move || {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        let is_odd = runs.fetch_add(1, Relaxed) % 2 == 1;
        let thread = thread::spawn(move || other.fetch_add(1, Relaxed));
        if is_odd {
            x.store(1, Relaxed);
        } else {
            x.load(Relaxed);
        }
        thread.join().unwrap();
    });
    assert_eq!(verdict, Verdict::Nondeterministic, "{line}");
}

#[test]
fn a_mutex_makes_a_counter_hold_and_twice_is_the_same() {
    let run = || {
        Builder::new().engine(EngineKind::Loom).name("count__count").check(|| {
            let count = Arc::new(Mutex::new(0));
            let other = count.clone();
            let thread = thread::spawn(move || *other.lock().unwrap() += 1);
            *count.lock().unwrap() += 1;
            thread.join().unwrap();
            assert_eq!(*count.lock().unwrap(), 2);
        })
    };
    let (first, second) = (run(), run());
    assert_eq!(first.verdict, Verdict::HoldsWithin, "{first}");
    assert_eq!((first.report(), &first.counts), (second.report(), &second.counts));
}
