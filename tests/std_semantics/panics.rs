//! Panics that the program takes for results are no faults; all others are, also those of threads that nobody joins.

use super::{assert_outcome, check};
use cdsspec::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use cdsspec::sync::{Arc, Mutex, RwLock, mpsc};
use cdsspec::{Builder, Verdict, thread};
use std::panic::resume_unwind;

fn panics() -> ! {
    resume_unwind(Box::new("child"))
}

#[test]
fn a_joined_panic_is_a_result_also_if_the_joiner_waited_for_something_else_first() {
    assert_outcome(
        || {
            let (sender, receiver) = mpsc::channel();
            let child = thread::spawn(move || {
                sender.send(1).expect("it is received");
                panics();
            });
            receiver.recv().expect("it is sent");
            assert!(child.join().is_err());
        },
        Verdict::Holds,
        // It receives before the sender is dropped, or after that.
        2,
    );
}

/// In a by-product the joiner waits for a lock that another thread has let go of, and does not come to the join.
#[test]
fn a_joined_panic_is_a_result_also_if_the_joiner_waited_for_something_else_that_others_want() {
    assert_outcome(
        || {
            let lock = Arc::new(cdsspec::sync::Mutex::new(0));
            let other = lock.clone();
            let child = thread::spawn(panics);
            let thread = thread::spawn(move || *other.lock().expect("nobody panics with it") += 1);
            *lock.lock().expect("nobody panics with it") += 1;
            assert!(child.join().is_err());
            thread.join().expect("it does not panic");
        },
        Verdict::Holds,
        // Who has the lock first.
        2,
    );
}

#[test]
fn a_joined_panic_is_a_result_also_if_the_joiner_polled_first() {
    assert_outcome(
        || {
            let flag = Arc::new(cdsspec::sync::atomic::AtomicBool::new(false));
            let inner = flag.clone();
            let child = thread::spawn(move || {
                inner.store(true, cdsspec::sync::atomic::Ordering::Release);
                panics();
            });
            while !flag.load(cdsspec::sync::atomic::Ordering::Acquire) {
                cdsspec::hint::spin_loop();
            }
            assert!(child.join().is_err());
        },
        Verdict::Holds,
        1,
    );
}

#[test]
fn a_panic_that_nobody_joins_is_a_fault_also_if_others_wait_in_the_execution() {
    assert_outcome(
        || {
            let (sender, receiver) = mpsc::channel();
            let _detached = thread::spawn(move || {
                sender.send(1).expect("it is received");
                panics();
            });
            receiver.recv().expect("it is sent");
        },
        Verdict::Panic,
        0,
    );
}

#[test]
fn a_panic_beside_a_deadlock_is_a_fault() {
    let outcome = check(|| {
        let _detached = thread::spawn(|| panics());
        thread::spawn(|| Mutex::new(()).lock().map(|_guard| thread::park()).is_ok())
            .join()
            .expect("it waits");
    });
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::Panic, 0), "{outcome}");
}

#[test]
fn a_panic_that_a_poisoned_lock_tells_of_is_a_result_where_the_program_looks() {
    fn beside(look: fn(&Mutex<usize>) -> bool) -> impl Fn() {
        move || {
            let mutex = Arc::new(Mutex::new(0));
            let (inner, (sender, receiver)) = (mutex.clone(), mpsc::channel::<()>());
            let _detached = thread::spawn(move || {
                let _sender = sender;
                let _guard = inner.lock();
                panics();
            });
            receiver.recv().expect_err("nothing is sent");
            assert!(look(&mutex));
        }
    }
    // Either of the two drops the mutex.
    assert_outcome(beside(|mutex| mutex.lock().is_err()), Verdict::Holds, 2);
    assert_outcome(beside(|mutex| mutex.try_lock().is_err()), Verdict::Holds, 2);
    assert_outcome(beside(Mutex::is_poisoned), Verdict::Holds, 2);
    assert_outcome(beside(|_| true), Verdict::Panic, 0);
}

#[test]
fn a_panic_over_a_poisoned_lock_is_a_fault_and_the_report_says_what_came_first() {
    let outcome = check(|| {
        let lock = Arc::new(RwLock::new(0));
        let inner = lock.clone();
        let child = thread::spawn(move || {
            let _guard = inner.write();
            panics();
        });
        let _joined = child.join();
        assert_eq!(*lock.read().expect("it is not poisoned"), 0);
    });
    assert_eq!(outcome.verdict, Verdict::Panic, "{outcome}");
    let report = outcome.report().to_string();
    assert!(report.contains("child (then thread 0 panicked: it is not poisoned"), "{report}");
}

#[test]
fn a_thread_that_panics_while_another_one_unwinds_poisons_what_it_has_locked() {
    let outcome = Builder::new().stop_at_first(false).check(|| {
        let (word, lock) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(())));
        let (stored, loaded, locked) = (word.clone(), word.clone(), lock.clone());
        let storing = thread::spawn(move || stored.store(1, Relaxed));
        let other = thread::spawn(move || {
            let _guard = locked.lock();
            assert!(loaded.load(Relaxed) == 1);
        });
        assert!(word.load(Relaxed) == 1);
        drop(lock.lock());
        storing.join().expect("it does not panic");
        drop(other.join());
    });
    assert_eq!((outcome.verdict, outcome.is_complete), (Verdict::Panic, true), "{outcome}");
    assert!(outcome.counts[&Verdict::Holds] > 0, "main sees the 1, and joins the other one");
}
