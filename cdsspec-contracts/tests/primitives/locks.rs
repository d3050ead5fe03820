use crate::{assert_ordered, assert_unordered, elsewhere, now};
use cdsspec_contracts::sync::{
    Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, RwLockWriteGuard,
};
use cdsspec_contracts::threads::{HandOver, Moment};
use std::time::Duration;

#[test]
fn to_unlock_a_mutex_happens_before_to_lock_it() {
    let mutex = Arc::new(Mutex::new(0));
    let there = Arc::clone(&mutex);
    let (first, within, after) = elsewhere(move || {
        let first = now();
        let mut guard = there.lock().unwrap();
        *guard = 1;
        let within = now();
        drop(guard);
        (first, within, now())
    });
    let guard = mutex.lock().unwrap();
    let second = now();
    assert!(*guard == 1 && mutex.try_lock().is_err());
    assert_ordered(&first, &second);
    assert_ordered(&within, &second);
    assert_unordered(&after, &second);
}

#[test]
fn a_mutex_is_poisoned_and_orders_even_so() {
    let mutex = Arc::new(Mutex::new(Vec::new()));
    let there = Arc::clone(&mutex);
    cdsspec_contracts::thread::Builder::new()
        .name("it panics, as it should".to_owned())
        .spawn(move || {
            let mut guard = there.lock().unwrap();
            guard.push(now());
            std::panic::resume_unwind(Box::new(()));
        })
        .unwrap();
    let first = loop {
        if mutex.is_poisoned() {
            break mutex.lock().unwrap_err().into_inner().pop().unwrap();
        }
        std::thread::yield_now();
    };
    assert_ordered(&first, &now());
}

#[test]
fn readers_of_a_lock_are_ordered_with_writers_and_not_among_each_other() {
    let lock = Arc::new(RwLock::new(0));
    let reads = |lock: &Arc<RwLock<i32>>| {
        let there = Arc::clone(lock);
        elsewhere(move || {
            let before = now();
            drop(there.read().unwrap());
            before
        })
    };
    let there = Arc::clone(&lock);
    let written = elsewhere(move || {
        let before = now();
        *there.write().unwrap() = 1;
        before
    });
    let first = reads(&lock);
    let guard = lock.read().unwrap();
    let second = now();
    assert!(*guard == 1 && lock.try_write().is_err() && lock.try_read().is_ok());
    drop(guard);
    assert_ordered(&written, &second);
    assert_unordered(&first, &second);
    drop(lock.write().unwrap());
    assert_ordered(&first, &now());
}

#[test]
fn to_downgrade_a_lock_happens_before_to_read_it() {
    let lock = Arc::new(RwLock::new(()));
    let there = Arc::clone(&lock);
    let (written, read) = elsewhere(move || {
        let guard = there.write().unwrap();
        let written = now();
        let guard = RwLockWriteGuard::downgrade(guard);
        let read = now();
        drop(guard);
        (written, read)
    });
    drop(lock.read().unwrap());
    let second = now();
    assert_ordered(&written, &second);
    assert_unordered(&read, &second);
}

#[test]
fn a_wait_orders_by_its_mutex_and_to_notify_does_not() {
    let pair = Arc::new((Mutex::new(None::<Moment>), Condvar::new()));
    let there = Arc::clone(&pair);
    cdsspec_contracts::thread::spawn(move || {
        *there.0.lock().unwrap() = Some(now());
        there.1.notify_one();
    });
    let guard = pair.1.wait_while(pair.0.lock().unwrap(), |moment| moment.is_none()).unwrap();
    assert_ordered(guard.as_ref().unwrap(), &now());
    let (guard, waited) = pair.1.wait_timeout(guard, Duration::from_millis(1)).unwrap();
    drop((guard, waited.timed_out()));
    let there = Arc::clone(&pair);
    let first = elsewhere(move || {
        let first = now();
        there.1.notify_all();
        first
    });
    let guard = pair.0.lock().unwrap();
    drop(pair.1.wait_timeout_while(guard, Duration::from_millis(1), |_| true).unwrap());
    assert_unordered(&first, &now());
}

#[test]
fn who_initialises_comes_before_who_sees_it() {
    let all = Arc::new((Once::new(), OnceLock::new(), LazyLock::new(now), OnceLock::new()));
    let there = Arc::clone(&all);
    let first = elsewhere(move || {
        let first = now();
        there.0.call_once(|| ());
        there.1.set(1).unwrap();
        LazyLock::force(&there.2);
        first
    });
    assert_eq!(all.3.get(), None::<&i32>);
    assert_unordered(&first, &now());
    let by_each: [&dyn Fn() -> bool; 3] =
        [&|| all.0.is_completed(), &|| all.1.get() == Some(&1), &|| LazyLock::get(&all.2).is_some()];
    for ask in by_each {
        let start = now();
        assert!(ask());
        assert_ordered(&start, &now());
        assert_ordered(&first, &now());
    }
    assert_eq!((all.1.set(2), *all.1.get_or_init(|| 3), all.3.set(4)), (Err(2), 1, Ok(())));
}

#[test]
fn a_once_that_panicked_is_tried_again() {
    let (once, value) = (Once::new(), OnceLock::<i32>::new());
    let panics = |f: &dyn Fn()| {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
        assert!(caught.is_err());
    };
    panics(&|| once.call_once(|| std::panic::resume_unwind(Box::new(()))));
    panics(&|| assert_eq!(*value.get_or_init(|| std::panic::resume_unwind(Box::new(()))), 0));
    once.call_once_force(|state| assert!(state.is_poisoned()));
    assert!(once.is_completed() && *value.get_or_init(|| 1) == 1);
}

#[test]
fn who_comes_to_a_barrier_comes_before_who_leaves_it() {
    let barrier = Arc::new((Barrier::new(2), std::sync::Mutex::new(Vec::new())));
    let there = Arc::clone(&barrier);
    cdsspec_contracts::thread::spawn(move || {
        there.1.lock().unwrap().push(now());
        there.0.wait();
        there.0.wait();
    });
    let mine = now();
    let leaders = u32::from(barrier.0.wait().is_leader());
    let second = now();
    assert_ordered(&mine, &second);
    assert_ordered(&barrier.1.lock().unwrap()[0], &second);
    barrier.0.wait();
    assert!(leaders < 2);
}

/// Two who meet at a barrier are not ordered with two who meet there later.
#[test]
fn rounds_of_a_barrier_are_not_ordered_by_it() {
    let barrier = Arc::new(Barrier::new(2));
    let round = |barrier: &Arc<Barrier>| {
        let pair = [(); 2].map(|()| {
            let there = Arc::clone(barrier);
            let (sender, receiver) = std::sync::mpsc::channel();
            cdsspec_contracts::thread::spawn(move || {
                let before = now();
                there.wait();
                sender.send((before, now())).unwrap();
            });
            receiver
        });
        pair.map(|receiver| receiver.recv().unwrap())
    };
    let (first, second) = (round(&barrier), round(&barrier));
    assert_ordered(&first[0].0, &first[1].1);
    assert_ordered(&first[1].0, &first[0].1);
    assert_unordered(&first[0].0, &second[0].1);
    assert_unordered(&first[1].0, &second[1].1);
}

#[test]
fn a_hand_over_orders_what_std_orders() {
    static HAND_OVER: HandOver = HandOver::new();
    let first = now();
    let unordered = std::thread::spawn(now).join().unwrap();
    assert_unordered(&first, &unordered);
    HAND_OVER.release();
    let (second, third) = std::thread::spawn(|| {
        HAND_OVER.acquire();
        let second = now();
        HAND_OVER.release();
        (second, now())
    })
    .join()
    .unwrap();
    assert_ordered(&first, &second);
    assert!(!second.has_creator);
    HAND_OVER.acquire();
    assert_ordered(&second, &now());
    assert_unordered(&third, &now());
}
