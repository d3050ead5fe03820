//! Programs with a parameter, whose number of executions is known as a formula.
#![expect(clippy::unwrap_used, reason = "programs under test: a thread that panics fails the test")]

use cdsspec::hint;
use cdsspec::sync::Mutex;
use cdsspec::sync::atomic::{AtomicUsize, Ordering, Ordering::*};
use cdsspec::thread::{self, JoinHandle};
use cdsspec_litmus::explore::plain_limits;
use cdsspec_litmus::{Explored, explore};
use cdsspec_runtime::engine::graph::GraphEngine;
use std::sync::Arc;

fn explored(program: impl Fn() -> String + Send + Sync + 'static) -> Explored {
    explore(&GraphEngine::new(), &plain_limits(), program)
}

/// Runs a function in this many threads; joins what they return.
fn in_threads<T: Send + 'static>(count: usize, run: impl Fn(usize) -> T + Send + Sync + 'static) -> Vec<T> {
    let run = Arc::new(run);
    let start = |index| {
        let run = run.clone();
        thread::spawn(move || run(index))
    };
    let handles: Vec<JoinHandle<T>> = (0..count).map(start).collect();
    handles.into_iter().map(|handle| handle.join().unwrap()).collect()
}

fn text(values: &[usize]) -> String {
    values.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

fn binomial(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |result, i| result * (n - k + i) / i)
}

#[test]
fn n_threads_that_add_have_n_factorial_executions() {
    for n in 1..=7 {
        for order in [Relaxed, AcqRel, SeqCst] {
            let explored = explored(move || {
                let x = Arc::new(AtomicUsize::new(0));
                text(&in_threads(n, move |_| x.fetch_add(1, order)))
            });
            assert!(explored.is_all_complete(), "{explored:?}");
            assert_eq!(
                (explored.complete, explored.by_products),
                (factorial(n), 0),
                "{n} threads, {order:?}"
            );
            assert_eq!(
                explored.outcomes.len() as u64,
                factorial(n),
                "each order of the threads is an outcome"
            );
        }
    }
}

#[test]
fn k_stores_beside_m_loads_have_a_binomial_of_executions() {
    for k in 0..=5 {
        for m in 0..=5 {
            let explored = explored(move || {
                let x = Arc::new(AtomicUsize::new(0));
                let stored = x.clone();
                let storing = thread::spawn(move || (1..=k).for_each(|value| stored.store(value, Relaxed)));
                let loading = thread::spawn(move || (0..m).map(|_| x.load(Relaxed)).collect::<Vec<_>>());
                storing.join().unwrap();
                text(&loading.join().unwrap())
            });
            let expected = binomial((k + m) as u64, m as u64);
            assert!(explored.is_all_complete(), "{explored:?}");
            assert_eq!((explored.complete, explored.by_products), (expected, 0), "{k} stores, {m} loads");
            assert_eq!(explored.outcomes.len() as u64, expected);
        }
    }
}

fn store_buffering_pairs(n: usize, store: Ordering, load: Ordering) -> Explored {
    explored(move || {
        let memory: Arc<Vec<AtomicUsize>> = Arc::new((0..2 * n).map(|_| AtomicUsize::new(0)).collect());
        text(&in_threads(2 * n, move |mine| {
            memory[mine].store(1, store);
            memory[mine ^ 1].load(load)
        }))
    })
}

#[test]
fn n_pairs_of_store_buffering_have_four_to_the_n_executions_and_three_with_seq_cst() {
    for n in 1..=4 {
        for (store, load, base) in [(Relaxed, Relaxed, 4_u64), (Release, Acquire, 4), (SeqCst, SeqCst, 3)] {
            let explored = store_buffering_pairs(n, store, load);
            assert!(explored.is_all_complete(), "{explored:?}");
            let expected = base.pow(n as u32);
            assert_eq!((explored.complete, explored.by_products), (expected, 0), "{n} pairs, {store:?}");
            assert_eq!(explored.outcomes.len() as u64, expected);
        }
    }
}

#[test]
fn n_threads_at_one_mutex_have_n_factorial_complete_executions() {
    // Those in which a thread waits for one that has let go of the lock.
    let by_products = [0, 1, 5, 29, 189];
    let mut found = [0; 5];
    for n in 1..=5 {
        let explored = explored(move || {
            let lock = Arc::new(Mutex::new(0));
            text(&in_threads(n, move |_| {
                let mut turn = lock.lock().unwrap();
                *turn += 1;
                *turn
            }))
        });
        assert!(explored.is_all_complete(), "{explored:?}");
        assert_eq!(explored.complete, factorial(n), "{n} threads: {explored:?}");
        assert_eq!(explored.outcomes.len() as u64, factorial(n));
        found[n - 1] = explored.by_products;
    }
    assert_eq!(found, by_products);
}

#[test]
fn n_threads_at_one_spinlock_have_n_factorial_complete_executions() {
    for n in 1..=5 {
        let explored = explored(move || {
            let lock = Arc::new(AtomicUsize::new(0));
            let turn = Arc::new(AtomicUsize::new(0));
            text(&in_threads(n, move |_| {
                while lock.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
                    hint::spin_loop();
                }
                let mine = turn.load(Relaxed);
                turn.store(mine + 1, Relaxed);
                lock.store(0, Release);
                mine
            }))
        });
        assert!(explored.is_all_complete(), "{explored:?}");
        // Of the others some thread waited for a round first.
        let delayed: u64 = explored.delayed.values().sum();
        assert_eq!(explored.complete - delayed, factorial(n), "{n} threads: {explored:?}");
        assert_eq!(explored.outcomes.len() as u64, factorial(n));
    }
}

#[test]
fn twelve_threads_run() {
    let apart = explored(|| {
        let memory: Arc<Vec<AtomicUsize>> = Arc::new((0..12).map(|_| AtomicUsize::new(0)).collect());
        text(&in_threads(12, move |mine| memory[mine].fetch_add(1, AcqRel)))
    });
    assert!(apart.is_all_complete(), "{apart:?}");
    assert_eq!(apart.complete, 1);
    let readers = explored(|| {
        let x = Arc::new(AtomicUsize::new(0));
        text(&in_threads(12, move |index| match index {
            0 => {
                x.store(1, Release);
                1
            }
            _ => x.load(Acquire),
        }))
    });
    assert!(readers.is_all_complete(), "{readers:?}");
    assert_eq!(readers.complete, 1 << 11, "each of eleven readers sees the store or not");
}
