//! A thread that reads twice may wait for a writer that waits for it.

use super::{assert_outcome, check};
use cdsspec::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use cdsspec::sync::{Arc, RwLock, RwLockWriteGuard};
use cdsspec::{Verdict, thread};

#[test]
fn a_recursive_read_may_wait_behind_a_writer_that_waits() {
    let outcome = check(|| {
        let lock = Arc::new(RwLock::new(0));
        let inner = lock.clone();
        let writer = thread::spawn(move || *inner.write().expect("nobody panics with it") = 1);
        let first = lock.read().expect("nobody panics with it");
        let second = lock.read().expect("nobody panics with it");
        assert_eq!(*first, *second);
        drop((first, second));
        writer.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::Deadlock, 2), "{outcome}");
    let report = outcome.report().to_string();
    assert!(report.contains("waits in read") && report.contains("waits in write"), "{report}");
}

#[test]
fn a_recursive_read_with_nobody_who_writes_holds() {
    assert_outcome(
        || {
            let lock = RwLock::new(0);
            let first = lock.read().expect("nobody panics with it");
            assert_eq!(*first, *lock.read().expect("nobody panics with it"));
        },
        Verdict::Holds,
        1,
    );
}

#[test]
fn a_recursive_read_beside_one_who_has_written_or_only_tries_to_holds() {
    assert_outcome(
        || {
            let lock = Arc::new(RwLock::new(0));
            *lock.write().expect("nobody panics with it") = 1;
            let inner = lock.clone();
            let writer = thread::spawn(move || _ = inner.try_write());
            let first = lock.read().expect("nobody panics with it");
            assert_eq!(*first, *lock.read().expect("nobody panics with it"));
            drop(first);
            writer.join().expect("it does not panic");
        },
        Verdict::Holds,
        5,
    );
}

#[test]
fn a_second_read_after_the_first_was_given_back_waits_for_no_writer() {
    assert_outcome(
        || {
            let lock = Arc::new(RwLock::new(0));
            let inner = lock.clone();
            let writer = thread::spawn(move || *inner.write().expect("nobody panics with it") = 1);
            drop(lock.read());
            drop(lock.read());
            writer.join().expect("it does not panic");
        },
        Verdict::Holds,
        3,
    );
}

#[test]
fn who_reads_beside_a_downgraded_guard_sees_what_it_wrote() {
    assert_outcome(
        || {
            let shared = Arc::new((RwLock::new(()), AtomicUsize::new(0)));
            let writes = shared.0.write().expect("nobody panics with it");
            let other = shared.clone();
            let reader = thread::spawn(move || {
                let _reads = other.0.read().expect("nobody panics with it");
                assert_eq!(other.1.load(Relaxed), 1);
            });
            shared.1.store(1, Relaxed);
            let reads = RwLockWriteGuard::downgrade(writes);
            reader.join().expect("it is let in, and does not panic");
            drop(reads);
        },
        Verdict::Holds,
        1,
    );
}
