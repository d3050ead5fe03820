//! What takes the place of `Arc<dyn Trait>` by itself and of `self: Arc<Self>`, in programs.
#![allow(non_snake_case, clippy::unwrap_used, reason = "tests; programs spell themselves")]

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::{
    AtomicUsize,
    Ordering::{self, AcqRel, Acquire, Release},
};
use cdsspec::{Builder, Verdict, dyn_arc, thread};

struct Counter(AtomicUsize);

/// Where std's has `self: Arc<Self>`.
#[cdsspec::spec(object = &this.0)]
#[declare_state(count: usize)]
impl Counter {
    #[side_effect(*count += 1)]
    fn add(this: Arc<Self>, order: Ordering) {
        #[op_define]
        this.0.fetch_add(1, order);
    }

    #[side_effect(*count)]
    fn count(this: &Arc<Self>) -> usize {
        #[op_define]
        this.0.load(Acquire)
    }
}

fn add__add_count() {
    let counter = Arc::new(Counter(AtomicUsize::new(0)));
    let other = Arc::clone(&counter);
    let other = thread::spawn(move || Counter::add(other, AcqRel));
    Counter::add(Arc::clone(&counter), AcqRel);
    other.join().unwrap();
    assert_eq!(Counter::count(&counter), 2);
}

#[test]
fn a_method_of_this_is_checked_as_one_of_self() {
    let outcome = Builder::new().check(add__add_count);
    assert_eq!((outcome.verdict, outcome.calls_without_points), (Verdict::Holds, 0), "{outcome}");
    assert!(outcome.shapes > 0 && outcome.notes.is_empty(), "{outcome}");
}

trait Flag: Send + Sync {
    fn set(&self);
    fn is_set(&self) -> bool;
}

struct Word(AtomicUsize);

impl Flag for Word {
    fn set(&self) {
        self.0.store(1, Release);
    }

    fn is_set(&self) -> bool {
        self.0.load(Acquire) == 1
    }
}

fn word() -> Word {
    Word(AtomicUsize::new(0))
}

/// Runs with each way to an `Arc<dyn Flag>`: what its last handle says, and how often the count was read.
fn explore(make: fn() -> Arc<dyn Flag>) -> (Verdict, u64) {
    let outcome = Builder::new().check(move || {
        let flag = make();
        let other = Arc::clone(&flag);
        let setter = thread::spawn(move || other.set());
        let before = flag.is_set();
        setter.join().unwrap();
        assert!(flag.is_set() && Arc::strong_count(&flag) == 1, "{before}");
    });
    (outcome.verdict, outcome.complete_executions)
}

#[test]
fn each_way_to_an_arc_of_a_trait_is_the_same_to_an_engine() {
    let ways: [fn() -> Arc<dyn Flag>; 3] = [
        || dyn_arc!(Arc::new(word()) => dyn Flag),
        || Arc::from(Box::new(word()) as Box<dyn Flag>),
        || {
            let pointer: *const Word = Arc::into_raw(Arc::new(word()));
            // SAFETY: the pointer is that of a handle, to the same value.
            unsafe { Arc::from_raw(pointer as *const dyn Flag) }
        },
    ];
    for make in ways {
        assert_eq!(explore(make), (Verdict::Holds, 2));
    }
}
