//! Waits that end without a reason.

use super::{assert_outcome, check};
use cdsspec::cell::UnsafeCell;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::{Arc, Condvar, Mutex};
use cdsspec::{Builder, Verdict, thread};

type Pair = (Mutex<bool>, Condvar);

/// A thread that sets the flag and notifies, beside `wait`.
fn beside_a_notify(wait: fn(&Pair)) -> impl Fn() + Send + Sync {
    move || {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let inner = pair.clone();
        let child = thread::spawn(move || {
            *inner.0.lock().expect("nobody panics with it") = true;
            inner.1.notify_one();
        });
        wait(&pair);
        child.join().expect("it does not panic");
    }
}

#[test]
fn an_if_in_place_of_a_while_is_found() {
    fn wait((mutex, condvar): &Pair) {
        let mut guard = mutex.lock().expect("nobody panics with it");
        if !*guard {
            guard = condvar.wait(guard).expect("nobody panics with it");
        }
        assert!(*guard);
    }
    let outcome = check(beside_a_notify(wait));
    assert_eq!(outcome.verdict, Verdict::Panic, "{outcome}");
    assert!(outcome.report().to_string().contains("spurious wake-up"), "{outcome}");
    let outcome = Builder::new().spurious_wakeups(false).check(beside_a_notify(wait));
    let bounds = vec!["spurious wake-ups off".to_owned()];
    assert_eq!((outcome.verdict, &outcome.bounds), (Verdict::HoldsWithin, &bounds), "{outcome}");
}

#[test]
fn a_loop_that_waits_holds_and_costs_little() {
    fn wait((mutex, condvar): &Pair) {
        let mut guard = mutex.lock().expect("nobody panics with it");
        while !*guard {
            guard = condvar.wait(guard).expect("nobody panics with it");
        }
    }
    fn wait_while((mutex, condvar): &Pair) {
        let guard = mutex.lock().expect("nobody panics with it");
        drop(condvar.wait_while(guard, |is_set| !*is_set));
    }
    for wait in [wait, wait_while] {
        let without = Builder::new().spurious_wakeups(false).check(beside_a_notify(wait));
        assert_eq!((without.verdict, without.complete_executions), (Verdict::HoldsWithin, 2), "{without}");
        // Without a wake-up, in two ways; after one, either has the lock first and the other waits or not.
        assert_outcome(beside_a_notify(wait), Verdict::Holds, 4);
    }
}

#[test]
fn a_notification_that_comes_too_early_is_still_a_deadlock() {
    assert_outcome(
        || {
            let pair = Arc::new((Mutex::new(false), Condvar::new()));
            let inner = pair.clone();
            let child = thread::spawn(move || {
                inner.1.notify_one();
                *inner.0.lock().expect("nobody panics with it") = true;
            });
            let mut guard = pair.0.lock().expect("nobody panics with it");
            while !*guard {
                guard = pair.1.wait(guard).expect("nobody panics with it");
            }
            drop(guard);
            child.join().expect("it does not panic");
        },
        Verdict::Deadlock,
        5,
    );
}

#[test]
fn a_wait_that_nobody_notifies_wakes_up_once_and_then_never() {
    let outcome = check(|| {
        let mutex = Mutex::new(());
        let (condvar, mut guard) = (Condvar::new(), mutex.lock().expect("nobody panics with it"));
        loop {
            guard = condvar.wait(guard).expect("nobody panics with it");
        }
    });
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Deadlock, 2), "{outcome}");
}

#[test]
fn a_park_without_a_loop_is_found() {
    fn program(is_loop: bool) -> impl Fn() {
        move || {
            let flag = Arc::new(AtomicUsize::new(0));
            let (inner, me) = (flag.clone(), thread::current());
            let child = thread::spawn(move || {
                inner.store(1, Release);
                me.unpark();
            });
            thread::park();
            while is_loop && flag.load(Acquire) == 0 {
                thread::park();
            }
            assert_eq!(flag.load(Acquire), 1);
            child.join().expect("it does not panic");
        }
    }
    assert_outcome(program(false), Verdict::Panic, 2);
    assert_outcome(program(true), Verdict::Holds, 5);
}

#[test]
fn each_place_wakes_up_once() {
    let woken = std::sync::Arc::new(std::sync::Mutex::new(std::collections::BTreeMap::<usize, usize>::new()));
    let counted = woken.clone();
    let outcome = check(move || {
        let mut count = 0;
        for _ in 0..3 {
            thread::park();
            count += 1;
            *counted.lock().expect("nobody panics with it").entry(count).or_default() += 1;
        }
    });
    // It wakes up once, for nothing, and then waits for good.
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Deadlock, 2), "{outcome}");
    assert_eq!(*woken.lock().expect("nobody panics with it"), [(1, 1)].into());
}

#[test]
fn a_notification_orders_nothing_by_itself() {
    struct Cell(UnsafeCell<usize>);
    // SAFETY: the engine looks for races.
    unsafe impl Sync for Cell {}
    assert_outcome(
        || {
            let shared =
                Arc::new((Mutex::new(()), Condvar::new(), Cell(UnsafeCell::new(0)), AtomicUsize::new(0)));
            let inner = shared.clone();
            let child = thread::spawn(move || {
                // SAFETY: whether it is one is what is tested.
                inner.2.0.with_mut(|value| unsafe { *value = 1 });
                inner.3.store(1, Relaxed);
                inner.1.notify_all();
            });
            let mut guard = shared.0.lock().expect("nobody panics with it");
            guard = shared.1.wait(guard).expect("nobody panics with it");
            if shared.3.load(Relaxed) == 1 {
                // SAFETY: as above.
                shared.2.0.with(|value| unsafe { *value });
            }
            drop(guard);
            child.join().expect("it does not panic");
        },
        Verdict::Race,
        2,
    );
}

#[test]
fn a_timed_wait_may_also_wake_up_without_its_time_being_over() {
    let seen = std::sync::Arc::new(std::sync::Mutex::new(std::collections::BTreeSet::new()));
    let noted = seen.clone();
    let outcome = check(move || {
        let mutex = Mutex::new(());
        let guard = mutex.lock().expect("nobody panics with it");
        let (_guard, result) =
            Condvar::new().wait_timeout(guard, std::time::Duration::ZERO).expect("nobody panics with it");
        noted.lock().expect("nobody panics with it").insert(result.timed_out());
    });
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::Holds, 2), "{outcome}");
    assert_eq!(*seen.lock().expect("nobody panics with it"), [false, true].into());
}
