//! The weakest memory orders of small programs, found from above and from below.

use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::model::Builder;
use cdsspec_runtime::sync::OnceLock;
use cdsspec_runtime::sync::atomic::{AtomicUsize, fence};
use cdsspec_runtime::thread;
use cdsspec_runtime::weaken::{Advice, FencePosition, Goal, Programs, advise};
use std::sync::atomic::Ordering::{self, AcqRel, Relaxed, SeqCst};
use std::time::Duration;

struct Mailbox {
    data: UnsafeCell<u32>,
    state: AtomicUsize,
}

// SAFETY: `state` orders the accesses of `data`; where it does not, the engine reports the race.
unsafe impl Sync for Mailbox {}

impl Mailbox {
    fn new() -> Self {
        Self { data: UnsafeCell::new(0), state: AtomicUsize::new(0) }
    }

    fn write(&self) {
        // SAFETY: nobody reads before the state is 1.
        self.data.with_mut(|data| unsafe { *data = 1 });
    }

    fn read(&self) {
        // SAFETY: nobody writes once the state is 1.
        self.data.with(|data| assert_eq!(unsafe { *data }, 1));
    }
}

/// Columns in which no line is broken.
const UNBROKEN: usize = 10_000;

/// A value is handed over, with these orders.
fn hand_over(store: Ordering, exchange: Ordering) {
    let mailbox = Mailbox::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            mailbox.write();
            mailbox.state.store(1, store);
        });
        if mailbox.state.compare_exchange(1, 2, exchange, Relaxed).is_ok() {
            mailbox.read();
        }
    });
}

/// One of both sees what the other has written, if the fences are there.
fn store_buffering(has_fences: bool) {
    let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (left, right) = thread::scope(|scope| {
        let left = scope.spawn(|| {
            x.fetch_add(1, Relaxed);
            if has_fences {
                fence(SeqCst);
            }
            y.load(Relaxed)
        });
        y.fetch_add(1, Relaxed);
        if has_fences {
            fence(SeqCst);
        }
        let right = x.load(Relaxed);
        (left.join().expect("it does not panic"), right)
    });
    assert!(left + right > 0);
}

/// A value is handed over to who waits for it.
fn hand_over_waiting() {
    let mailbox = Mailbox::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            mailbox.write();
            mailbox.state.store(1, Relaxed);
        });
        while mailbox.state.load(Relaxed) == 0 {
            thread::yield_now();
        }
        mailbox.read();
    });
}

/// Fails whatever its orders are.
fn loses_an_update() {
    let counter = AtomicUsize::new(0);
    let increment = || counter.store(counter.load(Relaxed) + 1, Relaxed);
    thread::scope(|scope| {
        scope.spawn(increment);
        increment();
    });
    assert_eq!(counter.load(Relaxed), 2);
}

fn programs(name: &str, program: impl Fn() + Send + Sync + 'static) -> Programs {
    Programs::new(name).program(name, program).progress(false)
}

fn changes(advice: &Advice) -> Vec<String> {
    let line = |recommendation: &cdsspec_runtime::weaken::Recommendation| {
        let (written, needed) = (recommendation.site.written, recommendation.needed);
        let proofs: Vec<String> =
            recommendation.proofs.iter().map(|(level, proof)| format!("{level} {}", proof.verdict)).collect();
        format!("{}: {written:?} -> {needed} ({})", recommendation.operation, proofs.join(", "))
    };
    advice.changes().map(line).collect()
}

#[test]
fn orders_that_are_stronger_than_needed_are_lowered_and_the_whole_is_confirmed() {
    let advice = advise(programs("hand_over", || hand_over(SeqCst, SeqCst)));
    assert!(matches!(advice.goal, Goal::Weaken) && advice.is_confirmed);
    let expected = [
        "hand_over: state.store: SeqCst -> Release (Relaxed race)",
        "hand_over: state.compare_exchange (success): SeqCst -> Acquire (Relaxed race)",
    ];
    assert_eq!(changes(&advice), expected);
    let advice = advise(programs("store_buffering", || store_buffering(true)));
    assert_eq!(changes(&advice), [""; 0], "{advice}");
    let fences = advice.recommendations.iter().filter(|recommendation| recommendation.site.place.is_fence());
    let proofs: Vec<_> = fences.map(|recommendation| recommendation.proofs.len()).collect();
    assert_eq!(proofs, [2, 2], "neither a weaker fence nor none is enough");
}

#[test]
fn orders_that_are_missing_are_added_and_each_is_necessary() {
    let advice = advise(programs("hand_over", || hand_over(Relaxed, Relaxed)));
    assert!(matches!(advice.goal, Goal::Strengthen) && advice.is_confirmed && advice.fences.is_empty());
    let expected = [
        "hand_over: state.store: Relaxed -> Release (Relaxed race)",
        "hand_over: state.compare_exchange (success): Relaxed -> Acquire (Relaxed race)",
    ];
    assert_eq!(changes(&advice), expected);
    let advice = advise(programs("store_buffering", || store_buffering(false)));
    assert!(advice.is_confirmed, "{advice}");
    assert_eq!(changes(&advice).len() + advice.fences.len(), 4, "{advice}");
}

#[test]
fn a_place_that_was_not_examined_is_not_called_needed() {
    let advice = advise(programs("hand_over", || {
        AtomicUsize::new(0).fetch_add(1, SeqCst);
        hand_over(Relaxed, Relaxed);
    }));
    assert!(matches!(advice.goal, Goal::Strengthen) && advice.is_complete(), "{advice}");
    let examined: Vec<_> =
        advice.recommendations.iter().map(|one| (one.is_change(), one.is_examined)).collect();
    // The store, the exchange with its failure, and the addition, of which nothing was asked.
    assert_eq!(examined.iter().filter(|one| **one == (true, true)).count(), 2, "{advice}");
    assert_eq!(examined.iter().filter(|one| **one == (false, false)).count(), 1, "{advice}");
    let text = advice.text(UNBROKEN);
    let line = text.lines().find(|line| line.contains("fetch_add")).expect("it is in the table");
    assert!(line.ends_with("SeqCst   not examined"), "{text}");
    // Nothing at all was asked of them.
    let hopeless = advise(programs("loses_an_update", || {
        AtomicUsize::new(0).fetch_add(1, SeqCst);
        loses_an_update();
    }));
    let text = hopeless.text(UNBROKEN);
    let line = text.lines().find(|line| line.contains("fetch_add")).expect("it is in the table");
    assert!(line.ends_with("SeqCst   not examined"), "{text}");
}

#[test]
fn what_a_limit_leaves_open_is_at_most_needed() {
    let advice = advise(programs("both_look", || both_look(SeqCst, SeqCst)).executions_max(3));
    assert_eq!(advice.open_count, 4, "{advice}");
    assert!(advice.recommendations.iter().all(|one| !one.is_examined), "{advice}");
    assert!(advice.text(UNBROKEN).contains(" x.store  SeqCst   not examined\n"), "{advice}");
}

#[test]
fn a_flag_without_orders_gets_them() {
    let advice = advise(programs("hand_over_waiting", hand_over_waiting));
    assert!(advice.is_confirmed, "{advice}");
    let expected = [
        "hand_over_waiting: state.store: Relaxed -> Release (Relaxed race)",
        "hand_over_waiting: state.load: Relaxed -> Acquire (Relaxed race)",
    ];
    assert_eq!(changes(&advice), expected);
}

#[test]
fn what_no_order_mends_is_said_to_be_hopeless() {
    let advice = advise(programs("loses_an_update", loses_an_update));
    let Goal::Hopeless(proof) = &advice.goal else { panic!("{advice}") };
    assert_eq!(proof.program, "loses_an_update");
    assert!(advice.text(UNBROKEN).contains("nothing was found: with the strongest orders, with release and acquire everywhere, and with a fence on either side of every "), "{advice}");
}

/// One of both sees that the other was there; what they say it with has no orders to change.
fn rendezvous() {
    let (x, y, pause) = (OnceLock::new(), OnceLock::new(), AtomicUsize::new(0));
    let (left, right) = thread::scope(|scope| {
        let left = scope.spawn(|| {
            x.set(()).expect("nobody else sets it");
            pause.load(Relaxed);
            y.get().is_some()
        });
        y.set(()).expect("nobody else sets it");
        pause.load(Relaxed);
        (x.get().is_some(), left.join().expect("it does not panic"))
    });
    assert!(left || right);
}

#[test]
fn fences_are_looked_for_where_orders_are_not_enough() {
    let advice = advise(programs("rendezvous", rendezvous));
    assert!(matches!(advice.goal, Goal::Strengthen) && advice.is_confirmed, "{advice}");
    assert_eq!(changes(&advice), [""; 0]);
    let fences: Vec<_> =
        advice.fences.iter().map(|fence| (fence.position, fence.order, fence.proof.is_some())).collect();
    assert_eq!(fences, [(FencePosition::Before, SeqCst, true); 2]);
    assert_eq!(advice.patch.matches("+            cdsspec::sync::atomic::fence(").count(), 1, "{advice}");
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let text = |jobs| advise(programs("hand_over", || hand_over(Relaxed, AcqRel)).jobs(jobs)).text(UNBROKEN);
    assert_eq!(text(1), text(3));
}

#[test]
fn the_patch_changes_what_the_advice_changes() {
    fn published() {
        let (data, flag) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                data.store(1, Relaxed);
                flag.store(1, Relaxed);
            });
            if flag.load(Relaxed) == 1 {
                assert_eq!(data.load(Relaxed), 1);
            }
        });
    }
    let advice = advise(programs("published", published));
    assert!(advice.is_confirmed, "{advice}");
    let changed: Vec<&str> = advice.patch.lines().filter(|line| line.starts_with(['+', '-'])).collect();
    assert_eq!(
        changed,
        [
            "--- a/cdsspec-runtime/tests/advise.rs",
            "+++ b/cdsspec-runtime/tests/advise.rs",
            "-                flag.store(1, Relaxed);",
            "+                flag.store(1, std::sync::atomic::Ordering::Release);",
            "-            if flag.load(Relaxed) == 1 {",
            "+            if flag.load(std::sync::atomic::Ordering::Acquire) == 1 {",
        ]
    );
}

#[test]
fn without_time_there_is_no_advice() {
    for order in [SeqCst, Relaxed] {
        let programs = programs("hand_over", move || hand_over(order, order));
        let advice = advise(programs.duration_max(Duration::ZERO));
        assert!(matches!(advice.goal, Goal::Open(_)) && !advice.is_complete());
        assert!(advice.text(UNBROKEN).contains("the time was over"), "{advice}");
    }
}

/// As many executions as its orders allow.
fn both_look(store: Ordering, load: Ordering) {
    let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            x.store(1, store);
            y.load(load);
        });
        y.store(1, store);
        x.load(load);
    });
}

#[test]
fn what_a_limit_of_a_run_leaves_open_is_counted() {
    let advice = advise(programs("both_look", || both_look(SeqCst, SeqCst)));
    assert_eq!((changes(&advice).len(), advice.open_count, advice.is_complete()), (4, 0, true), "{advice}");
    assert!(
        advice.text(UNBROKEN).contains("With any one order a step weaker still, one of them fails."),
        "{advice}"
    );
    // Sequentially consistent, there are three executions; with less there is a fourth.
    let advice = advise(programs("both_look", || both_look(SeqCst, SeqCst)).executions_max(3));
    assert_eq!((changes(&advice).len(), advice.open_count), (0, 4), "{advice}");
    assert!(advice.is_confirmed && !advice.is_complete());
    assert_eq!(advice.not_reached_count, 0);
    assert!(advice.text(UNBROKEN).contains("4 orders are open under a limit of a run"), "{advice}");
    assert!(!advice.text(UNBROKEN).contains("one of them fails"), "{advice}");
}

#[test]
fn what_a_limit_leaves_open_is_counted_where_orders_are_strengthened() {
    let both = |order| {
        programs("hand_over", move || hand_over(order, order))
            .program("both_look", move || both_look(order, order))
    };
    let advice = advise(both(Relaxed));
    assert!(matches!(advice.goal, Goal::Strengthen) && advice.is_complete(), "{advice}");
    assert_eq!(changes(&advice).len(), 2, "{advice}");
    let advice = advise(both(Relaxed).executions_max(3));
    assert!(matches!(advice.goal, Goal::Strengthen) && !advice.is_complete(), "{advice}");
    assert!(advice.open_count > 0 && advice.is_confirmed, "{advice}");
}

#[test]
fn advice_says_how_far_the_runs_looked() {
    let within = |builder: Builder| builder.spurious_failures(false).check(|| hand_over(SeqCst, SeqCst));
    let advice = advise(Programs::new("within").run("hand_over", within).progress(false));
    assert!(advice.is_complete());
    let text = advice.text(UNBROKEN);
    assert!(
        text.contains("\nwithin: spurious failures off\nnot modelled by rc11: load buffering (RC11); "),
        "{text}"
    );
    assert!(text.contains("\nRC11 forbids load buffering by itself"), "{text}");
    let advice = advise(programs("store_buffering", || store_buffering(true)));
    assert!(
        !advice.text(UNBROKEN).contains("RC11 forbids load buffering by itself"),
        "no order is lowered: {advice}"
    );
}

#[test]
fn without_programs_there_is_no_advice() {
    let advice = advise(Programs::new("none").progress(false));
    assert!(matches!(advice.goal, Goal::Open(_)) && !advice.is_confirmed && !advice.is_complete());
    assert!(advice.text(UNBROKEN).contains("there are no programs"), "{advice}");
}
