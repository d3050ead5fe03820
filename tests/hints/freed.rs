//! Whether another order would help, or another lifetime, where memory is used that was freed.

use super::rows;
use cdsspec::model::Remedy;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::{Builder, Outcome, Verdict, thread};

/// A pointer that may go to another thread.
#[derive(Clone, Copy)]
struct Sent(*mut AtomicUsize);
// SAFETY: the checker is there to say whether that is right.
unsafe impl Send for Sent {}

impl Sent {
    fn new() -> Self {
        Self(Box::into_raw(Box::new(AtomicUsize::new(0))))
    }

    fn look(&self) {
        // SAFETY: the checker is there to say whether that is right: what was freed stays as it is.
        unsafe { &*self.0 }.load(Relaxed);
    }

    fn free(self) {
        // SAFETY: as above.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// The other thread looks, and says so; this one frees it then.
fn frees_after_a_relaxed_flag() {
    let (node, flag) = (Sent::new(), Arc::new(AtomicUsize::new(0)));
    let other_flag = flag.clone();
    let other = thread::spawn(move || {
        node.look();
        other_flag.store(1, Relaxed);
    });
    let is_free = flag.load(Acquire) == 1;
    if is_free {
        node.free();
    }
    other.join().expect("no thread panics");
    if !is_free {
        node.free();
    }
}

/// Nobody asks whether the other thread still looks.
fn frees_at_once() {
    let node = Sent::new();
    let other = thread::spawn(move || node.look());
    node.free();
    other.join().expect("no thread panics");
}

/// With stronger orders it panics.
fn frees_and_panics() {
    let flag = Arc::new(AtomicUsize::new(0));
    let other_flag = flag.clone();
    let node = Sent::new();
    let other = thread::spawn(move || {
        other_flag.store(1, Release);
        node.look();
        other_flag.store(2, Relaxed);
    });
    let seen = flag.load(Relaxed);
    let later = flag.load(Relaxed);
    assert!(seen != 1 || later != 1, "it is in between");
    if later == 2 {
        node.free();
    }
    other.join().expect("no thread panics");
    if later != 2 {
        node.free();
    }
}

fn check(program: fn()) -> Outcome {
    Builder::new().stop_at_first(false).check(program)
}

#[test]
fn what_stronger_orders_would_mend_is_told_from_what_lives_too_short() {
    let outcome = check(frees_after_a_relaxed_flag);
    assert_eq!((outcome.verdict, outcome.remedy), (Verdict::Freed, Some(Remedy::Order)), "{outcome}");
    assert_eq!(
        rows(outcome.report(), &["what helps"]),
        [
            "what helps: order: with every order SeqCst it does not happen; `cdsspec::advise` looks for the weakest orders that are enough"
        ]
    );
    let outcome = check(frees_at_once);
    assert_eq!((outcome.verdict, outcome.remedy), (Verdict::Freed, Some(Remedy::Lifetime)), "{outcome}");
    assert_eq!(
        rows(outcome.report(), &["what helps"]),
        [
            "what helps: lifetime: no order does, since it happens with every order SeqCst, too: free it later, when nobody can have a \
          pointer to it any more (a count of its users, an epoch, a hazard pointer)"
        ]
    );
}

#[test]
fn where_it_cannot_be_told_nothing_is_said() {
    let outcome = check(frees_and_panics);
    assert_eq!((outcome.verdict, outcome.remedy), (Verdict::Freed, None), "{outcome}");
    assert!(!outcome.report().contains("what helps"), "{outcome}");
}

#[test]
fn other_verdicts_ask_for_no_second_run() {
    let outcome = check(|| panic!("at once"));
    assert_eq!((outcome.verdict, outcome.remedy), (Verdict::Panic, None), "{outcome}");
}
