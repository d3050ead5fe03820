//! Mutex, RwLock, Condvar.

use super::fake::{Run, assert_placed, message_of, names, run};
use cdsspec_runtime::sync::{Arc, Condvar, Mutex, RwLock, RwLockWriteGuard, TryLockError};
use cdsspec_runtime::thread;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

#[test]
fn a_mutex_lets_one_in() {
    let test = || {
        let mut mutex = Mutex::new(1);
        {
            let mut guard = mutex.lock().unwrap();
            *guard += 1;
            assert!(matches!(mutex.try_lock(), Err(TryLockError::WouldBlock)));
            assert_eq!(format!("{mutex:?}"), "Mutex { data: \"<locked>\", poisoned: false, .. }");
            assert_eq!(format!("{guard} {guard:?}"), "2 2");
        }
        *mutex.try_lock().unwrap() += 1;
        assert_eq!(format!("{mutex:?}"), "Mutex { data: 3, poisoned: false, .. }");
        *mutex.get_mut().unwrap() += 1;
        mutex.into_inner().unwrap()
    };
    assert_eq!(test(), 4);
    let (value, recording) = run(test);
    assert_eq!(value, 4);
    assert_placed(&recording, file!());
}

#[test]
fn an_unlock_stands_where_the_lock_was_taken() {
    let ((), recording) = run(|| drop(Mutex::new(1).lock().unwrap()));
    assert_eq!(names(&recording), ["lock", "unlock"]);
    assert_eq!(recording.operations[0].place.source, recording.operations[1].place.source);
}

#[test]
fn an_unlock_happens_before_the_next_lock() {
    static MUTEX: Mutex<()> = Mutex::new(());
    let ((), recording) = run(|| {
        let _detached = thread::spawn(|| drop(MUTEX.lock()));
        drop(MUTEX.lock());
    });
    assert_eq!(names(&recording), ["spawn", "lock", "unlock", "lock", "unlock"]);
    assert!(recording.operations[2].happens_before(&recording.operations[3]));
}

macro_rules! poisoning {
    ($test:ident: $lock:ident, $write:ident, $try_write:ident) => {
        #[test]
        fn $test() {
            let test = || {
                let lock = Arc::new($lock::new(1));
                let inner = Arc::clone(&lock);
                let child = thread::spawn(move || {
                    let mut guard = inner.$write().unwrap();
                    *guard = 2;
                    panic!("with the lock");
                });
                assert!(child.join().is_err());
                assert!(lock.is_poisoned());
                assert_eq!(*lock.$write().unwrap_err().into_inner(), 2);
                assert!(matches!(lock.$try_write(), Err(TryLockError::Poisoned(_))));
                assert!(format!("{lock:?}").contains("data: 2, poisoned: true"));
                lock.clear_poison();
                assert!(!lock.is_poisoned());
                *lock.$write().unwrap() += 1;
                Arc::try_unwrap(lock).unwrap().into_inner().unwrap()
            };
            assert_eq!(test(), 3);
            assert_eq!(run(test).0, 3);
        }
    };
}

poisoning! { a_panic_poisons_a_mutex: Mutex, lock, try_lock }
poisoning! { a_panicking_writer_poisons_an_rwlock: RwLock, write, try_write }

#[test]
fn a_panicking_reader_does_not_poison_an_rwlock() {
    let test = || {
        let lock = Arc::new(RwLock::new(1));
        let inner = Arc::clone(&lock);
        let child = thread::spawn(move || {
            let _guard = inner.read().unwrap();
            panic!("with the lock");
        });
        assert!(child.join().is_err());
        lock.is_poisoned()
    };
    assert!(!test());
    assert!(!run(test).0);
}

#[test]
fn a_poisoned_value_can_be_had() {
    let test = || {
        static RESULT: Mutex<()> = Mutex::new(());
        assert!(
            thread::spawn(|| {
                let _guard = RESULT.lock().unwrap();
                panic!("with the lock");
            })
            .join()
            .is_err()
        );
        RESULT.is_poisoned()
    };
    // Poison is of one execution, or of all that is outside.
    assert!(run(test).0);
    assert!(run(test).0);
    assert!(test());
    let mut mutex = Mutex::from(5);
    std::thread::scope(|scope| {
        let poisoner = scope.spawn(|| {
            let _guard = mutex.lock().unwrap();
            panic!("with the lock");
        });
        assert!(poisoner.join().is_err());
    });
    assert_eq!(*mutex.get_mut().unwrap_err().into_inner(), 5);
    assert_eq!(mutex.into_inner().unwrap_err().into_inner(), 5);
}

#[test]
fn an_rwlock_lets_readers_in_together() {
    let test = || {
        let mut lock = RwLock::new(1);
        {
            let one = lock.read().unwrap();
            let two = lock.try_read().unwrap();
            assert_eq!((*one, *two), (1, 1));
            assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
            assert_eq!(format!("{lock:?}"), "RwLock { data: 1, poisoned: false, .. }");
        }
        {
            let mut guard = lock.write().unwrap();
            *guard += 1;
            assert!(lock.try_read().is_err());
            assert!(lock.try_write().is_err());
            assert_eq!(format!("{lock:?}"), "RwLock { data: <locked>, poisoned: false, .. }");
        }
        *lock.get_mut().unwrap() += 1;
        lock.into_inner().unwrap()
    };
    assert_eq!(test(), 3);
    let (value, recording) = run(test);
    assert_eq!(value, 3);
    assert_placed(&recording, file!());
}

#[test]
fn a_guard_that_writes_becomes_one_that_reads() {
    let test = || {
        let lock = RwLock::new(1);
        let mut writes = lock.write().unwrap();
        *writes += 1;
        let reads = RwLockWriteGuard::downgrade(writes);
        assert_eq!((*reads, *lock.try_read().unwrap()), (2, 2));
        assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
        drop(reads);
        *lock.try_write().unwrap()
    };
    assert_eq!(test(), 2);
    let (value, recording) = run(test);
    assert_eq!(value, 2);
    assert!(names(&recording).contains(&"downgrade"));
    assert_placed(&recording, file!());
}

#[test]
#[expect(deprecated, reason = "it is part of std's API")]
fn the_deprecated_wait_in_milliseconds_is_there() {
    macro_rules! trace {
        ($mutex:ident, $condvar:ident) => {{
            let (mutex, condvar) = ($mutex::new(1), $condvar::new());
            let (guard, was_notified) = condvar.wait_timeout_ms(mutex.lock().unwrap(), 1).unwrap();
            (*guard, was_notified)
        }};
    }
    let std = {
        use std::sync::{Condvar, Mutex};
        trace!(Mutex, Condvar)
    };
    assert_eq!(trace!(Mutex, Condvar).0, std.0);
    assert_eq!(run(|| trace!(Mutex, Condvar).0).0, std.0);
}

#[test]
fn a_condvar_wakes_those_who_wait() {
    let shared = std::sync::Arc::new((Mutex::new(VecDeque::new()), Condvar::new()));
    let takers: Vec<_> = (0..3)
        .map(|_| {
            let shared = std::sync::Arc::clone(&shared);
            std::thread::spawn(move || {
                let guard = shared.0.lock().unwrap();
                let mut guard = shared.1.wait_while(guard, |queue| queue.is_empty()).unwrap();
                guard.pop_front().unwrap()
            })
        })
        .collect();
    shared.0.lock().unwrap().push_back(1);
    shared.1.notify_one();
    shared.0.lock().unwrap().extend([2, 3]);
    shared.1.notify_all();
    let mut taken: Vec<i32> = takers.into_iter().map(|taker| taker.join().unwrap()).collect();
    taken.sort_unstable();
    assert_eq!(taken, [1, 2, 3]);
}

#[test]
fn notifying_nobody_is_one_operation() {
    let ((), recording) = run(|| {
        let condvar = Condvar::default();
        condvar.notify_one();
        condvar.notify_all();
        let guard = Mutex::new(1);
        drop(condvar.wait_while(guard.lock().unwrap(), |_| false));
        assert_eq!(format!("{condvar:?}"), "Condvar { .. }");
    });
    assert_eq!(names(&recording), ["notify_one", "notify_all", "lock", "unlock"]);
    assert_placed(&recording, file!());
}

#[test]
fn two_executions_at_once_do_not_hold_a_static_lock_together() {
    static MUTEX: Mutex<()> = Mutex::new(());
    static HELD: AtomicBool = AtomicBool::new(false);
    let threads = [1_u32, 2].map(|_| {
        std::thread::spawn(|| {
            let run = Run::new();
            for _ in 0..100 {
                run.execute(|| {
                    let _guard = MUTEX.lock().unwrap();
                    assert!(!HELD.swap(true, Relaxed));
                    std::thread::yield_now();
                    HELD.store(false, Relaxed);
                });
            }
        })
    });
    for thread in threads {
        thread.join().unwrap();
    }
    assert!(!MUTEX.is_poisoned());
}

#[test]
fn what_a_lock_holds_is_of_one_execution() {
    static MUTEX: Mutex<u32> = Mutex::new(0);
    static LOCK: RwLock<u32> = RwLock::new(0);
    let uses: [fn(); 4] = [
        || *MUTEX.lock().unwrap() += 1,
        || *MUTEX.try_lock().unwrap() += 1,
        || assert_eq!(*LOCK.read().unwrap(), 0),
        || assert_eq!(*LOCK.try_write().unwrap(), 0),
    ];
    run(|| uses.iter().for_each(|each| each()));
    for each in uses {
        let message = message_of(|| run(each));
        assert!(message.contains("is used in two executions"), "{message}");
        assert!(message.ends_with("put it into a cdsspec::sync::LazyLock"), "{message}");
        each();
    }
}

#[test]
fn a_guard_that_a_cut_execution_left_behind_is_forgotten() {
    static MUTEX: Mutex<()> = Mutex::new(());
    let run = Run::new();
    for _ in 0..2 {
        run.execute(|| std::mem::forget(MUTEX.lock()));
    }
    drop(run);
    drop(MUTEX.lock().unwrap());
}

#[test]
fn locks_may_be_unsized() {
    let mutex: Box<Mutex<[i32]>> = Box::new(Mutex::new([1, 2]));
    assert_eq!(mutex.lock().unwrap().len(), 2);
    let lock: Box<RwLock<[i32]>> = Box::new(RwLock::new([1, 2]));
    assert_eq!(lock.read().unwrap().len(), 2);
}
