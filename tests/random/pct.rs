//! The bound of PCT: a fault of depth d is found in a run with a chance of at least 1/(n·k^(d-1)), for n threads and k steps.

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::SeqCst;
use cdsspec::{Builder, Strategy, Verdict, thread};
// Whose handles are no operations.
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The main thread and two others.
const THREADS: u64 = 3;
/// Two creations and two joins.
const STEPS_BESIDE: u64 = 4;

/// How many of so many runs, under Sc, come to `true`.
fn hits(runs: u64, depth: usize, program: fn() -> bool) -> u64 {
    let hits = Arc::new(AtomicU64::new(0));
    let counted = hits.clone();
    let builder =
        Builder::new().engine("random").memory_model("sc").runs(runs).strategy(Strategy::Pct { depth });
    let outcome = builder.check(move || {
        counted.fetch_add(u64::from(program()), SeqCst);
    });
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::HoldsWithin, runs));
    hits.load(SeqCst)
}

/// The least number of hits that is likely at 99% if the bound holds, and the bound itself in runs: at least 20 hits are to be expected.
fn least(runs: u64, steps: u64, depth: u32) -> u64 {
    let expected = runs as f64 / (THREADS * steps.pow(depth - 1)) as f64;
    assert!(expected >= 20.0, "{expected}");
    // A binomial distribution with a small chance is one of Poisson, near a normal one.
    (expected - 2.33 * expected.sqrt()).ceil() as u64
}

/// A lost update: read, write of the other one, write.
fn lost_update() -> bool {
    let count = Arc::new(AtomicUsize::new(0));
    let threads = [0, 1].map(|_| {
        let count = count.clone();
        thread::spawn(move || {
            let before = count.load(SeqCst);
            count.store(before + 1, SeqCst);
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    count.load(SeqCst) == 1
}

/// Each sees the other in the middle: 1, 2, 1, 2.
fn alternate() -> bool {
    let turn = Arc::new(AtomicUsize::new(0));
    let threads = [0, 1].map(|mine| {
        let turn = turn.clone();
        thread::spawn(move || {
            let first = turn.fetch_add(1, SeqCst);
            let second = turn.fetch_add(1, SeqCst);
            (first, second) == (mine, mine + 2)
        })
    });
    threads.into_iter().all(|thread| thread.join().unwrap())
}

/// The first one goes on behind the second one, and that behind the third: 1, 2, 3, 2, 1.
fn come_back() -> bool {
    let turn = Arc::new(AtomicUsize::new(0));
    let turns: [&[usize]; 3] = [&[0, 4], &[1, 3], &[2]];
    let threads = turns.map(|turns| {
        let turn = turn.clone();
        thread::spawn(move || turns.iter().filter(|&&mine| turn.fetch_add(1, SeqCst) == mine).count())
    });
    threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>() == 5
}

#[test]
fn a_thread_that_changes_later_may_go_on_first() {
    assert!(hits(10_000, 3, come_back) > 0);
}

#[test]
fn a_lost_update_is_found_as_often_as_the_bound_says() {
    let steps = STEPS_BESIDE + 4 + 1;
    let (runs, depth) = (1_000, 2);
    let found = hits(runs, depth as usize, lost_update);
    assert!(found >= least(runs, steps, depth), "{found}");
}

#[test]
fn an_order_that_takes_two_changes_is_found_as_often_as_the_bound_says() {
    let steps = STEPS_BESIDE + 4;
    let (runs, depth) = (10_000, 3);
    let found = hits(runs, depth as usize, alternate);
    assert!(found >= least(runs, steps, depth), "{found}");
    // No run with one change comes to it.
    assert_eq!(hits(runs, 2, alternate), 0);
}
