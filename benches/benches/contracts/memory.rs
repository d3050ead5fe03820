//! Memory: it is bounded by threads and objects that are there, and not by what they have done.

use cdsspec_contracts::sync::atomic::AtomicU64;
use cdsspec_contracts::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use cdsspec_contracts::thread;
use cdsspec_contracts::threads::{Moment, index_count};
use std::time::Instant;

const THREADS: usize = 64;
const OPERATIONS: u64 = 1_000_000;
const SHARED: usize = 16;
const ONE_AFTER_THE_OTHER: u32 = 100_000;

/// More than this is an error, in KiB: between a tenth of the operations and all of them, and for the threads one after the other.
const GROWTH_MAX: u64 = 4 * 1024;

/// Resident memory in KiB; 0 where the system does not say.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Operations on atomics that all share, and on one's own; every 1,000th is also an event, of which nothing is kept.
fn operate(shared: &[AtomicU64], own: &AtomicU64, count: u64) {
    for number in 0..count {
        let atomic = &shared[number as usize % SHARED];
        match number % 8 {
            0 => drop(atomic.fetch_add(1, AcqRel)),
            1 => drop(atomic.load(Acquire)),
            2 => drop(atomic.load(Relaxed)),
            3 => atomic.store(number, Release),
            _ => own.store(number, Release),
        }
        if number % 1_000 == 0 {
            drop(Moment::now());
        }
    }
}

/// Whether it is bounded; the figures are printed.
pub(crate) fn is_bounded() -> bool {
    let shared: [AtomicU64; SHARED] = std::array::from_fn(|_| AtomicU64::new(0));
    let begin = Instant::now();
    let barrier = std::sync::Barrier::new(THREADS);
    let (early, late) = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    let own = AtomicU64::new(0);
                    operate(&shared, &own, OPERATIONS / 10);
                    barrier.wait();
                    let early = resident();
                    barrier.wait();
                    operate(&shared, &own, OPERATIONS - OPERATIONS / 10);
                    barrier.wait();
                    let late = resident();
                    barrier.wait();
                    (early, late)
                })
            })
            .collect();
        let figures = threads.into_iter().map(|thread| thread.join().expect("it does not panic"));
        figures.fold((0, 0), |(early, late), figure| (early.max(figure.0), late.max(figure.1)))
    });
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{THREADS} threads with {OPERATIONS} operations each: {late} KiB resident, {early} KiB after a tenth of them; {} indices; {:.0} ns an operation",
        index_count(),
        seconds * 1e9 / (THREADS as f64 * OPERATIONS as f64)
    );
    let before = (resident(), index_count());
    for _ in 0..ONE_AFTER_THE_OTHER {
        thread::spawn(|| drop(Moment::now())).join().expect("it does not panic");
    }
    let after = (resident(), index_count());
    println!(
        "{ONE_AFTER_THE_OTHER} threads one after the other: {} KiB resident, {} before; {} indices more",
        after.0,
        before.0,
        after.1 - before.1
    );
    late.saturating_sub(early) <= GROWTH_MAX
        && after.0.saturating_sub(before.0) <= GROWTH_MAX
        && after.1 == before.1
}
