//! Indices of threads are used again. A process of its own, so that no other test takes them.
#![allow(clippy::unwrap_used, reason = "tests")]

use cdsspec_contracts::sync::Arc;
use cdsspec_contracts::sync::atomic::AtomicU32;
use cdsspec_contracts::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec_contracts::thread;
use cdsspec_contracts::threads::{Moment, index_count};

fn now() -> Moment {
    Moment::now().expect("contracts are on")
}

/// Another thread does something, and is over, which nothing but what it did orders: that std joins it is not seen.
fn elsewhere<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::spawn(f).join().unwrap()
}

#[test]
fn indices_go_from_thread_to_thread() {
    let mine = index_count();
    one_after_the_other();
    assert_eq!(index_count(), mine.max(1) + 1, "all threads that were joined had one index");
    unjoined_threads_that_nothing_is_kept_of();
    a_thread_does_not_know_what_the_former_owner_of_its_index_released();
    all_at_once();
}

fn one_after_the_other() {
    const THREADS: u32 = 500;
    let atomic = Arc::new(AtomicU32::new(0));
    let mut last = now();
    for _ in 0..THREADS {
        let there = Arc::clone(&atomic);
        let child = thread::spawn(move || {
            let moment = now();
            // Steps that only the thread itself knows of at its end.
            (0..5).for_each(|_| there.store(1, Release));
            moment
        });
        let moment = child.join().unwrap();
        assert!(last.happens_before(&moment) && moment.happens_before(&now()));
        if moment.epoch.thread == last.epoch.thread {
            assert!(moment.epoch.step >= last.epoch.step + 5, "steps are not counted twice");
        }
        last = moment;
    }
}

fn unjoined_threads_that_nothing_is_kept_of() {
    let before = index_count();
    for _ in 0..500 {
        elsewhere(|| drop(now()));
    }
    assert!(index_count() <= before + 1, "{} indices more", index_count() - before);
}

/// Threads that nobody joins, of which nothing is kept, take each other's indices. What one of them released, its successor learns by reading it, and not
/// by its index.
fn a_thread_does_not_know_what_the_former_owner_of_its_index_released() {
    let mut taken_over = 0;
    for _ in 0..200 {
        let atomic = Arc::new(AtomicU32::new(0));
        let before = Arc::new(AtomicU32::new(0));
        let there = (Arc::clone(&atomic), Arc::clone(&before));
        // An event of a third thread, which the first one knows and releases.
        let kept = elsewhere(move || {
            let kept = now();
            there.1.store(1, Release);
            kept
        });
        let there = (Arc::clone(&atomic), before);
        let first = elsewhere(move || {
            assert_eq!(there.1.load(Acquire), 1);
            there.0.store(1, Release);
            now().epoch
        });
        let there = Arc::clone(&atomic);
        let (unordered, ordered) = elsewhere(move || {
            assert_eq!(there.load(Relaxed), 1);
            let unordered = now();
            assert_eq!(there.load(Acquire), 1);
            (unordered, now())
        });
        assert!(!kept.happens_before(&unordered) && kept.happens_before(&ordered));
        taken_over += u32::from(ordered.epoch.thread == first.thread && ordered.epoch.step != first.step);
    }
    assert!(taken_over > 0, "no index was taken over");
}

fn all_at_once() {
    const THREADS: u32 = 32;
    let before = index_count();
    let barrier = std::sync::Barrier::new(THREADS as usize);
    for _ in 0..3 {
        thread::scope(|scope| {
            let run = || {
                drop(now());
                barrier.wait();
            };
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(run)).collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
    }
    assert!(index_count() <= before + THREADS, "{} indices more", index_count() - before);
}
