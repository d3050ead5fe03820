//! Futures in a model: wakers that come late, and wake-ups that are lost.

use cdsspec_loom as loom;
use loom::future::{AtomicWaker, block_on};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};
use loom::thread;
use std::future::{Future, poll_fn};
use std::panic;
use std::task::{Poll, Waker};

fn verdict(program: impl Fn() + Send + Sync + 'static) -> String {
    let panicked = panic::catch_unwind(panic::AssertUnwindSafe(|| loom::model(program)));
    let report = *panicked.expect_err("a fault is found").downcast::<String>().expect("a report is a text");
    report.split(':').next().unwrap_or_default().to_owned()
}

/// A flag that a future waits for.
#[derive(Default)]
struct Gate {
    is_open: AtomicBool,
    waker: AtomicWaker,
}

impl Gate {
    fn open(&self) {
        self.is_open.store(true, Release);
        self.waker.wake();
    }

    /// Ready when it is open. The right order is to register, and then to look.
    fn passes(&self, looks_first: bool) -> impl Future<Output = ()> + '_ {
        poll_fn(move |context| {
            if looks_first && self.is_open.load(Acquire) {
                return Poll::Ready(());
            }
            self.waker.register_by_ref(context.waker());
            if !looks_first && self.is_open.load(Acquire) { Poll::Ready(()) } else { Poll::Pending }
        })
    }
}

fn pass(looks_first: bool) {
    let gate = Arc::new(Gate::default());
    let other = Arc::clone(&gate);
    let thread = thread::spawn(move || other.open());
    block_on(gate.passes(looks_first));
    thread.join().expect("it does not panic");
}

#[test]
fn a_wake_up_that_is_lost_is_a_deadlock() {
    loom::model(|| pass(false));
    assert_eq!(verdict(|| pass(true)), "deadlock");
}

#[test]
fn a_waker_may_be_cloned_and_woken_by_value_by_reference_and_late() {
    loom::model(|| {
        let polls = AtomicUsize::new(0);
        let mut kept: Option<Waker> = None;
        let output = block_on(poll_fn(|context| {
            if polls.fetch_add(1, Relaxed) == 0 {
                kept = Some(context.waker().clone());
                let waker = context.waker().clone();
                assert!(waker.will_wake(context.waker()));
                thread::spawn(move || {
                    waker.wake_by_ref();
                    waker.wake();
                });
                return Poll::Pending;
            }
            Poll::Ready(3)
        }));
        assert_eq!(output, 3);
        // The future is gone.
        kept.take().expect("it was polled").wake();
    });
}

#[test]
fn a_waker_that_is_forgotten_is_a_leak() {
    let program = || {
        block_on(poll_fn(|context| {
            std::mem::forget(context.waker().clone());
            Poll::Ready(())
        }));
    };
    assert_eq!(verdict(program), "leak");
}

#[test]
fn a_future_is_also_polled_without_a_reason() {
    let once = || {
        let polls = AtomicUsize::new(0);
        block_on(poll_fn(|context| match polls.fetch_add(1, Relaxed) {
            0 => {
                let waker = context.waker().clone();
                thread::spawn(move || waker.wake());
                Poll::Pending
            }
            count => Poll::Ready(count),
        }));
    };
    loom::model(once);
    let believes = || {
        let is_done = Arc::new(AtomicBool::new(false));
        let polls = AtomicUsize::new(0);
        block_on(poll_fn(|context| {
            if polls.fetch_add(1, Relaxed) == 0 {
                let (waker, is_done) = (context.waker().clone(), Arc::clone(&is_done));
                thread::spawn(move || {
                    is_done.store(true, Release);
                    waker.wake();
                });
                return Poll::Pending;
            }
            assert!(is_done.load(Acquire), "polled, though nobody has woken it");
            Poll::Ready(())
        }));
    };
    assert_eq!(verdict(believes), "panic");
}

/// Outside of a model it blocks the OS thread.
#[test]
fn futures_outside_of_a_model() {
    let gate = std::sync::Arc::new(Gate::default());
    let other = std::sync::Arc::clone(&gate);
    let thread = std::thread::spawn(move || other.open());
    block_on(gate.passes(false));
    thread.join().unwrap();
}
