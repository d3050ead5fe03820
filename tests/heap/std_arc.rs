//! What std's shared pointers own: their counts are not seen, and no free is found that they order.

use super::common::{ENGINES, check};
use cdsspec::Verdict;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::thread;
use std::rc::Rc;
use std::sync::Arc;

#[test]
fn whoever_drops_a_shared_pointer_of_stds_last_frees_rightly() {
    for engine in ENGINES {
        let outcome = check(engine, || {
            let shared = Arc::new(AtomicUsize::new(0));
            let shared2 = shared.clone();
            thread::spawn(move || shared2.fetch_add(1, Relaxed));
            shared.fetch_add(1, Relaxed);
        });
        assert!(outcome.holds() && outcome.complete_executions > 1, "{outcome}");
        let outcome = check(engine, || {
            let shared = Rc::new(AtomicUsize::new(0));
            shared.clone().fetch_add(1, Relaxed);
        });
        assert!(outcome.holds(), "{outcome}");
    }
}

/// Owns a node, which it frees with itself. An operation would not do: which thread is the last one, an engine does not know.
struct Owner {
    count: AtomicUsize,
    node: Box<AtomicUsize>,
}

#[test]
fn what_a_shared_pointer_of_stds_owns_is_dropped_rightly() {
    for engine in ENGINES {
        let outcome = check(engine, || {
            let owner = Owner { count: AtomicUsize::new(0), node: Box::new(AtomicUsize::new(0)) };
            let shared = Arc::new(owner);
            let shared2 = shared.clone();
            thread::spawn(move || {
                shared2.count.load(Relaxed);
                shared2.node.load(Relaxed);
            });
            shared.node.fetch_add(1, Relaxed);
        });
        assert!(outcome.holds() && outcome.complete_executions > 1, "{outcome}");
    }
}

#[test]
fn a_weak_pointer_that_is_left_frees_rightly() {
    for engine in ENGINES {
        let outcome = check(engine, || {
            let shared = Arc::new(AtomicUsize::new(0));
            let weak = Arc::downgrade(&shared);
            thread::spawn(move || weak.upgrade().map(|shared| shared.fetch_add(1, Relaxed)));
            shared.fetch_add(1, Relaxed);
        });
        assert!(outcome.holds(), "{outcome}");
    }
}

#[test]
fn what_a_shared_pointer_of_stds_does_not_own_is_looked_at_all_the_same() {
    for engine in ENGINES {
        let outcome = check(engine, || {
            let shared = Arc::new(AtomicUsize::new(0));
            let node = Box::into_raw(Box::new(AtomicUsize::new(0))).expose_provenance();
            let shared2 = shared.clone();
            let other = thread::spawn(move || {
                let node = std::ptr::with_exposed_provenance::<AtomicUsize>(node);
                // SAFETY: the checker is there to say whether that is right.
                unsafe { &*node }.load(Relaxed);
                shared2.fetch_add(1, Relaxed);
            });
            shared.fetch_add(1, Relaxed);
            // SAFETY: as above.
            drop(unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut::<AtomicUsize>(node)) });
            drop(shared);
            other.join().expect("no thread panics");
        });
        assert_eq!(outcome.verdict, Verdict::Freed, "{outcome}");
    }
}

/// A free by the thread that drops the last shared pointer, right before it: another free between the same two operations.
#[test]
fn a_free_beside_the_last_drop_of_a_shared_pointer_of_stds_is_looked_at() {
    for engine in ENGINES {
        let outcome = check(engine, || {
            let shared = Arc::new(AtomicUsize::new(0));
            let node = Box::into_raw(Box::new(AtomicUsize::new(0))).expose_provenance();
            let shared2 = shared.clone();
            let other = thread::spawn(move || {
                shared2.fetch_add(1, Relaxed);
                // SAFETY: the checker is there to say whether that is right.
                drop(unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut::<AtomicUsize>(node)) });
                drop(shared2);
            });
            // SAFETY: as above.
            unsafe { &*std::ptr::with_exposed_provenance::<AtomicUsize>(node) }.load(Relaxed);
            drop(shared);
            other.join().expect("no thread panics");
        });
        assert_eq!(outcome.verdict, Verdict::Freed, "{outcome}");
    }
}

/// A count of the program's own where std has one of its own, and an object behind it.
struct Counted {
    count: AtomicUsize,
    value: AtomicUsize,
}

#[test]
fn a_count_of_the_programs_own_is_not_taken_for_one_of_stds() {
    for engine in ENGINES {
        let outcome = check(engine, || {
            let counted = Counted { count: AtomicUsize::new(1), value: AtomicUsize::new(0) };
            let counted = Box::into_raw(Box::new(counted)).expose_provenance();
            let at = move || std::ptr::with_exposed_provenance_mut::<Counted>(counted);
            // SAFETY: the checker is there to say whether that is right.
            unsafe { &*at() }.value.fetch_add(1, Relaxed);
            let other = thread::spawn(move || {
                // SAFETY: as above.
                unsafe { &*at() }.value.fetch_add(1, Relaxed);
                // SAFETY: as above.
                let mut whole = unsafe { Box::from_raw(at()) };
                *whole.count.get_mut() = 0;
            });
            // SAFETY: as above.
            unsafe { &*at() }.value.load(Relaxed);
            other.join().expect("no thread panics");
        });
        assert_eq!(outcome.verdict, Verdict::Freed, "{outcome}");
    }
}

/// The value is dropped by one thread, the last weak pointer by another.
#[test]
fn what_a_shared_pointer_owned_is_freed_rightly_if_a_weak_one_is_left_to_another_thread() {
    for engine in ENGINES {
        let outcome = check(engine, || {
            let owner = Owner { count: AtomicUsize::new(0), node: Box::new(AtomicUsize::new(0)) };
            let shared = Arc::new(owner);
            let (shared2, weak) = (shared.clone(), Arc::downgrade(&shared));
            thread::spawn(move || {
                shared2.node.load(Relaxed);
                drop(shared2);
                drop(weak);
            });
            shared.node.fetch_add(1, Relaxed);
            shared.count.load(Relaxed);
        });
        assert!(outcome.holds(), "{outcome}");
    }
}
