//! What a program or a specification may do wrong: each is a verdict whose report says what to do, the executions without the
//! mistake are counted, and what was recorded before it is shown.

#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

use crate::stack;

use cdsspec::sync::Mutex;
use cdsspec::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicUsize, fence};
use cdsspec::thread;
use cdsspec::{Builder, EngineKind, Outcome, Verdict};
use stack::Stack;
use std::sync::Arc;
use std::time::Duration;

const ENGINES: [EngineKind; 2] = [EngineKind::Rc11, EngineKind::Loom];

fn on(engine: EngineKind) -> Builder {
    Builder::new().engine(engine)
}

fn all(engine: EngineKind) -> Builder {
    on(engine).stop_at_first(false).call_clock(false)
}

/// A program that pushes, and then does this if the flag that another thread raises is seen up: in some executions, not in all.
fn sometimes(mistake: impl Fn(&Stack) + Send + Sync + 'static) -> impl Fn() + Send + Sync + 'static {
    move || {
        let stack = Stack::new();
        stack.push(1);
        let flag = Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let other = thread::spawn(move || flag2.store(1, Release));
        if flag.load(Acquire) == 1 {
            mistake(&stack);
        }
        other.join().expect("it does not panic");
    }
}

/// The text of a report without its line breaks.
fn folded(outcome: &Outcome) -> String {
    outcome.report().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The report says these things.
#[track_caller]
fn assert_says(outcome: &Outcome, verdict: Verdict, phrases: &[&str]) {
    assert_eq!(outcome.verdict, verdict, "{outcome}");
    let report = folded(outcome);
    for phrase in phrases {
        assert!(report.contains(phrase), "{phrase:?} is missing:\n{outcome}");
    }
}

/// The same, of a program with good executions too: they are counted, and the recording of the bad one is shown.
#[track_caller]
fn assert_found(outcome: &Outcome, verdict: Verdict, phrases: &[&str]) {
    assert_says(outcome, verdict, phrases);
    assert!(outcome.is_complete && outcome.counts[&Verdict::Holds] > 0, "{outcome}");
    assert!(outcome.counts[&verdict] > 0, "{outcome}");
    assert_says(outcome, verdict, &["push(1)", "compare_exchange(AcqRel, Relaxed)"]);
}

/// Not a method of an annotated impl.
fn marked_outside() {
    fence(Acquire);
    cdsspec::op_define!(true);
}

#[test]
fn an_ordering_point_outside_a_call() {
    for engine in ENGINES {
        let outcome = all(engine).check(sometimes(|_| marked_outside()));
        let phrases = [
            "`op_define` ran outside any annotated call",
            "move the annotation into one",
            "tests/bad_input.rs",
        ];
        assert_found(&outcome, Verdict::SpecError, &phrases);
    }
}

/// Marks too early.
struct Early(AtomicUsize);

#[cdsspec::spec]
#[declare_state(count: usize)]
impl Early {
    #[side_effect(*count += 1)]
    fn add(&self) {
        cdsspec::op_define!(true);
        self.0.fetch_add(1, Relaxed);
    }
}

#[test]
fn an_ordering_point_with_no_operation_before_it() {
    for engine in ENGINES {
        let outcome = all(engine).check(sometimes(|_| Early(AtomicUsize::new(0)).add()));
        let phrases =
            ["`op_define` has no operation before it in its call", "put it after the atomic operation"];
        assert_found(&outcome, Verdict::SpecError, &phrases);
    }
}

#[test]
fn an_operation_that_is_called_through_a_function_pointer() {
    for engine in ENGINES {
        let outcome = all(engine).check(sometimes(|_| {
            let load: fn(&AtomicUsize, Ordering) -> usize = AtomicUsize::load;
            load(&AtomicUsize::new(0), Relaxed);
        }));
        let phrases = ["`load` was called through a function pointer", "write a closure, `|x| x.load(…)`"];
        assert_found(&outcome, Verdict::SpecError, &phrases);
    }
}

#[test]
fn a_sixth_thread() {
    let outcome = all(EngineKind::Loom).check(sometimes(|_| {
        let more: Vec<_> = (0..4).map(|_| thread::spawn(|| ())).collect();
        more.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    }));
    assert_found(
        &outcome,
        Verdict::Inconclusive,
        &["(threads = 5)", "the main thread included: start fewer"],
    );
}

#[test]
fn a_program_that_panics() {
    for engine in ENGINES {
        let outcome = all(engine).check(sometimes(|_| panic!("the flag is up")));
        let phrases = ["panic: the flag is up", "thread thread 0", "handle it in every execution"];
        assert_found(&outcome, Verdict::Panic, &phrases);
    }
}

#[test]
fn a_program_that_deadlocks() {
    for engine in ENGINES {
        let outcome = all(engine).check(|| {
            let stack = Stack::new();
            stack.push(1);
            let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
            let locks2 = locks.clone();
            let other = thread::spawn(move || {
                let _second = locks2[1].lock();
                let _first = locks2[0].lock();
            });
            {
                let _first = locks[0].lock();
                let _second = locks[1].lock();
            }
            other.join().expect("it does not panic");
        });
        let phrases =
            ["2 threads can never go on", "thread 0 waits in lock", "thread 1 waits in lock", "in one order"];
        assert_found(&outcome, Verdict::Deadlock, &phrases);
    }
}

#[test]
fn a_program_that_spins_for_ever() {
    for engine in ENGINES {
        let outcome = all(engine).check(sometimes(|_| {
            let never = AtomicUsize::new(0);
            while never.load(Acquire) == 0 {
                thread::yield_now();
            }
        }));
        assert_found(
            &outcome,
            Verdict::Livelock,
            &["thread 0 spins", "nobody can ever end it", "write what the loop waits for"],
        );
    }
}

/// Three threads that each do this to one empty stack.
fn three_times(call: fn(&Stack)) -> impl Fn() + Send + Sync + 'static {
    move || {
        let stack = Arc::new(Stack::new());
        let others: Vec<_> = (0..2)
            .map(|_| {
                let stack = stack.clone();
                thread::spawn(move || call(&stack))
            })
            .collect();
        call(&stack);
        others.into_iter().for_each(|other| other.join().expect("it does not panic"));
    }
}

/// More than one execution.
fn push__push__push() -> impl Fn() + Send + Sync + 'static {
    three_times(|stack| stack.push(1))
}

/// More than one sequential history.
fn pop__pop__pop() -> impl Fn() + Send + Sync + 'static {
    three_times(|stack| _ = stack.pop())
}

#[test]
fn more_executions_than_the_limit() {
    for engine in ENGINES {
        let outcome = on(engine).executions_max(3).check(push__push__push());
        let phrases =
            ["stopped after 3 executions (limit 3)", "`Builder::executions_max` or CDSSPEC_EXECUTIONS_MAX"];
        assert_says(&outcome, Verdict::Inconclusive, &phrases);
        assert_eq!((outcome.executions, outcome.counts[&Verdict::Holds]), (3, 3));
    }
}

#[test]
fn more_time_than_the_limit() {
    for engine in ENGINES {
        let outcome = on(engine).duration_max(Duration::ZERO).check(push__push__push());
        let phrases = ["(duration_max_ms = 0)", "`Builder::duration_max` or CDSSPEC_DURATION_MAX_MS"];
        assert_says(&outcome, Verdict::Inconclusive, &phrases);
    }
}

/// Does more operations than the limits of the tests.
fn goes_on(_: &Stack) {
    let x = AtomicUsize::new(0);
    (0..50).for_each(|_| x.store(1, Relaxed));
}

#[test]
fn an_execution_with_more_branches_than_the_limit() {
    for engine in ENGINES {
        let outcome = all(engine).branches_max(30).check(sometimes(goes_on));
        let phrases = [
            "(branches_max = 30)",
            "CDSSPEC_BRANCHES_MAX",
            "must call `hint::spin_loop` or `thread::yield_now`",
        ];
        assert_found(&outcome, Verdict::Inconclusive, &phrases);
    }
}

#[test]
fn an_execution_with_more_operations_than_are_recorded() {
    for engine in ENGINES {
        let outcome = all(engine).recording_max(30).check(sometimes(goes_on));
        let phrases = ["(recording_max = 30)", "`Builder::recording_max` or CDSSPEC_RECORDING_MAX"];
        assert_found(&outcome, Verdict::Inconclusive, &phrases);
    }
}

#[test]
fn an_execution_with_more_histories_than_the_limit() {
    for engine in ENGINES {
        let outcome = on(engine).histories_max(1).check(pop__pop__pop());
        let phrases =
            ["(histories_max = 1)", "`Builder::histories_max` or CDSSPEC_HISTORIES_MAX", "pop() -> None"];
        assert_says(&outcome, Verdict::Inconclusive, &phrases);
    }
}

#[test]
fn a_limit_that_is_as_large_as_the_number_of_executions_is_not_reached() {
    let count = on(EngineKind::Rc11).check(push__push__push()).executions;
    let outcome = on(EngineKind::Rc11).executions_max(count).check(push__push__push());
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Holds, count), "{outcome}");
    let outcome = on(EngineKind::Rc11).executions_max(count - 1).check(push__push__push());
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Inconclusive, count - 1), "{outcome}");
}

#[test]
fn a_bound_that_the_engine_does_not_have_is_refused() {
    let outcome = on(EngineKind::Rc11).preemptions_max(1).check(pop__pop__pop());
    assert_says(&outcome, Verdict::Inconclusive, &["preemptions_max", "rc11"]);
}

#[test]
fn spurious_failures_that_are_switched_off_are_a_bound() {
    let outcome = on(EngineKind::Rc11).spurious_failures(false).check(pop__pop__pop());
    assert_says(&outcome, Verdict::HoldsWithin, &["spurious failures off"]);
}

#[test]
fn a_bound_on_preemptions_is_said() {
    let outcome = on(EngineKind::Loom).preemptions_max(1).check(pop__pop__pop());
    assert_says(&outcome, Verdict::HoldsWithin, &["preemptions_max = 1"]);
}

#[test]
fn a_program_that_stores_another_number_in_each_run() {
    for is_constructed in [false, true] {
        let runs = std::sync::atomic::AtomicUsize::new(0);
        let outcome = all(EngineKind::Rc11).check(move || {
            let run = runs.fetch_add(1, Relaxed);
            let x = Arc::new(AtomicUsize::new(if is_constructed { run } else { 0 }));
            let x2 = x.clone();
            let other = thread::spawn(move || x2.fetch_add(1, Relaxed));
            x.store(if is_constructed { 0 } else { run }, Relaxed);
            other.join().expect("it does not panic");
        });
        assert_says(&outcome, Verdict::Nondeterministic, &["no time, random numbers, addresses"]);
    }
}

#[test]
fn a_program_that_is_not_deterministic() {
    for engine in ENGINES {
        let runs = std::sync::atomic::AtomicUsize::new(0);
        let outcome = all(engine).check(move || {
            let stack = Stack::new();
            stack.push(1);
            let x = Arc::new(AtomicUsize::new(0));
            let x2 = x.clone();
            let other = thread::spawn(move || x2.fetch_add(1, Relaxed));
            if runs.fetch_add(1, Relaxed) == 1 {
                x.store(1, Relaxed);
            } else {
                x.load(Relaxed);
            }
            other.join().expect("it does not panic");
        });
        let phrases = [
            "nondeterministic: it did store(Relaxed)",
            "no time, random numbers, addresses",
            "| #0 push(1) |",
        ];
        assert_says(&outcome, Verdict::Nondeterministic, &phrases);
        assert_eq!(outcome.counts[&Verdict::Holds], 1);
    }
}
