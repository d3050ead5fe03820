//! What loom's own tests say of loom: a program that it gets wrong, and those that RC11 decides otherwise than they do.

use cdsspec_loom as loom;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering, Ordering::*};
use loom::thread;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// How often `z` was counted, in all executions of cppreference's example for sequential consistency: `spec::test_seq_cst`, which loom ignores, since
/// its accesses are no stronger than `AcqRel`.
fn counts(store: Ordering, load: Ordering) -> Vec<usize> {
    let seen: &'static Mutex<BTreeSet<usize>> = Box::leak(Box::default());
    loom::model(move || {
        let flags = Arc::new((AtomicBool::new(false), AtomicBool::new(false)));
        let wait = |is_first: bool| {
            let flags = Arc::clone(&flags);
            thread::spawn(move || {
                let (x, y) = if is_first { (&flags.0, &flags.1) } else { (&flags.1, &flags.0) };
                while !x.load(load) {
                    thread::yield_now();
                }
                usize::from(y.load(load))
            })
        };
        let other = Arc::clone(&flags);
        let setter = thread::spawn(move || other.1.store(true, store));
        let (one, two) = (wait(true), wait(false));
        flags.0.store(true, store);
        let count = one.join().expect("it does not panic") + two.join().expect("it does not panic");
        setter.join().expect("it does not panic");
        seen.lock().expect("nobody panics").insert(count);
    });
    seen.lock().expect("nobody panics").iter().copied().collect()
}

#[test]
fn test_seq_cst() {
    assert_eq!(counts(SeqCst, SeqCst), [1, 2]);
    assert_eq!(counts(Release, Acquire), [0, 1, 2]);
}

/// loom's `compare_and_swap_reads_old_values` expects a panic and is ignored. What it waits for cannot be: of two exchanges of the first value for
/// another, the one that is last in the modification order has read what the other thread stored.
#[test]
fn two_exchanges_of_the_first_value_do_not_both_end_last() {
    loom::model(|| {
        let pair = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let other = Arc::clone(&pair);
        let thread = thread::spawn(move || {
            other.0.store(1, Release);
            let _ = other.1.compare_exchange(0, 2, AcqRel, Acquire);
        });
        pair.1.store(1, Release);
        let _ = pair.0.compare_exchange(0, 2, AcqRel, Acquire);
        thread.join().expect("it does not panic");
        assert_ne!((pair.0.load(Acquire), pair.1.load(Acquire)), (2, 2));
    });
}
