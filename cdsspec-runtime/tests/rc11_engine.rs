//! The rc11 engine: closed forms, outcomes, endings.
#![cfg(feature = "loom")]
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::common::{Explored, explore_on};
use cdsspec_runtime::engine::Limits;
use cdsspec_runtime::engine::graph::GraphEngine;
use cdsspec_runtime::sync::Mutex;
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering, Ordering::*};
use cdsspec_runtime::{hint, thread};
use std::collections::BTreeMap;
use std::sync::Arc;

fn explore(program: impl Fn() -> String + Send + Sync + 'static) -> Explored {
    explore_on(&GraphEngine::new(), &Limits::default(), program, |_| ())
}

fn complete(explored: &Explored) -> usize {
    ended(explored, "complete")
}

/// How many executions ended like this, those that are delayed by rounds of loops that wait aside.
fn ended(explored: &Explored, word: &str) -> usize {
    let count = |endings: &BTreeMap<&str, usize>| endings.get(word).copied().unwrap_or(0);
    count(&explored.endings) - count(&explored.delayed)
}

fn outcomes(explored: &Explored) -> Vec<&str> {
    explored.outcomes.keys().map(String::as_str).collect()
}

fn store_buffering(pairs: usize, order: (Ordering, Ordering)) -> Explored {
    explore(move || {
        let children: Vec<_> = (0..pairs)
            .flat_map(|_| {
                let x = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
                [0, 1].map(|mine| {
                    let x = x.clone();
                    thread::spawn(move || {
                        x[mine].store(1, order.0);
                        x[1 - mine].load(order.1).to_string()
                    })
                })
            })
            .collect();
        children.into_iter().map(|child| child.join().unwrap()).collect()
    })
}

#[test]
fn store_buffering_pairs_have_four_or_three_outcomes_each() {
    assert_eq!(outcomes(&store_buffering(1, (SeqCst, SeqCst))), ["01", "10", "11"]);
    assert_eq!(outcomes(&store_buffering(1, (Release, Acquire))), ["00", "01", "10", "11"]);
    assert_eq!(store_buffering(3, (Relaxed, Relaxed)).execution_count, 64);
    assert_eq!(store_buffering(3, (SeqCst, SeqCst)).execution_count, 27);
}

#[test]
fn additions_have_a_factorial_of_orders() {
    for (count, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        let explored = explore(move || {
            let x = Arc::new(AtomicUsize::new(0));
            let children: Vec<_> = (0..count)
                .map(|_| {
                    let x = x.clone();
                    thread::spawn(move || x.fetch_add(1, Relaxed))
                })
                .collect();
            children.into_iter().map(|child| child.join().unwrap().to_string()).collect()
        });
        assert_eq!(explored.execution_count, factorial);
        assert_eq!(explored.outcomes.len(), factorial);
    }
}

#[test]
fn stores_beside_loads_have_binomials_of_outcomes() {
    let explored = explore(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let x2 = x.clone();
        let child = thread::spawn(move || (1..=3).for_each(|value| x2.store(value, Relaxed)));
        let seen: String = (0..3).map(|_| x.load(Relaxed).to_string()).collect();
        child.join().unwrap();
        seen
    });
    assert_eq!(explored.execution_count, 20);
    assert_eq!(explored.outcomes.len(), 20);
}

#[test]
fn locks_have_a_factorial_of_orders() {
    for (count, factorial) in [(2, 2), (3, 6), (4, 24)] {
        let with_mutex = explore(move || {
            let lock = Arc::new(Mutex::new(0));
            let children: Vec<_> = (0..count)
                .map(|_| {
                    let lock = lock.clone();
                    thread::spawn(move || {
                        let mut value = lock.lock().unwrap();
                        *value += 1;
                        *value
                    })
                })
                .collect();
            children.into_iter().map(|child| child.join().unwrap().to_string()).collect()
        });
        assert_eq!(complete(&with_mutex), factorial, "{with_mutex:?}");
        let with_spinlock = explore(move || {
            let lock = Arc::new(AtomicUsize::new(0));
            let children: Vec<_> = (0..count)
                .map(|_| {
                    let lock = lock.clone();
                    thread::spawn(move || {
                        while lock.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
                            hint::spin_loop();
                        }
                        lock.store(0, Release);
                    })
                })
                .collect();
            children.into_iter().for_each(|child| child.join().unwrap());
            String::new()
        });
        assert_eq!(complete(&with_spinlock), factorial, "{with_spinlock:?}");
        assert!(!with_spinlock.endings.contains_key("blocked"));
    }
}

#[test]
fn a_loop_that_only_reads_is_noticed_without_a_hint() {
    let waits_for = |wanted: usize| {
        explore(move || {
            let flag = Arc::new(AtomicUsize::new(0));
            let flag2 = flag.clone();
            let child = thread::spawn(move || flag2.store(1, Release));
            while flag.load(Acquire) != wanted {}
            child.join().unwrap();
            String::new()
        })
    };
    let ends = waits_for(1);
    assert_eq!(ends.endings.keys().collect::<Vec<_>>(), [&"by-product", &"complete"], "{ends:?}");
    let never = waits_for(2);
    assert!(never.endings.contains_key("blocked") && !never.endings.contains_key("complete"), "{never:?}");
}

#[test]
fn who_waits_for_what_never_comes_is_blocked_once() {
    let explored = explore(|| {
        let flag = Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let child = thread::spawn(move || {
            while flag2.load(Acquire) != 2 {
                hint::spin_loop();
            }
        });
        flag.store(1, Release);
        child.join().unwrap();
        String::new()
    });
    assert_eq!(ended(&explored, "blocked"), 1, "{explored:?}");
    assert_eq!(complete(&explored), 0);
}

#[test]
fn a_weak_exchange_fails_spuriously_once_in_a_retry_loop() {
    let explored = explore(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let mut rounds = 0;
        while x.compare_exchange_weak(0, 1, AcqRel, Relaxed).is_err() {
            rounds += 1;
        }
        rounds.to_string()
    });
    assert_eq!(outcomes(&explored), ["0", "1"]);
    assert_eq!(explored.execution_count, 2);
}

#[test]
fn a_failed_exchange_may_read_an_old_store() {
    let explored = explore(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::new(AtomicUsize::new(0));
        let (x2, y2) = (x.clone(), y.clone());
        let child = thread::spawn(move || {
            x2.store(1, Relaxed);
            y2.store(1, Relaxed);
        });
        let seen = y.load(Relaxed);
        let old = x.compare_exchange(2, 3, Relaxed, Relaxed).unwrap_err();
        child.join().unwrap();
        format!("{seen}{old}")
    });
    assert_eq!(outcomes(&explored), ["00", "01", "10", "11"]);
}

#[test]
fn twelve_threads_run() {
    let explored = explore(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let adding = (0..3).map(|_| {
            let x = x.clone();
            thread::spawn(move || x.fetch_add(1, Relaxed))
        });
        let idle = (0..9).map(|_| thread::spawn(|| 0));
        let children: Vec<_> = adding.chain(idle).collect();
        children.into_iter().map(|child| child.join().unwrap().to_string()).collect()
    });
    assert_eq!((explored.execution_count, explored.outcomes.len()), (6, 6));
}

/// Threads `left` and `right` over two atomics; the outcome is what `left` returns.
fn pair(
    left: impl Fn(&[AtomicUsize; 2]) -> String + Clone + Send + Sync + 'static,
    right: impl Fn(&[AtomicUsize; 2]) + Clone + Send + Sync + 'static,
) -> Explored {
    explore(move || {
        let atomics = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        let (atomics1, atomics2, left, right) = (atomics.clone(), atomics, left.clone(), right.clone());
        let first = thread::spawn(move || left(&atomics1));
        let second = thread::spawn(move || right(&atomics2));
        second.join().unwrap();
        first.join().unwrap()
    })
}

#[test]
fn a_yield_outside_a_loop_is_passed_whatever_was_read_before() {
    let alone = explore(|| {
        let x = AtomicUsize::new(0);
        x.load(Acquire);
        thread::yield_now();
        x.load(Acquire);
        (0..3).for_each(|_| hint::spin_loop());
        String::new()
    });
    assert_eq!(alone.endings.iter().collect::<Vec<_>>(), [(&"complete", &1)]);
    let beside = pair(
        |atomics| {
            let before = atomics[0].load(Relaxed);
            thread::yield_now();
            format!("{before}{}", atomics[0].load(Relaxed))
        },
        |atomics| atomics[0].store(1, Relaxed),
    );
    assert_eq!(outcomes(&beside), ["00", "01", "11"]);
    assert_eq!(beside.execution_count, 3);
}

#[test]
fn a_loop_that_gives_up_is_explored_to_its_end() {
    let explored = pair(
        |atomics| {
            for _ in 0..3 {
                if atomics[0].load(Relaxed) == 1 {
                    break;
                }
                hint::spin_loop();
            }
            atomics[0].load(Relaxed).to_string()
        },
        |atomics| atomics[0].store(1, Relaxed),
    );
    assert_eq!(outcomes(&explored), ["0", "1"]);
    assert!(!explored.endings.contains_key("blocked"), "{explored:?}");
}

#[test]
fn what_was_read_before_a_loop_does_not_hide_that_nobody_ends_it() {
    let explored = pair(
        |atomics| {
            if atomics[0].load(Relaxed) == 0 {
                while atomics[1].load(Relaxed) != 1 {
                    hint::spin_loop();
                }
            }
            String::new()
        },
        |atomics| atomics[0].store(1, Relaxed),
    );
    assert_eq!(explored.endings.iter().collect::<Vec<_>>(), [(&"blocked", &1), (&"complete", &1)]);
}

#[test]
fn polling_under_a_lock_waits() {
    let explored = explore(|| {
        let shared = Arc::new(Mutex::new(false));
        let shared2 = shared.clone();
        let child = thread::spawn(move || *shared2.lock().unwrap() = true);
        while !*shared.lock().unwrap() {
            thread::yield_now();
        }
        child.join().unwrap();
        String::new()
    });
    assert!(complete(&explored) > 0 && !explored.endings.contains_key("blocked"), "{explored:?}");
}

#[test]
fn locks_taken_in_opposite_orders_complete_in_both_orders_and_deadlock_once() {
    let explored = explore(|| {
        let (a, b) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
        let (a2, b2) = (a.clone(), b.clone());
        let child = thread::spawn(move || {
            let _a = a2.lock().unwrap();
            let _b = b2.lock().unwrap();
        });
        {
            let _b = b.lock().unwrap();
            let _a = a.lock().unwrap();
        }
        child.join().unwrap();
        String::new()
    });
    assert_eq!((complete(&explored), explored.endings["blocked"]), (2, 1), "{explored:?}");
}

#[test]
fn a_panic_of_one_thread_poisons_its_own_locks_only() {
    struct Waits(Arc<Mutex<()>>);
    impl Drop for Waits {
        fn drop(&mut self) {
            // While the thread unwinds, it waits for another one.
            drop(self.0.lock());
        }
    }
    let explored = explore(|| {
        let (shared, own) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
        let shared2 = shared.clone();
        let child = thread::spawn(move || {
            let _waits = Waits(shared2);
            std::panic::resume_unwind(Box::new("on purpose"));
        });
        {
            let _shared = shared.lock();
            let _own = own.lock();
            thread::yield_now();
        }
        let is_panic = child.join().is_err();
        format!("{is_panic} {}", own.is_poisoned())
    });
    assert_eq!(outcomes(&explored), ["true false"], "{explored:?}");
}

#[test]
fn a_limit_does_not_hide_a_panic_that_came_before_it() {
    let mut limits = Limits::default();
    limits.branches_max = 20;
    let explored = explore_on(
        &GraphEngine::new(),
        &limits,
        || {
            let child = thread::spawn(|| std::panic::resume_unwind(Box::new("first")));
            let x = AtomicUsize::new(0);
            while !child.is_finished() {
                thread::yield_now();
            }
            (0..30).for_each(|_| _ = x.fetch_add(1, Relaxed));
            String::new()
        },
        |_| (),
    );
    assert!(
        explored.endings.contains_key("panic") && !explored.endings.contains_key("limit"),
        "{explored:?}"
    );
}
