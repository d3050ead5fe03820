//! How executions end under loom: nothing aborts, and the exploration goes on.
#![cfg(feature = "loom")]
#![allow(clippy::undocumented_unsafe_blocks, reason = "races are found before the memory is touched")]

use crate::common::{Explored, explore, plain};
use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::engine::{Exploration, Limits};
use cdsspec_runtime::record::{Limit, LimitKind};
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::*};
use cdsspec_runtime::sync::{Condvar, Mutex};
use cdsspec_runtime::thread;
use std::sync::Arc;

/// Does atomic operations when it is dropped, also when its thread leaves an execution that was cut.
struct Noisy(Arc<AtomicUsize>);

impl Drop for Noisy {
    fn drop(&mut self) {
        self.0.fetch_add(1, AcqRel);
        self.0.load(SeqCst);
    }
}

fn counts(explored: &Explored) -> Vec<(&'static str, usize)> {
    explored.endings.iter().map(|(word, count)| (*word, *count)).collect()
}

#[test]
fn a_race_is_an_ending_and_ordered_executions_of_the_same_program_complete() {
    let explored = explore(&plain(), || {
        let flag = Arc::new(AtomicUsize::new(0));
        let _noisy = Noisy(flag.clone());
        let cell = Arc::new(Shared(UnsafeCell::new(0)));
        let (flag2, cell2) = (flag.clone(), cell.clone());
        let child = thread::spawn(move || {
            let _noisy = Noisy(flag2.clone());
            cell2.0.with_mut(|value| unsafe { *value = 1 });
            flag2.store(1, Relaxed);
        });
        if flag.load(Acquire) == 1 {
            cell.0.with(|value| unsafe { *value });
        }
        child.join().unwrap();
        String::new()
    });
    assert_eq!(explored.end, Exploration::Complete);
    assert!(explored.endings["race"] > 0 && explored.endings["complete"] > 0, "{explored:?}");
    assert_eq!(explored.endings.len(), 2);
}

struct Shared<T>(UnsafeCell<T>);
// SAFETY: the tests race on purpose; the checker sees it before the memory is touched.
unsafe impl<T: Send> Sync for Shared<T> {}

#[test]
fn a_child_that_panics_is_an_error_to_who_joins_and_a_panic_to_nobody_else() {
    let joined = explore(&plain(), || {
        let flag = Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let child = thread::spawn(move || {
            let _noisy = Noisy(flag2.clone());
            assert!(flag2.load(Relaxed) == 0, "the flag is up");
        });
        flag.store(1, Relaxed);
        format!("{}", child.join().is_err())
    });
    assert_eq!(counts(&joined), [("complete", joined.execution_count)]);
    assert_eq!(joined.outcomes.keys().collect::<Vec<_>>(), ["false", "true"]);

    let unjoined = explore(&plain(), || {
        let flag = Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let _detached = thread::spawn(move || {
            let _noisy = Noisy(flag2.clone());
            assert!(flag2.load(Relaxed) == 0, "the flag is up");
        });
        flag.store(1, Relaxed);
        String::new()
    });
    assert_eq!(unjoined.end, Exploration::Complete);
    assert_eq!(unjoined.endings.keys().collect::<Vec<_>>(), [&"complete", &"panic"]);
}

#[test]
fn a_branch_limit_cuts_only_its_execution() {
    let mut limits = plain();
    limits.branches_max = 12;
    let explored = explore(&limits, || {
        let flag = Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let child = thread::spawn(move || flag2.store(1, Release));
        if flag.load(Acquire) == 0 {
            let _noisy = Noisy(flag.clone());
            for _ in 0..15 {
                flag.fetch_add(0, Relaxed);
            }
        }
        child.join().unwrap();
        String::new()
    });
    assert_eq!(explored.end, Exploration::Complete);
    assert!(explored.endings["limit"] > 0 && explored.endings["complete"] > 0, "{explored:?}");
}

#[test]
fn a_thread_that_spins_for_ever_is_blocked() {
    let explored = explore(&plain(), || {
        let flag = Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let child = thread::spawn(move || {
            let _noisy = Noisy(flag2.clone());
            while flag2.load(Acquire) != 1 {
                thread::yield_now();
            }
        });
        if flag.compare_exchange(0, 2, AcqRel, Acquire).is_ok() {
            flag.compare_exchange(3, 1, AcqRel, Acquire).ok();
        }
        child.join().unwrap();
        String::new()
    });
    assert_eq!(explored.end, Exploration::Complete);
    assert_eq!(counts(&explored), [("blocked", explored.execution_count)]);
}

#[test]
fn a_sixth_thread_is_a_limit() {
    let explored = explore(&plain(), || {
        let children: Vec<_> = (0..5).map(|_| thread::spawn(|| ())).collect();
        children.into_iter().for_each(|child| child.join().unwrap());
        String::new()
    });
    assert_eq!(counts(&explored), [("limit", explored.execution_count)]);
}

#[test]
fn the_limit_of_executions_is_honoured_to_the_execution() {
    let program = || {
        let x = Arc::new(AtomicUsize::new(0));
        let x2 = x.clone();
        let child = thread::spawn(move || x2.fetch_add(1, Relaxed));
        x.fetch_add(2, Relaxed);
        child.join().unwrap();
        String::new()
    };
    let all = explore(&plain(), program).execution_count;
    for max in 1..=all + 1 {
        let mut limits = plain();
        limits.executions_max = Some(max as u64);
        let explored = explore(&limits, program);
        assert_eq!(explored.execution_count, max.min(all));
        let limit = Limit { kind: LimitKind::Executions, value: max as u64 };
        let end = if max < all { Exploration::Limit(limit) } else { Exploration::Complete };
        assert_eq!(explored.end, end, "{max} of {all}");
    }
}

#[test]
fn more_locations_than_loom_had_atomics_start_the_exploration_again() {
    let explored = explore(&plain(), || {
        let many: Arc<Vec<_>> = Arc::new((0..40).map(AtomicUsize::new).collect());
        let many2 = many.clone();
        let child = thread::spawn(move || many2[39].swap(7, AcqRel));
        let sum: usize = many.iter().map(|one| one.load(Acquire)).sum();
        child.join().unwrap();
        format!("{sum}")
    });
    assert_eq!(explored.end, Exploration::Complete);
    assert_eq!(explored.outcomes.keys().collect::<Vec<_>>(), ["748", "780"]);
}

#[test]
fn threads_may_use_more_stack_than_loom_gives_them() {
    fn deep(left: usize) -> usize {
        let page = std::hint::black_box([left; 128]);
        if left == 0 { page[0] } else { deep(left - 1) + page[1] }
    }
    let explored = explore(&Limits::default(), || {
        let child = thread::spawn(|| deep(100));
        format!("{}", deep(1000) + child.join().unwrap())
    });
    assert_eq!(explored.outcomes.keys().collect::<Vec<_>>(), ["505550"]);
}

#[test]
fn locks_taken_in_opposite_orders_deadlock_in_some_executions_and_complete_in_others() {
    let explored = explore(&plain(), || {
        let (a, b) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
        let (a2, b2) = (a.clone(), b.clone());
        let ops = Arc::new(AtomicUsize::new(0));
        let ops2 = ops.clone();
        let child = thread::spawn(move || {
            let _noisy = Noisy(ops2);
            let mut a = a2.lock().unwrap();
            *a += 1;
            *b2.lock().unwrap() += *a;
        });
        {
            let _noisy = Noisy(ops);
            let mut b = b.lock().unwrap();
            *b += 1;
            *a.lock().unwrap() += *b;
        }
        child.join().unwrap();
        format!("{} {}", *a.lock().unwrap(), *b.lock().unwrap())
    });
    assert_eq!(explored.end, Exploration::Complete);
    assert_eq!(explored.endings.keys().collect::<Vec<_>>(), [&"blocked", &"complete"]);
    assert_eq!(explored.outcomes.keys().collect::<Vec<_>>(), ["2 3", "3 2"]);
}

#[test]
fn a_mutex_orders_what_it_protects() {
    let explored = explore(&plain(), || {
        let shared = Arc::new((Mutex::new(()), Shared(UnsafeCell::new(0))));
        let shared2 = shared.clone();
        let add = |shared: &(Mutex<()>, Shared<i32>)| {
            let _guard = shared.0.lock().unwrap();
            shared.1.0.with_mut(|value| unsafe { *value += 1 });
        };
        let child = thread::spawn(move || add(&shared2));
        add(&shared);
        child.join().unwrap();
        shared.1.0.with(|value| format!("{}", unsafe { *value }))
    });
    assert_eq!(counts(&explored), [("complete", explored.execution_count)]);
    assert_eq!(explored.outcomes.keys().collect::<Vec<_>>(), ["2"]);
}

#[test]
fn a_condition_variable_wakes_the_waiting_thread_and_a_lost_notification_is_a_deadlock() {
    let waits_for = |is_checked: bool| {
        explore(&plain(), move || {
            let pair = Arc::new((Mutex::new(false), Condvar::new()));
            let pair2 = pair.clone();
            let child = thread::spawn(move || {
                *pair2.0.lock().unwrap() = true;
                pair2.1.notify_one();
            });
            let mut ready = pair.0.lock().unwrap();
            if !is_checked || !*ready {
                ready = pair.1.wait(ready).unwrap();
            }
            let seen = *ready;
            drop(ready);
            child.join().unwrap();
            format!("{seen}")
        })
    };
    let right = waits_for(true);
    assert_eq!(counts(&right), [("complete", right.execution_count)]);
    assert_eq!(right.outcomes.keys().collect::<Vec<_>>(), ["true"]);
    let wrong = waits_for(false);
    assert_eq!(wrong.endings.keys().collect::<Vec<_>>(), [&"blocked", &"complete"]);
}

#[test]
fn an_unpark_before_a_park_is_kept() {
    let explored = explore(&plain(), || {
        let flag = Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let main = thread::current();
        let child = thread::spawn(move || {
            flag2.store(1, Relaxed);
            main.unpark();
        });
        thread::park();
        let seen = flag.load(Relaxed);
        child.join().unwrap();
        format!("{seen}")
    });
    assert_eq!(counts(&explored), [("complete", explored.execution_count)]);
    assert_eq!(explored.outcomes.keys().collect::<Vec<_>>(), ["1"]);
}

#[test]
fn try_lock_beside_try_lock_is_no_deadlock() {
    let explored = explore(&plain(), || {
        let lock = Arc::new(Mutex::new(()));
        let lock2 = lock.clone();
        let child = thread::spawn(move || lock2.try_lock().is_ok());
        let mine = lock.try_lock().is_ok();
        format!("{} {mine}", child.join().unwrap())
    });
    assert_eq!(counts(&explored), [("complete", explored.execution_count)]);
}

#[test]
fn two_explorations_at_once_share_a_static() {
    static SHARED: AtomicUsize = AtomicUsize::new(5);
    let run = || {
        explore(&plain(), || {
            let child = thread::spawn(|| SHARED.fetch_add(1, Relaxed));
            let mine = SHARED.fetch_add(1, Relaxed);
            let theirs = child.join().unwrap();
            format!("{mine} {theirs} {}", SHARED.load(Relaxed))
        })
    };
    let other = std::thread::spawn(move || run().outcomes.into_keys().collect::<Vec<_>>());
    let mine: Vec<_> = run().outcomes.into_keys().collect();
    assert_eq!(mine, ["5 6 7", "6 5 7"]);
    assert_eq!(other.join().unwrap(), mine);
    assert_eq!(SHARED.load(Relaxed), 5);
}

#[test]
fn a_program_that_does_something_else_on_replay_is_nondeterministic() {
    use std::sync::atomic::AtomicUsize as StdAtomicUsize;
    let round = Arc::new(StdAtomicUsize::new(0));
    let explored = explore(&plain(), move || {
        let x = Arc::new(AtomicUsize::new(0));
        let x2 = x.clone();
        let child = thread::spawn(move || x2.store(1, Relaxed));
        if round.fetch_add(1, Relaxed) == 1 {
            x.store(2, Relaxed);
        }
        x.load(Relaxed);
        child.join().unwrap();
        String::new()
    });
    assert!(matches!(explored.end, Exploration::Failed(_)), "{explored:?}");
    assert_eq!(counts(&explored), [("complete", 1), ("nondeterministic", 1)]);
}
