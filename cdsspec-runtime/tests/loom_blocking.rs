//! Locks and shared ownership under loom: every execution keeps what std promises.
#![cfg(feature = "loom")]
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common::{Explored, explore, plain};
use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::engine::{Exploration, Limits};
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::*};
use cdsspec_runtime::sync::{Arc, Condvar, LazyLock, Mutex, RwLock};
use cdsspec_runtime::thread;

/// Explores a program with three threads that wait a lot, with few preemptions.
fn outcomes_bounded(program: impl Fn() -> String + Send + Sync + 'static) -> Vec<String> {
    let mut limits = plain();
    limits.preemptions_max = Some(1);
    outcomes_within(&limits, program)
}

/// Explores a program all of whose executions complete; returns its outcomes.
fn outcomes(program: impl Fn() -> String + Send + Sync + 'static) -> Vec<String> {
    outcomes_within(&plain(), program)
}

fn outcomes_within(limits: &Limits, program: impl Fn() -> String + Send + Sync + 'static) -> Vec<String> {
    let explored: Explored = explore(limits, program);
    assert_eq!(explored.end, Exploration::Complete);
    assert_eq!(explored.endings.keys().copied().collect::<Vec<_>>(), ["complete"], "{explored:?}");
    explored.outcomes.into_keys().collect()
}

struct Shared(UnsafeCell<usize>);
// SAFETY: the engine sees a race before the memory is touched.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

impl Shared {
    fn read(&self) -> usize {
        // SAFETY: as above.
        self.0.with(|value| unsafe { *value })
    }

    fn add(&self) {
        // SAFETY: as above.
        self.0.with_mut(|value| unsafe { *value += 1 });
    }
}

#[test]
fn an_rwlock_orders_writers_with_all_and_readers_with_writers() {
    let seen = outcomes(|| {
        let lock = Arc::new(RwLock::new(Shared(UnsafeCell::new(0))));
        let (writer, reader) = (lock.clone(), lock.clone());
        let writer = thread::spawn(move || writer.write().unwrap().add());
        let reader = thread::spawn(move || reader.read().unwrap().read());
        let mine = lock.read().unwrap().read();
        writer.join().unwrap();
        format!("{mine} {}", reader.join().unwrap())
    });
    assert_eq!(seen, ["0 0", "0 1", "1 0", "1 1"]);
}

#[test]
fn readers_hold_an_rwlock_together() {
    let seen = outcomes(|| {
        let lock = Arc::new(RwLock::new(0));
        let inner = lock.clone();
        let guard = lock.read().unwrap();
        let together = thread::spawn(move || *inner.read().unwrap()).join().unwrap();
        format!("{together} {}", *guard)
    });
    assert_eq!(seen, ["0 0"]);
}

#[test]
fn a_panic_with_a_lock_poisons_it_in_its_execution_only() {
    static MUTEX: Mutex<()> = Mutex::new(());
    let seen = outcomes(|| {
        let was = MUTEX.is_poisoned();
        let child = thread::spawn(|| {
            let _guard = MUTEX.lock();
            std::panic::resume_unwind(Box::new("with the lock"));
        });
        let between = MUTEX.lock().is_err();
        assert!(child.join().is_err());
        format!("{was} {between} {}", MUTEX.lock().is_err())
    });
    assert_eq!(seen, ["false false true", "false true true"]);
}

#[test]
fn notify_all_wakes_everyone_and_notify_one_one_each() {
    for is_all in [true, false] {
        let seen = outcomes_bounded(move || {
            let shared = Arc::new((Mutex::new(0), Condvar::new()));
            let waiters = [(); 2].map(|()| {
                let shared = shared.clone();
                thread::spawn(move || {
                    let guard = shared.0.lock().unwrap();
                    let mut guard = shared.1.wait_while(guard, |tokens| *tokens == 0).unwrap();
                    *guard -= 1;
                })
            });
            *shared.0.lock().unwrap() = 2;
            if is_all {
                shared.1.notify_all();
            } else {
                shared.1.notify_one();
                shared.1.notify_one();
            }
            for waiter in waiters {
                waiter.join().unwrap();
            }
            format!("{}", *shared.0.lock().unwrap())
        });
        assert_eq!(seen, ["0"]);
    }
}

/// Reads its cell, and then says so, when destroyed: a race with a use that does not happen before.
struct Value(Shared, std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl Drop for Value {
    fn drop(&mut self) {
        self.0.add();
        self.1.fetch_add(1, Relaxed);
    }
}

#[test]
fn the_last_handle_destroys_the_value_once_after_all_uses() {
    let seen = outcomes(|| {
        let count = std::sync::Arc::default();
        let value = Arc::new(Value(Shared(UnsafeCell::new(0)), std::sync::Arc::clone(&count)));
        let children = [value.clone(), value.clone()].map(|value| {
            thread::spawn(move || {
                value.0.read();
            })
        });
        drop(value);
        for child in children {
            child.join().unwrap();
        }
        format!("{}", count.load(Relaxed))
    });
    assert_eq!(seen, ["1"]);
}

#[test]
fn an_upgrade_beside_the_last_drop_gets_the_value_or_nothing() {
    for is_child_upgrading in [true, false] {
        let seen = outcomes(move || {
            let count = std::sync::Arc::default();
            let value = Arc::new(Value(Shared(UnsafeCell::new(7)), std::sync::Arc::clone(&count)));
            let weak = Arc::downgrade(&value);
            let upgrade = move || weak.upgrade().map(|value| value.0.read());
            let upgraded = if is_child_upgrading {
                let child = thread::spawn(upgrade);
                drop(value);
                child.join().unwrap()
            } else {
                let child = thread::spawn(move || drop(value));
                let upgraded = upgrade();
                child.join().unwrap();
                upgraded
            };
            format!("{upgraded:?} {}", count.load(Relaxed))
        });
        assert_eq!(seen, ["None 1", "Some(7) 1"]);
    }
}

#[test]
fn one_of_two_gets_the_value_out() {
    let seen = outcomes(|| {
        let value = Arc::new(Shared(UnsafeCell::new(1)));
        let other = value.clone();
        let child = thread::spawn(move || {
            other.add();
            Arc::into_inner(other).map(|value| value.0.into_inner())
        });
        let mine = Arc::into_inner(value).map(|value| value.0.into_inner());
        format!("{mine:?} {:?}", child.join().unwrap())
    });
    assert_eq!(seen, ["None Some(2)", "Some(2) None"]);
}

#[test]
fn a_value_that_try_unwrap_or_get_mut_gives_is_one_s_own() {
    let seen = outcomes(|| {
        let mut value = Arc::new(Shared(UnsafeCell::new(1)));
        let other = value.clone();
        let child = thread::spawn(move || other.read());
        let changed = Arc::get_mut(&mut value).map(|value| value.add()).is_some();
        let taken = Arc::try_unwrap(value).map(|value| value.0.into_inner()).ok();
        format!("{changed} {taken:?} {}", child.join().unwrap())
    });
    assert_eq!(seen, ["false None 1", "false Some(1) 1", "true Some(2) 1"]);
}

#[test]
fn executions_that_are_cut_destroy_each_value_at_most_once() {
    let explored = explore(&plain(), || {
        let count: std::sync::Arc<std::sync::atomic::AtomicUsize> = std::sync::Arc::default();
        let value = Arc::new(Value(Shared(UnsafeCell::new(0)), std::sync::Arc::clone(&count)));
        let other = value.clone();
        let flag = AtomicUsize::new(0);
        // Races in every execution, so that all are cut, with handles alive.
        let child = thread::spawn(move || other.0.add());
        flag.store(1, Relaxed);
        value.0.add();
        child.join().unwrap();
        assert!(count.load(Relaxed) <= 1);
        String::new()
    });
    assert_eq!(explored.endings.keys().copied().collect::<Vec<_>>(), ["race"]);
}

#[test]
fn two_explorations_at_once_share_a_static_lock() {
    static MUTEX: LazyLock<Mutex<Vec<usize>>> = LazyLock::new(Mutex::default);
    let threads = [(); 2].map(|()| {
        std::thread::spawn(|| {
            outcomes(|| {
                let child = thread::spawn(|| MUTEX.lock().unwrap().push(1));
                MUTEX.lock().unwrap().push(2);
                child.join().unwrap();
                format!("{:?}", MUTEX.lock().unwrap())
            })
        })
    });
    for thread in threads {
        assert_eq!(thread.join().unwrap(), ["[1, 2]", "[2, 1]"]);
    }
}
