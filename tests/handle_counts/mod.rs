//! Counts of `Arc` that are no operations, as long as nobody can tell their order: against the same programs with operations.
#![expect(clippy::unwrap_used, reason = "programs under test: a thread that panics fails the test")]

mod generated;
mod table;

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use cdsspec::thread::{JoinHandle, spawn};
use cdsspec_litmus::explore::plain_limits;
use cdsspec_litmus::{Explored, explore};
use cdsspec_runtime::engine::Limits;
use cdsspec_runtime::engine::graph::GraphEngine;

/// With operations.
fn counted_limits() -> Limits {
    let mut limits = plain_limits();
    limits.counts_handles = true;
    limits
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

fn adders(n: u64) -> impl Fn() -> String {
    move || {
        let shared = Arc::new(AtomicUsize::new(0));
        let start = |_| {
            let shared = shared.clone();
            spawn(move || shared.fetch_add(1, Relaxed))
        };
        let threads: Vec<JoinHandle<usize>> = (0..n).map(start).collect();
        format!("{:?}", threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>())
    }
}

fn explored(limits: &Limits, program: impl Fn() -> String + Send + Sync + 'static) -> Explored {
    let explored = explore(&GraphEngine::new(), limits, program);
    assert!(explored.is_all_complete(), "{explored:?}");
    explored
}

#[test]
fn n_threads_with_a_handle_each_that_add_have_n_factorial_executions() {
    for n in 0..=6 {
        let explored = explored(&plain_limits(), adders(n));
        assert_eq!((explored.complete, explored.by_products), (factorial(n), 0), "{n} threads");
        assert_eq!(explored.outcomes.len() as u64, factorial(n));
    }
}

#[test]
fn clones_and_drops_that_are_operations_multiply_the_executions() {
    for (n, executions) in [(0, 1), (1, 1), (2, 5), (3, 57)] {
        let explored = explored(&counted_limits(), adders(n));
        assert_eq!((explored.complete, explored.by_products), (executions, 0), "{n} threads");
        assert_eq!(explored.outcomes.len() as u64, factorial(n));
    }
}
