//! Futures in programs: what a wake-up orders, and what comes of one that is lost.

mod fault;
mod permit;

use cdsspec::cell::UnsafeCell;
use cdsspec::future::{Notify, block_on};
use cdsspec::sync::Arc;
use cdsspec::{Builder, Outcome, Verdict, thread};
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// Explores a program in which nothing wakes up without a reason.
fn without_reasons(program: impl Fn() + Send + Sync + 'static) -> Outcome {
    Builder::new().spurious_wakeups(false).check(program)
}

struct Shared(UnsafeCell<u32>);

// SAFETY: the tests are about who may access it when.
unsafe impl Sync for Shared {}

#[test]
fn what_is_before_a_wake_up_is_before_the_end_of_the_wait() {
    let outcome = without_reasons(|| {
        let pair = Arc::new((Shared(UnsafeCell::new(0)), Notify::new()));
        let other = Arc::clone(&pair);
        let thread = thread::spawn(move || {
            // SAFETY: the other thread waits.
            other.0.0.with_mut(|value| unsafe { *value = 1 });
            other.1.notify();
        });
        pair.1.wait();
        // SAFETY: the thread has notified.
        assert_eq!(pair.0.0.with(|value| unsafe { *value }), 1);
        thread.join().unwrap();
    });
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::HoldsWithin, 1), "{outcome}");
}

#[test]
fn a_wake_up_that_comes_first_is_kept_and_two_are_one() {
    let program = |waits: u32| {
        move || {
            let notify = Arc::new(Notify::new());
            notify.notify();
            notify.notify();
            (0..waits).for_each(|_| notify.wait());
        }
    };
    assert_eq!(without_reasons(program(1)).verdict, Verdict::HoldsWithin);
    assert_eq!(without_reasons(program(2)).verdict, Verdict::Deadlock);
}

#[test]
fn a_future_that_registers_nowhere_is_a_deadlock_that_says_where_it_is_waited_for() {
    let outcome = without_reasons(|| block_on(poll_fn(|_| Poll::<()>::Pending)));
    assert_eq!(outcome.verdict, Verdict::Deadlock);
    let line = line!() - 2;
    let report = outcome.report();
    assert!(report.contains("block_on") && report.contains(&format!("{}:{line}", file!())), "{report}");
}

#[test]
fn a_waker_wakes_the_future_that_it_was_made_for() {
    let outcome = Builder::new().check(|| {
        let kept: cdsspec::sync::Mutex<Option<Waker>> = cdsspec::sync::Mutex::new(None);
        let kept = Arc::new(kept);
        let other = Arc::clone(&kept);
        let thread = thread::spawn(move || {
            if let Some(waker) = other.lock().unwrap().take() {
                waker.wake();
            }
        });
        // Ready at once: the waker outlives it.
        block_on(poll_fn(|context| {
            *kept.lock().unwrap() = Some(context.waker().clone());
            Poll::Ready(())
        }));
        thread.join().unwrap();
    });
    assert_eq!(outcome.verdict, Verdict::Holds, "{outcome}");
}
