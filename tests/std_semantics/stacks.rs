//! Objects on a stack that end while another thread still uses them.

use super::{assert_outcome, check};
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::{Condvar, Mutex};
use cdsspec::{Builder, Verdict, hint, thread};

/// Lends an object to a thread without a borrow.
fn lend<T: Sync + 'static>(object: &T, f: fn(&T)) -> thread::JoinHandle<()> {
    let address = std::ptr::from_ref(object).expose_provenance();
    thread::spawn(move || {
        // SAFETY: whether it is there is what is tested; its memory is, until the execution ends.
        f(unsafe { &*std::ptr::with_exposed_provenance::<T>(address) });
    })
}

/// Returns as soon as the other thread has set the latch.
#[inline(never)]
fn wait_for_a_latch(set: fn(&AtomicUsize)) -> thread::JoinHandle<()> {
    let latch = AtomicUsize::new(0);
    let child = lend(&latch, set);
    while latch.load(Acquire) == 0 {
        hint::spin_loop();
    }
    child
}

#[test]
fn a_latch_that_ends_before_the_last_use_of_who_sets_it_is_freed() {
    let program = |set: fn(&AtomicUsize)| move || wait_for_a_latch(set).join().expect("it does not panic");
    let too_late = |latch: &AtomicUsize| {
        latch.store(1, Release);
        latch.load(Relaxed);
    };
    let outcome = check(program(too_late));
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::Freed, 1), "{outcome}");
    let report = outcome.report().to_string();
    let headline = "freed: the load at tests/std_semantics/stacks.rs:34 does not happen before thread 0 frees the memory\n";
    assert!(report.starts_with(headline) && report.contains("before its join at"), "{report}");
    // Without the release, it does not happen before either.
    assert_outcome(program(|latch| latch.store(1, Relaxed)), Verdict::Freed, 1);
    assert_outcome(program(|latch| latch.store(1, Release)), Verdict::Holds, 1);
    let outcome = Builder::new().freed(false).check(program(too_late));
    assert_eq!(outcome.verdict, Verdict::Holds, "{outcome}");
}

#[test]
fn a_notification_after_the_unlock_of_a_lock_that_ends_is_freed() {
    type Latch = (Mutex<bool>, Condvar);
    #[inline(never)]
    fn wait(set: fn(&Latch)) -> thread::JoinHandle<()> {
        let latch = (Mutex::new(false), Condvar::new());
        let child = lend(&latch, set);
        let mut guard = latch.0.lock().expect("nobody panics with it");
        while !*guard {
            guard = latch.1.wait(guard).expect("nobody panics with it");
        }
        drop(guard);
        child
    }
    let outcome = check(|| {
        let child = wait(|latch| {
            *latch.0.lock().expect("nobody panics with it") = true;
            latch.1.notify_one();
        });
        child.join().expect("it does not panic");
    });
    assert_eq!(outcome.verdict, Verdict::Freed, "{outcome}");
}

#[test]
fn what_is_on_the_stack_of_a_thread_ends_with_it() {
    let program = |joins: bool| {
        move || {
            let (sender, receiver) = std::sync::mpsc::channel();
            let other = thread::spawn(move || {
                let word = AtomicUsize::new(0);
                let child = lend(&word, |word| _ = word.load(Relaxed));
                if joins {
                    child.join().expect("it does not panic");
                } else {
                    sender.send(child).expect("it is received");
                }
            });
            other.join().expect("it does not panic");
            receiver.try_iter().for_each(|child| child.join().expect("it does not panic"));
        }
    };
    assert_outcome(program(false), Verdict::Freed, 1);
    assert_outcome(program(true), Verdict::Holds, 1);
}

#[test]
fn what_scoped_threads_borrow_is_there() {
    assert_outcome(
        || {
            for _ in 0..2 {
                let words = [AtomicUsize::new(0), AtomicUsize::new(0)];
                thread::scope(|scope| {
                    for word in &words {
                        scope.spawn(|| word.fetch_add(1, Relaxed));
                    }
                });
                let boxed = words.map(Box::new);
                assert!(boxed.iter().all(|word| word.load(Relaxed) == 1));
            }
        },
        Verdict::Holds,
        1,
    );
}
