//! The rc11 engine: closed forms, outcomes, endings.
#![cfg(feature = "loom")]

mod common;

use cdsspec_runtime::engine::Limits;
use cdsspec_runtime::engine::rc11::Rc11Engine;
use cdsspec_runtime::sync::Mutex;
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering, Ordering::*};
use cdsspec_runtime::{hint, thread};
use common::{Explored, explore_on};
use std::sync::Arc;

fn explore(program: impl Fn() -> String + Send + Sync + 'static) -> Explored {
    explore_on(&Rc11Engine::new(), &Limits::default(), program, |_| ())
}

fn complete(explored: &Explored) -> usize {
    explored.endings.get("complete").copied().unwrap_or(0)
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
