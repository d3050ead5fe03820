//! The same programs under every memory model: what the machines and the language forbid and allow.

use cdsspec::Verdict::{self, Holds, Panic, Race};
use cdsspec::cell::UnsafeCell;
use cdsspec::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use cdsspec::sync::atomic::{AtomicU32, fence};
use cdsspec::sync::{Arc, Mutex};
use cdsspec::{Builder, MemoryModel, thread};

/// Two words that start at 0.
type Words = Arc<(AtomicU32, AtomicU32)>;

/// Runs both on the words: what they return.
fn beside(one: impl FnOnce(&Words) -> u32 + Send + 'static, other: impl FnOnce(&Words) -> u32) -> (u32, u32) {
    let words = Words::default();
    let of_one = words.clone();
    let one = thread::spawn(move || one(&of_one));
    let other = other(&words);
    (one.join().expect("no thread panics"), other)
}

/// Each thread stores to one word, and then loads the other.
fn store_buffering(store: Ordering, between: impl Fn() + Copy + Send + 'static, load: Ordering) {
    let seen = beside(
        move |words| {
            words.0.store(1, store);
            between();
            words.1.load(load)
        },
        |words| {
            words.1.store(1, store);
            between();
            words.0.load(load)
        },
    );
    assert_ne!(seen, (0, 0));
}

/// One thread writes a message and then a flag; the other sees the flag, and reads the message.
fn message_passing(flag: Ordering, before_flag: impl Fn() + Send + 'static, load: Ordering) {
    let (_, seen) = beside(
        move |words| {
            words.0.store(1, Relaxed);
            before_flag();
            words.1.store(1, flag);
            0
        },
        move |words| match words.1.load(load) {
            0 => 1,
            _ => words.0.load(Relaxed),
        },
    );
    assert_eq!(seen, 1);
}

/// Each thread loads one word, and then stores to the other.
fn load_buffering() {
    let seen = beside(
        |words| {
            let seen = words.0.load(Relaxed);
            words.1.store(1, Relaxed);
            seen
        },
        |words| {
            let seen = words.1.load(Relaxed);
            words.0.store(1, Relaxed);
            seen
        },
    );
    assert_ne!(seen, (1, 1));
}

/// A thread that reads its own store early, before it is in memory.
fn store_forwarding() {
    let seen = beside(
        |words| {
            words.0.store(1, Relaxed);
            let own = words.0.load(Relaxed);
            own * 2 + words.1.load(Relaxed)
        },
        |words| {
            words.1.store(1, Relaxed);
            let own = words.1.load(Relaxed);
            own * 2 + words.0.load(Relaxed)
        },
    );
    assert_ne!(seen, (2, 2));
}

/// A message in plain memory, behind a relaxed flag.
fn plain_message() {
    struct Message(UnsafeCell<u32>, AtomicU32);
    // SAFETY: it is not sound where the flag orders nothing: that is what is looked for.
    unsafe impl Sync for Message {}
    let message = Arc::new(Message(UnsafeCell::new(0), AtomicU32::new(0)));
    let of_writer = message.clone();
    let writer = thread::spawn(move || {
        of_writer.0.with_mut(|place| {
            // SAFETY: as above.
            unsafe { *place = 1 }
        });
        of_writer.1.store(1, Relaxed);
    });
    if message.1.load(Relaxed) == 1 {
        let seen = message.0.with(|place| {
            // SAFETY: as above.
            unsafe { *place }
        });
        assert_eq!(seen, 1);
    }
    writer.join().expect("no thread panics");
}

/// Two threads count under a lock.
fn lock() {
    let count = Arc::new(Mutex::new(0));
    let of_other = count.clone();
    let other = thread::spawn(move || *of_other.lock().expect("no thread panics") += 1);
    *count.lock().expect("no thread panics") += 1;
    other.join().expect("no thread panics");
    assert_eq!(*count.lock().expect("no thread panics"), 2);
}

/// A failed compare-exchange between a store and a load empties the queue of x86.
fn failed_exchange_between() {
    let seen = beside(
        |words| {
            words.0.store(1, Relaxed);
            words.0.compare_exchange(7, 8, Relaxed, Relaxed).expect_err("it is 0 or 1");
            words.1.load(Relaxed)
        },
        |words| {
            words.1.store(1, Relaxed);
            words.1.compare_exchange(7, 8, Relaxed, Relaxed).expect_err("it is 0 or 1");
            words.0.load(Relaxed)
        },
    );
    assert_ne!(seen, (0, 0));
}

/// What comes before the creation of a thread is before what the thread does in the order of SeqCst operations too, and what a thread does
/// is before what comes after its join. (C++20: it strongly happens before.)
fn around_a_thread() {
    let words = Words::default();
    let [of_other, of_child] = [words.clone(), words.clone()];
    let other = thread::spawn(move || {
        of_other.1.store(1, SeqCst);
        of_other.0.load(SeqCst)
    });
    words.0.store(1, SeqCst);
    let child = thread::spawn(move || of_child.1.load(SeqCst));
    let seen = (child.join().expect("no thread panics"), other.join().expect("no thread panics"));
    assert_ne!(seen, (0, 0));
}

/// The same, the store being the child's.
fn around_a_join() {
    let words = Words::default();
    let [of_other, of_child] = [words.clone(), words.clone()];
    let other = thread::spawn(move || {
        of_other.1.store(1, SeqCst);
        of_other.0.load(SeqCst)
    });
    let child = thread::spawn(move || of_child.0.store(1, SeqCst));
    child.join().expect("no thread panics");
    let seen = (words.1.load(SeqCst), other.join().expect("no thread panics"));
    assert_ne!(seen, (0, 0));
}

/// A handle that is cloned between a store and a load: the count is changed by a read-modify-write, which empties the queue of x86. Both threads
/// keep their handles, so that nothing shows in which order the count was changed: under RC11 such changes are left out.
fn clone_between() {
    let handle = Arc::new(0);
    let other = handle.clone();
    let seen = beside(
        move |words| {
            words.0.store(1, Relaxed);
            std::mem::forget((handle.clone(), handle));
            words.1.load(Relaxed)
        },
        move |words| {
            words.1.store(1, Relaxed);
            std::mem::forget((other.clone(), other));
            words.0.load(Relaxed)
        },
    );
    assert_ne!(seen, (0, 0));
}

/// The program, and its verdict under each model: RC11, Sc, Tso, Pso.
type Row = (&'static str, fn(), [Verdict; 4]);

#[test]
fn programs_have_the_verdicts_of_the_model_that_is_asked_for() {
    let rows: [Row; 16] = [
        ("SB", || store_buffering(Relaxed, || (), Relaxed), [Panic, Holds, Panic, Panic]),
        (
            "SB, release and acquire",
            || store_buffering(Release, || (), Acquire),
            [Panic, Holds, Panic, Panic],
        ),
        ("SB, SeqCst", || store_buffering(SeqCst, || (), SeqCst), [Holds, Holds, Holds, Holds]),
        ("SB, SeqCst stores", || store_buffering(SeqCst, || (), Relaxed), [Panic, Holds, Holds, Holds]),
        ("SB, fences", || store_buffering(Relaxed, || fence(SeqCst), Relaxed), [Holds, Holds, Holds, Holds]),
        (
            "SB, weak fences",
            || store_buffering(Relaxed, || fence(AcqRel), Relaxed),
            [Panic, Holds, Panic, Panic],
        ),
        ("SB, failed exchanges", failed_exchange_between, [Panic, Holds, Holds, Holds]),
        ("SB, own stores are seen", store_forwarding, [Panic, Holds, Panic, Panic]),
        ("MP", || message_passing(Relaxed, || (), Relaxed), [Panic, Holds, Holds, Panic]),
        (
            "MP, a release fence",
            || message_passing(Relaxed, || fence(Release), Relaxed),
            [Panic, Holds, Holds, Holds],
        ),
        (
            "MP, release and acquire",
            || message_passing(Release, || (), Acquire),
            [Holds, Holds, Holds, Holds],
        ),
        ("MP, a plain message", plain_message, [Race, Holds, Holds, Race]),
        ("SB, a clone of an Arc", clone_between, [Panic, Holds, Holds, Holds]),
        ("SB, around a creation", around_a_thread, [Holds, Holds, Holds, Holds]),
        ("SB, around a join", around_a_join, [Holds, Holds, Holds, Holds]),
        ("LB", load_buffering, [Holds, Holds, Holds, Holds]),
    ];
    for (name, program, expected) in rows {
        let verdicts =
            MemoryModel::ALL.map(|model| Builder::new().memory_model(model).check(program).verdict);
        assert_eq!(verdicts, expected, "{name}");
    }
}

#[test]
fn locks_and_reports_go_by_the_model() {
    for model in MemoryModel::ALL {
        let outcome = Builder::new().memory_model(model).check(lock);
        assert_eq!(outcome.verdict, Holds, "{outcome}");
        let report = outcome.report();
        assert!(report.contains(&format!("by {}: ", model.name())), "{report}");
    }
}
