//! Rounds that lock and unlock, notify, or write to cells.

use super::explore;
use cdsspec::cell::UnsafeCell;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::{Arc, Mutex};
use cdsspec::{Builder, Verdict, hint, thread};

/// Polls what is under the lock until it is true.
fn poll(lock: &Mutex<bool>, rest: fn()) {
    while !*lock.lock().expect("nobody panics with it") {
        rest();
    }
}

/// Whether the lock was free, three times; then makes what is under it true.
fn look_three_times(lock: &Mutex<bool>) -> [bool; 3] {
    let looks = [(); 3].map(|()| lock.try_lock().is_ok());
    *lock.lock().expect("nobody panics with it") = true;
    looks
}

/// All that three looks at a lock may see that another thread takes again and again.
fn all_looks() -> std::collections::BTreeSet<[bool; 3]> {
    (0..8).map(|bits: u8| [0, 1, 2].map(|bit| bits >> bit & 1 == 1)).collect()
}

#[test]
fn a_lock_that_is_polled_is_taken_and_free_by_turns_for_who_looks_before() {
    for rest in [hint::spin_loop, || {}] {
        let (outcome, found) = explore(Builder::new().loop_rounds_max(4), move || {
            let lock = Arc::new(Mutex::new(false));
            let other = lock.clone();
            let poller = thread::spawn(move || poll(&other, rest));
            let looks = look_three_times(&lock);
            poller.join().expect("it does not panic");
            looks
        });
        assert_eq!((outcome.verdict, found), (Verdict::HoldsWithin, all_looks()), "{outcome}");
    }
}

#[test]
fn a_lock_that_is_polled_is_taken_and_free_by_turns_for_who_looks_after() {
    for rest in [hint::spin_loop, || {}] {
        let (outcome, found) = explore(Builder::new().loop_rounds_max(4), move || {
            let lock = Arc::new(Mutex::new(false));
            let other = lock.clone();
            let looker = thread::spawn(move || look_three_times(&other));
            poll(&lock, rest);
            looker.join().expect("it does not panic")
        });
        assert_eq!((outcome.verdict, found), (Verdict::HoldsWithin, all_looks()), "{outcome}");
    }
}

#[test]
fn a_poller_that_does_not_see_yet_what_another_put_under_the_lock_waits_not_for_ever() {
    let (outcome, _) = explore(Builder::new(), || {
        let lock = Arc::new(Mutex::new(false));
        let other = lock.clone();
        let poller = thread::spawn(move || poll(&other, hint::spin_loop));
        *lock.lock().expect("nobody panics with it") = true;
        poller.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.bounds.len()), (Verdict::Holds, 0), "{outcome}");
}

/// Polls what is under the first lock until it is true, and always has one of the locks.
fn poll_hand_over_hand([first, second]: &[Mutex<bool>; 2]) {
    let mut is_up = first.lock().expect("nobody panics with it");
    while !*is_up {
        let between = second.lock().expect("nobody panics with it");
        drop(is_up);
        hint::spin_loop();
        is_up = first.lock().expect("nobody panics with it");
        drop(between);
    }
}

/// Where the poller reaches the bound it has a lock, for which the other thread waits, but gives it back in each round.
#[test]
fn who_waits_for_a_lock_that_a_poller_gives_back_in_each_round_waits_not_for_ever() {
    let (outcome, _) = explore(Builder::new().loop_rounds_max(4), || {
        let locks = Arc::new([false; 2].map(Mutex::new));
        let other = locks.clone();
        let poller = thread::spawn(move || poll_hand_over_hand(&other));
        *locks[0].lock().expect("nobody panics with it") = true;
        poller.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.bounds.len()), (Verdict::HoldsWithin, 1), "{outcome}");
}

/// It becomes true if somebody sees that the other one has begun to poll; else both poll for ever. If the one who always has a lock stopped where
/// it has that for which the other one comes, no execution would show that.
#[test]
fn a_poller_that_always_has_a_lock_is_explored_round_by_round() {
    let (outcome, _) = explore(Builder::new().loop_rounds_max(2), || {
        let shared = Arc::new(([false; 2].map(Mutex::new), AtomicUsize::new(0)));
        let [other, third] = [shared.clone(), shared.clone()];
        let pollers = [
            thread::spawn(move || poll_hand_over_hand(&other.0)),
            thread::spawn(move || {
                third.1.store(1, Relaxed);
                poll(&third.0[0], hint::spin_loop);
            }),
        ];
        if shared.1.load(Relaxed) == 1 {
            *shared.0[0].lock().expect("nobody panics with it") = true;
        }
        for poller in pollers {
            poller.join().expect("it does not panic");
        }
    });
    // Whether the other one comes to the bound, too, depends on what the compiler makes of its loop.
    assert_eq!(outcome.verdict, Verdict::HoldsWithin, "{outcome}");
    assert!((1..=2).contains(&outcome.bounds.len()), "{outcome}");
}

/// Each `park` needs a token of its own.
#[test]
fn a_round_that_unparks_is_explored_as_often_as_somebody_parks() {
    let (outcome, _) = explore(Builder::new().spurious_wakeups(false).loop_rounds_max(8), || {
        let done = Arc::new(AtomicUsize::new(0));
        let other = done.clone();
        let parker = thread::spawn(move || {
            (0..3).for_each(|_| thread::park());
            other.store(1, Release);
        });
        while done.load(Acquire) == 0 {
            parker.thread().unpark();
            hint::spin_loop();
        }
        parker.join().expect("it does not panic");
    });
    // Within both bounds it comes to its end.
    assert_eq!((outcome.verdict, outcome.bounds.len()), (Verdict::HoldsWithin, 2), "{outcome}");
}

/// Counts its rounds in a cell.
struct Counted(AtomicUsize, UnsafeCell<usize>);

// SAFETY: only one thread uses the cell.
unsafe impl Sync for Counted {}

#[test]
fn a_round_that_counts_in_a_cell_is_explored_within_the_bound() {
    let (outcome, found) = explore(Builder::new().loop_rounds_max(8), || {
        let shared = Arc::new(Counted(AtomicUsize::new(0), UnsafeCell::new(0)));
        let other = shared.clone();
        let setter = thread::spawn(move || other.0.store(1, Relaxed));
        while shared.0.load(Relaxed) == 0 {
            // SAFETY: only this thread uses the cell.
            shared.1.with_mut(|count| count_one(unsafe { &mut *count }));
            hint::spin_loop();
        }
        setter.join().expect("it does not panic");
        // SAFETY: as above.
        shared.1.with(|count| unsafe { *count })
    });
    let expected = (Verdict::HoldsWithin, 1, (0..8).collect());
    assert_eq!((outcome.verdict, outcome.bounds.len(), found), expected, "{outcome}");
}

/// In a frame of its own: nothing of the count is left on the stack of the loop.
#[inline(never)]
fn count_one(count: &mut usize) {
    *count += 1;
}

/// Says how often the other thread has looked.
#[test]
fn a_round_that_changes_what_its_lock_guards_is_explored() {
    let (outcome, found) = explore(Builder::new().loop_rounds_max(4), || {
        let shared = Arc::new(Mutex::new((0_usize, false)));
        let other = shared.clone();
        let poller = thread::spawn(move || {
            loop {
                let mut guard = other.lock().expect("nobody panics with it");
                if guard.1 {
                    break;
                }
                count_one(&mut guard.0);
                drop(guard);
                hint::spin_loop();
            }
        });
        let count = {
            let mut guard = shared.lock().expect("nobody panics with it");
            guard.1 = true;
            guard.0
        };
        poller.join().expect("it does not panic");
        count
    });
    assert_eq!((outcome.verdict, found), (Verdict::HoldsWithin, (0..4).collect()), "{outcome}");
}
