//! `is_finished`: an event of its own, which orders nothing.

use super::assert_outcome;
use cdsspec::cell::UnsafeCell;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Relaxed, SeqCst};
use cdsspec::{Verdict, thread};

#[test]
fn a_thread_may_have_ended_before_anybody_asks() {
    assert_outcome(
        || {
            let child = thread::spawn(|| {});
            assert!(!child.is_finished());
            child.join().expect("it does not panic");
        },
        Verdict::Panic,
        1,
    );
}

#[test]
fn the_last_store_of_a_thread_is_not_its_end() {
    assert_outcome(
        || {
            let stored = Arc::new(AtomicUsize::new(0));
            let inner = stored.clone();
            let child = thread::spawn(move || inner.store(1, SeqCst));
            if stored.load(SeqCst) == 1 {
                assert!(child.is_finished());
            }
            child.join().expect("it does not panic");
        },
        Verdict::Panic,
        2,
    );
}

#[test]
fn a_loop_that_polls_until_a_thread_has_ended_waits() {
    assert_outcome(
        || {
            let child = thread::spawn(|| {});
            while !child.is_finished() {
                thread::yield_now();
            }
            child.join().expect("it does not panic");
        },
        Verdict::Holds,
        1,
    );
}

#[test]
fn a_loop_that_polls_a_scoped_thread_waits() {
    assert_outcome(
        || {
            thread::scope(|scope| {
                let child = scope.spawn(|| {});
                while !child.is_finished() {
                    thread::yield_now();
                }
            });
        },
        Verdict::Holds,
        1,
    );
}

#[test]
fn a_thread_that_never_ends_is_polled_for_ever() {
    assert_outcome(
        || {
            let child = thread::spawn(thread::park);
            while !child.is_finished() {
                thread::yield_now();
            }
        },
        Verdict::Livelock,
        // In which it wakes up for nothing.
        1,
    );
}

/// What a thread writes last, and its starter reads: after `ask` has said that it has ended.
fn reads_what_a_thread_wrote(ask: fn(thread::JoinHandle<()>)) -> impl Fn() {
    move || {
        let cell = Arc::new(Shared(UnsafeCell::new(0)));
        let inner = cell.clone();
        // SAFETY: whether it is one is what is tested.
        let child = thread::spawn(move || inner.0.with_mut(|value| unsafe { *value = 1 }));
        ask(child);
        // SAFETY: as above.
        assert_eq!(cell.0.with(|value| unsafe { *value }), 1);
    }
}

struct Shared(UnsafeCell<usize>);
// SAFETY: the engine looks for races.
unsafe impl Sync for Shared {}

#[test]
fn to_have_ended_orders_nothing_and_a_join_does() {
    fn polls(child: thread::JoinHandle<()>) {
        while !child.is_finished() {
            thread::yield_now();
        }
    }
    fn polls_and_joins(child: thread::JoinHandle<()>) {
        while !child.is_finished() {
            thread::yield_now();
        }
        child.join().expect("it does not panic");
    }
    assert_outcome(reads_what_a_thread_wrote(polls), Verdict::Race, 0);
    assert_outcome(reads_what_a_thread_wrote(polls_and_joins), Verdict::Holds, 1);
}

#[test]
fn a_thread_that_panics_ends_too() {
    assert_outcome(
        || {
            let child = thread::spawn(|| std::panic::resume_unwind(Box::new("it ends")));
            while !child.is_finished() {
                thread::yield_now();
            }
            assert!(child.join().is_err());
        },
        Verdict::Holds,
        1,
    );
}

#[test]
fn programs_that_do_not_ask_have_no_more_executions_than_before() {
    assert_outcome(
        || {
            let count = Arc::new(AtomicUsize::new(0));
            let children = [(); 3].map(|()| {
                let count = count.clone();
                thread::spawn(move || _ = count.fetch_add(1, Relaxed))
            });
            for child in children {
                child.join().expect("it does not panic");
            }
        },
        Verdict::Holds,
        6,
    );
}
