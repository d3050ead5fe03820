//! What the engine `random` does: operations per second in long runs, and its time against shuttle's for the same program.
//!
//! The program is a bounded queue without a specification, after Vyukov: each slot has a count that says whose turn it is. Both take turns, and the fastest of
//! each are compared. It fails below a million operations per second, or where shuttle is faster.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering as Plain};
use std::time::Instant;

const ROUNDS: usize = 3;
const PER_SECOND_MIN: f64 = 1_000_000.0;
const RATIO_MIN: f64 = 1.0;
/// Items that each producer sends.
const ITEMS: usize = 2_500;
const RUNS: u64 = 10;
/// The same, in one long run, which has at least so many operations.
const LONG_ITEMS: usize = 50_000;
const LONG_OPERATIONS_MIN: u64 = 1_000_000;

/// The operations that the programs have done.
static OPERATIONS: AtomicU64 = AtomicU64::new(0);

fn counted<T>(operation: impl FnOnce() -> T) -> T {
    OPERATIONS.fetch_add(1, Plain::Relaxed);
    operation()
}

macro_rules! queue {
    ($name:ident, $library:ident) => {
        mod $name {
            use super::counted;
            use $library::hint::spin_loop;
            use $library::sync::Arc;
            use $library::sync::atomic::AtomicUsize;
            use $library::sync::atomic::Ordering::{Acquire, Relaxed, Release};
            use $library::thread;

            struct Slot {
                turn: AtomicUsize,
                item: AtomicUsize,
            }

            struct Queue {
                slots: Vec<Slot>,
                head: AtomicUsize,
                tail: AtomicUsize,
            }

            impl Queue {
                fn new(capacity: usize) -> Self {
                    let slot = |turn| Slot { turn: AtomicUsize::new(turn), item: AtomicUsize::new(0) };
                    Self {
                        slots: (0..capacity).map(slot).collect(),
                        head: AtomicUsize::new(0),
                        tail: AtomicUsize::new(0),
                    }
                }

                fn push(&self, item: usize) -> bool {
                    let tail = counted(|| self.tail.load(Relaxed));
                    let slot = &self.slots[tail % self.slots.len()];
                    if counted(|| slot.turn.load(Acquire)) != tail
                        || counted(|| self.tail.compare_exchange(tail, tail + 1, Relaxed, Relaxed)).is_err()
                    {
                        return false;
                    }
                    counted(|| slot.item.store(item, Relaxed));
                    counted(|| slot.turn.store(tail + 1, Release));
                    true
                }

                fn pop(&self) -> Option<usize> {
                    let head = counted(|| self.head.load(Relaxed));
                    let slot = &self.slots[head % self.slots.len()];
                    if counted(|| slot.turn.load(Acquire)) != head + 1
                        || counted(|| self.head.compare_exchange(head, head + 1, Relaxed, Relaxed)).is_err()
                    {
                        return None;
                    }
                    let item = counted(|| slot.item.load(Relaxed));
                    counted(|| slot.turn.store(head + self.slots.len(), Release));
                    Some(item)
                }
            }

            pub(super) fn program(items: usize) {
                let queue = Arc::new(Queue::new(8));
                let mut threads = Vec::new();
                for _ in 0..2 {
                    let queue2 = queue.clone();
                    threads.push(thread::spawn(move || {
                        for item in 0..items {
                            while !queue2.push(item) {
                                spin_loop();
                            }
                        }
                    }));
                    let queue2 = queue.clone();
                    threads.push(thread::spawn(move || {
                        for _ in 0..items {
                            while queue2.pop().is_none() {
                                spin_loop();
                            }
                        }
                    }));
                }
                threads.into_iter().for_each(|thread| thread.join().unwrap());
            }
        }
    };
}

queue!(ours, cdsspec);
queue!(theirs, shuttle);

/// Seconds, and operations.
fn measure(run: impl FnOnce()) -> (f64, u64) {
    let (begin, before) = (Instant::now(), OPERATIONS.load(Plain::Relaxed));
    run();
    (begin.elapsed().as_secs_f64(), OPERATIONS.load(Plain::Relaxed) - before)
}

fn run_ours(runs: u64, items: usize) {
    let builder = cdsspec::Builder::new().engine("random").runs(runs);
    let outcome =
        builder.branches_max(usize::MAX).recording_max(usize::MAX).check(move || ours::program(items));
    assert_eq!(outcome.verdict, cdsspec::Verdict::HoldsWithin, "{outcome}");
}

fn run_theirs() {
    let mut config = shuttle::Config::new();
    config.max_steps = shuttle::MaxSteps::None;
    let scheduler = shuttle::scheduler::RandomScheduler::new(RUNS as usize);
    shuttle::Runner::new(scheduler, config).run(|| theirs::program(ITEMS));
}

fn main() -> ExitCode {
    // Time for each operation: rounds of waiting loops are not as many in both.
    let mut fastest = [f64::INFINITY; 2];
    let mut counts = [0; 2];
    for _ in 0..ROUNDS {
        for (index, run) in [(|| run_ours(RUNS, ITEMS)) as fn(), run_theirs].into_iter().enumerate() {
            let (seconds, count) = measure(run);
            fastest[index] = fastest[index].min(seconds / count as f64);
            counts[index] = count;
        }
    }
    let [ours, theirs] = fastest;
    let (seconds, count) = measure(|| run_ours(1, LONG_ITEMS));
    println!("one run of {count} operations: {:.0} per second", count as f64 / seconds);
    assert!(count >= LONG_OPERATIONS_MIN, "it is not long");
    println!("operations in {RUNS} runs: {} here, {} in shuttle", counts[0], counts[1]);
    println!(
        "operations per second: {:.0} here, {:.0} in shuttle; ratio {:.1}",
        1.0 / ours,
        1.0 / theirs,
        theirs / ours
    );
    if 1.0 / ours < PER_SECOND_MIN || theirs / ours < RATIO_MIN {
        println!("below {PER_SECOND_MIN} operations per second, or a ratio of {RATIO_MIN}: too little");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
