use crate::{assert_ordered, assert_unordered, elsewhere, now};
use cdsspec_contracts::sync::Arc;
use cdsspec_contracts::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use cdsspec_contracts::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, fence};
use cdsspec_contracts::threads::Moment;

/// A moment, then a store by another thread; then a load here, and a moment.
fn store_load(store: Ordering, load: Ordering) -> (Moment, Moment) {
    let atomic = Arc::new(AtomicU32::new(0));
    let there = Arc::clone(&atomic);
    let first = elsewhere(move || {
        let first = now();
        there.store(1, store);
        first
    });
    assert_eq!(atomic.load(load), 1);
    (first, now())
}

#[test]
fn a_release_store_that_an_acquire_load_reads_orders() {
    for store in [Relaxed, Release, SeqCst] {
        for load in [Relaxed, Acquire, SeqCst] {
            let (first, second) = store_load(store, load);
            if store == Relaxed || load == Relaxed {
                assert_unordered(&first, &second);
            } else {
                assert_ordered(&first, &second);
            }
        }
    }
}

#[test]
fn what_a_thread_does_after_its_store_is_not_ordered() {
    let atomic = Arc::new(AtomicU32::new(0));
    let there = Arc::clone(&atomic);
    let first = elsewhere(move || {
        there.store(1, Release);
        now()
    });
    assert_eq!(atomic.load(Acquire), 1);
    assert_unordered(&first, &now());
}

#[test]
fn fences_order_relaxed_accesses() {
    for (release, acquire) in
        [(Release, Acquire), (AcqRel, AcqRel), (SeqCst, SeqCst), (Acquire, Acquire), (Release, Release)]
    {
        let atomic = Arc::new(AtomicU32::new(0));
        let there = Arc::clone(&atomic);
        let (first, between) = elsewhere(move || {
            let first = now();
            fence(release);
            let between = now();
            there.store(1, Relaxed);
            (first, between)
        });
        assert_eq!(atomic.load(Relaxed), 1);
        let before_fence = now();
        fence(acquire);
        let second = now();
        assert_unordered(&first, &before_fence);
        assert_unordered(&between, &second);
        if release == Acquire || acquire == Release {
            assert_unordered(&first, &second);
        } else {
            assert_ordered(&first, &second);
        }
    }
}

#[test]
fn read_modify_writes_go_on_with_a_release_sequence_and_stores_do_not() {
    let (by_update, by_store) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let there = (Arc::clone(&by_update), Arc::clone(&by_store));
    let first = elsewhere(move || {
        let first = now();
        there.0.store(1, Release);
        there.1.store(1, Release);
        first
    });
    let there = (Arc::clone(&by_update), Arc::clone(&by_store));
    let middle = elsewhere(move || {
        let middle = now();
        there.0.fetch_add(1, Relaxed);
        assert_eq!(there.0.compare_exchange(2, 3, Relaxed, Relaxed), Ok(2));
        there.1.store(3, Relaxed);
        middle
    });
    assert_eq!(by_store.load(Acquire), 3);
    assert_unordered(&first, &now());
    assert_eq!(by_update.load(Acquire), 3);
    let second = now();
    assert_ordered(&first, &second);
    assert_unordered(&middle, &second);
}

#[test]
fn a_release_update_adds_to_what_was_released() {
    let atomic = Arc::new(AtomicU32::new(0));
    let moments: Vec<Moment> = (0..8)
        .map(|_| {
            let there = Arc::clone(&atomic);
            elsewhere(move || {
                let moment = now();
                there.fetch_add(1, Release);
                moment
            })
        })
        .collect();
    assert_eq!(atomic.load(Relaxed), 8);
    moments.iter().for_each(|moment| assert_unordered(moment, &now()));
    assert_eq!(atomic.load(Acquire), 8);
    moments.iter().for_each(|moment| assert_ordered(moment, &now()));
}

#[test]
fn an_exchange_that_fails_is_a_load() {
    let atomic = Arc::new(AtomicU32::new(0));
    let there = Arc::clone(&atomic);
    let first = elsewhere(move || {
        let first = now();
        there.store(1, Release);
        first
    });
    assert_eq!(atomic.compare_exchange(0, 2, AcqRel, Relaxed), Err(1));
    assert_unordered(&first, &now());
    assert_eq!(atomic.compare_exchange(0, 2, Relaxed, Acquire), Err(1));
    assert_ordered(&first, &now());
}

#[test]
fn what_was_written_uniquely_releases_nothing() {
    let mut atomic = Arc::new(AtomicU32::new(0));
    let there = Arc::clone(&atomic);
    let first = elsewhere(move || {
        let first = now();
        there.store(1, Release);
        drop(there);
        first
    });
    while Arc::get_mut(&mut atomic).is_none() {
        std::thread::yield_now();
    }
    *Arc::get_mut(&mut atomic).unwrap().get_mut() = 2;
    assert_eq!(atomic.load(Acquire), 2);
    assert_unordered(&first, &now());
}

#[test]
fn operations_do_what_those_of_std_do() {
    let (number, flag) = (AtomicU32::new(6), AtomicBool::new(true));
    assert_eq!(number.fetch_add(u32::MAX, SeqCst), 6);
    assert_eq!(number.fetch_sub(1, SeqCst), 5);
    assert_eq!(number.fetch_or(3, SeqCst), 4);
    assert_eq!(number.fetch_and(6, SeqCst), 7);
    assert_eq!(number.fetch_xor(1, SeqCst), 6);
    assert_eq!(number.fetch_nand(!0, SeqCst), 7);
    assert_eq!(number.fetch_max(1, SeqCst), !7);
    assert_eq!(number.fetch_min(1, SeqCst), !7);
    assert_eq!(number.swap(9, SeqCst), 1);
    assert_eq!(number.fetch_update(SeqCst, SeqCst, |old| (old == 9).then_some(10)), Ok(9));
    assert_eq!(number.try_update(SeqCst, SeqCst, |old| (old == 9).then_some(10)), Err(10));
    assert_eq!(number.update(SeqCst, SeqCst, |old| old + 1), 10);
    assert_eq!((number.load(SeqCst), format!("{number:?}"), number.into_inner()), (11, "11".to_owned(), 11));
    assert!(flag.fetch_not(SeqCst) && !flag.fetch_or(true, SeqCst) && flag.fetch_and(false, SeqCst));
    assert!(!flag.fetch_nand(true, SeqCst) && flag.fetch_xor(true, SeqCst) && !flag.load(SeqCst));
    let mut values = [1_u16, 2, 3];
    let start = values.as_mut_ptr();
    let pointer = AtomicPtr::new(start);
    assert_eq!(pointer.fetch_ptr_add(2, SeqCst), start);
    assert_eq!(pointer.fetch_byte_sub(2, SeqCst), start.wrapping_add(2));
    assert_eq!(pointer.fetch_or(1, SeqCst), start.wrapping_add(1));
    assert_eq!(pointer.fetch_and(!1, SeqCst), start.wrapping_add(1).map_addr(|address| address | 1));
    assert_eq!(pointer.load(SeqCst), start.wrapping_add(1));
}

#[test]
#[should_panic(expected = "no such thing as a release load")]
fn an_order_that_an_operation_cannot_have_is_refused() {
    AtomicU32::new(0).load(Release);
}

/// A thread that has learnt something releases it at an atomic that it has released to before.
#[test]
fn what_was_learnt_between_two_stores_is_released_by_the_second() {
    for learn in [Acquire, Relaxed] {
        let (read, written) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        written.store(1, Release);
        let there = Arc::clone(&read);
        let first = elsewhere(move || {
            let first = now();
            there.store(1, Release);
            first
        });
        written.store(2, Release);
        assert_eq!(read.load(learn), 1);
        if learn == Relaxed {
            fence(Acquire);
        }
        written.store(3, Release);
        let there = Arc::clone(&written);
        // A thread of std, which nothing else has told.
        let second = std::thread::spawn(move || {
            assert_eq!(there.load(Acquire), 3);
            now()
        });
        assert_ordered(&first, &second.join().unwrap());
    }
}
