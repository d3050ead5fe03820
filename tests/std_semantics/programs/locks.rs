//! Locks, condition variables, barriers.

use super::fail;
use super::lib::sync::{Arc, Barrier, Condvar, Mutex, RwLock, TryLockError};
use super::lib::thread;
use std::time::Duration;

fn poisoned_mutex() -> Arc<Mutex<u32>> {
    let mutex = Arc::new(Mutex::new(1));
    let inner = mutex.clone();
    let child = thread::spawn(move || {
        *inner.lock().unwrap() = 2;
        let _guard = inner.lock();
        fail("oh")
    });
    let _panicked: thread::Result<()> = child.join();
    mutex
}

fn poisoned_rwlock(write: bool) -> Arc<RwLock<u32>> {
    let lock = Arc::new(RwLock::new(1));
    let inner = lock.clone();
    let child = thread::spawn(move || {
        let _guards = (write.then(|| inner.write()), (!write).then(|| inner.read()));
        fail("oh")
    });
    let _panicked: thread::Result<()> = child.join();
    lock
}

fn kind<T>(tried: Result<T, TryLockError<T>>) -> &'static str {
    match tried {
        Ok(_) => "locked",
        Err(TryLockError::WouldBlock) => "would block",
        Err(TryLockError::Poisoned(_)) => "poisoned",
    }
}

/// What a thread does beside one that has the mutex for a while.
fn beside_a_holder(f: fn(&Mutex<u32>) -> String) -> String {
    let mutex = Arc::new(Mutex::new(0));
    let inner = mutex.clone();
    let child = thread::spawn(move || *inner.lock().unwrap() += 1);
    let said = f(&mutex);
    child.join().unwrap();
    said
}

table! {
    additions_under_a_mutex_are_all_there ["3"] {
        let mutex = Arc::new(Mutex::new(0));
        let children = [1, 2].map(|number| {
            let mutex = mutex.clone();
            thread::spawn(move || *mutex.lock().unwrap() += number)
        });
        children.into_iter().for_each(|child| child.join().unwrap());
        let sum = *mutex.lock().unwrap();
        sum.to_string()
    }
    a_mutex_is_taken_in_either_order ["0", "1"] {
        beside_a_holder(|mutex| mutex.lock().unwrap().to_string())
    }
    a_mutex_is_tried_in_either_order_or_meanwhile ["0", "1", "would block"] {
        beside_a_holder(|mutex| match mutex.try_lock() {
            Ok(guard) => guard.to_string(),
            Err(_) => "would block".to_owned(),
        })
    }
    a_mutex_is_not_tried_twice_by_one_thread ["would block locked"] {
        let mutex = Mutex::new(0);
        let guard = mutex.lock().unwrap();
        let meanwhile = kind(mutex.try_lock());
        drop(guard);
        format!("{meanwhile} {}", kind(mutex.try_lock()))
    }
    a_panic_poisons_a_mutex ["true Err(2) poisoned"] {
        let mutex = poisoned_mutex();
        let locked = mutex.lock().map(|guard| *guard).map_err(|error| *error.into_inner());
        format!("{} {locked:?} {}", mutex.is_poisoned(), kind(mutex.try_lock()))
    }
    poison_is_cleared ["false Ok(2)"] {
        let mutex = poisoned_mutex();
        mutex.clear_poison();
        let is_poisoned = mutex.is_poisoned();
        format!("{is_poisoned} {:?}", mutex.lock().map(|guard| *guard).ok().ok_or(()))
    }
    a_poisoned_mutex_gives_its_value_back_as_an_error ["Err(2)"] {
        let mutex = Arc::into_inner(poisoned_mutex()).unwrap();
        format!("{:?}", mutex.into_inner().map_err(|error| error.into_inner()))
    }
    a_poisoned_mutex_is_borrowed_as_an_error ["true"] {
        let mut mutex = Arc::into_inner(poisoned_mutex()).unwrap();
        mutex.get_mut().is_err().to_string()
    }
    a_lock_of_a_poisoned_mutex_in_a_panic_poisons_nothing_new ["true"] {
        let mutex = poisoned_mutex();
        drop(mutex.lock());
        mutex.is_poisoned().to_string()
    }
    a_locked_mutex_shows_no_data ["Mutex { data: \"<locked>\", poisoned: false, .. }"] {
        let mutex = Mutex::new(0);
        let _guard = mutex.lock();
        format!("{mutex:?}")
    }
    a_written_lock_shows_no_data ["RwLock { data: <locked>, poisoned: false, .. }"] {
        let lock = RwLock::new(0);
        let _guard = lock.write();
        format!("{lock:?}")
    }
    readers_are_there_together ["locked would block"] {
        let lock = RwLock::new(0);
        let _first = lock.try_read().unwrap();
        format!("{} {}", kind(lock.try_read()), kind(lock.try_write()))
    }
    a_writer_is_there_alone ["would block would block"] {
        let lock = RwLock::new(0);
        let _first = lock.write().unwrap();
        format!("{} {}", kind(lock.try_read()), kind(lock.try_write()))
    }
    a_writer_that_panics_poisons ["true poisoned poisoned"] {
        let lock = poisoned_rwlock(true);
        format!("{} {} {}", lock.is_poisoned(), kind(lock.try_read()), kind(lock.try_write()))
    }
    a_reader_that_panics_does_not_poison ["false locked locked"] {
        let lock = poisoned_rwlock(false);
        format!("{} {} {}", lock.is_poisoned(), kind(lock.try_read()), kind(lock.try_write()))
    }
    a_read_comes_before_a_write_or_after ["0", "1"] {
        let lock = Arc::new(RwLock::new(0));
        let inner = lock.clone();
        let child = thread::spawn(move || *inner.write().unwrap() = 1);
        let seen = *lock.read().unwrap();
        child.join().unwrap();
        seen.to_string()
    }
    a_wait_in_a_loop_sees_the_flag ["1"] {
        let pair = Arc::new((Mutex::new(0), Condvar::new()));
        let inner = pair.clone();
        let child = thread::spawn(move || {
            *inner.0.lock().unwrap() = 1;
            inner.1.notify_one();
        });
        let mut guard = pair.0.lock().unwrap();
        while *guard == 0 {
            guard = pair.1.wait(guard).unwrap();
        }
        let seen = *guard;
        drop(guard);
        child.join().unwrap();
        seen.to_string()
    }
    a_wait_leaves_the_token_for_a_park ["passed"] {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let (inner, me) = (pair.clone(), thread::current());
        let child = thread::spawn(move || {
            me.unpark();
            *inner.0.lock().unwrap() = true;
            inner.1.notify_one();
        });
        drop(pair.1.wait_while(pair.0.lock().unwrap(), |is_set| !*is_set));
        thread::park();
        child.join().unwrap();
        "passed".to_owned()
    }
    a_wait_that_nobody_ends_is_over_in_time ["true"] {
        let (mutex, condvar) = (Mutex::new(0), Condvar::new());
        let guard = mutex.lock().unwrap();
        let (_guard, result) =
            condvar.wait_timeout_while(guard, Duration::from_millis(1), |value| *value == 0).unwrap();
        result.timed_out().to_string()
    }
    a_wait_for_what_is_there_does_not_wait ["false"] {
        let (mutex, condvar) = (Mutex::new(1), Condvar::new());
        let guard = mutex.lock().unwrap();
        let (_guard, result) =
            condvar.wait_timeout_while(guard, Duration::ZERO, |value| *value == 0).unwrap();
        result.timed_out().to_string()
    }
    a_timed_wait_may_end_for_a_time_or_for_nothing ["false", "true"] {
        let (mutex, condvar) = (Mutex::new(0), Condvar::new());
        condvar.notify_all();
        let (_guard, result) = condvar.wait_timeout(mutex.lock().unwrap(), Duration::from_millis(1)).unwrap();
        result.timed_out().to_string()
    }
    a_wait_gives_the_mutex_back_poisoned ["Err(1)"] {
        let pair = Arc::new((Mutex::new(0), Condvar::new()));
        let inner = pair.clone();
        let child = thread::spawn(move || {
            let mut guard = inner.0.lock().unwrap();
            *guard = 1;
            inner.1.notify_one();
            fail("oh")
        });
        let waited = match pair.0.lock() {
            Ok(guard) => pair.1.wait_while(guard, |value| *value == 0),
            poisoned => poisoned,
        };
        let said = waited.map(|guard| *guard).map_err(|error| *error.into_inner());
        let _panicked: thread::Result<()> = child.join();
        format!("{said:?}")
    }
    one_of_those_who_meet_leads ["1 1"] {
        let barrier = Arc::new(Barrier::new(2));
        let inner = barrier.clone();
        let child = thread::spawn(move || [(); 2].map(|()| inner.wait().is_leader()));
        let mine = [(); 2].map(|()| barrier.wait().is_leader());
        let other = child.join().unwrap();
        let leaders = |round: usize| usize::from(mine[round]) + usize::from(other[round]);
        format!("{} {}", leaders(0), leaders(1))
    }
    either_of_those_who_meet_leads ["false", "true"] {
        let barrier = Arc::new(Barrier::new(2));
        let inner = barrier.clone();
        let child = thread::spawn(move || _ = inner.wait());
        let is_leader = barrier.wait().is_leader();
        child.join().unwrap();
        is_leader.to_string()
    }
    a_barrier_for_one_does_not_wait ["true true"] {
        let barrier = Barrier::new(1);
        format!("{} {}", barrier.wait().is_leader(), barrier.wait().is_leader())
    }
}
