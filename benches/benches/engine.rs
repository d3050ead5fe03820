//! What the rc11 engine does: its time for whole explorations against the loom engine's, executions per second, and memory.
//!
//! The explorations take turns, and the fastest of each are compared, as in `ratio`. It fails where the rc11 engine is not ten times as fast
//! as the loom engine, or explores fewer executions per second than it should.

mod common;

#[path = "../../examples/blocking_queue/deterministic.rs"]
#[allow(dead_code, reason = "the programs are generic in the queue; only the other one is measured")]
mod deterministic;
#[path = "../../examples/blocking_queue/node.rs"]
mod node;
#[path = "../../examples/blocking_queue/program.rs"]
#[allow(
    dead_code,
    non_snake_case,
    reason = "one of the programs is measured; their names spell what their threads do"
)]
mod program;
#[path = "../../examples/blocking_queue/queue.rs"]
mod queue;
#[path = "../../examples/blocking_queue/seed.rs"]
#[allow(dead_code, reason = "no bug is seeded here")]
mod seed;
#[path = "../../tests/stack/mod.rs"]
mod stack;

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{self, Relaxed, SeqCst};
use cdsspec::{Builder, EngineKind, Verdict, thread};
use cdsspec_runtime::engine::graph::GraphEngine;
use cdsspec_runtime::engine::{Engine, Limits, Visitor};
use cdsspec_runtime::record::Recording;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

const ROUNDS: usize = 3;
const RATIO_MIN: f64 = 10.0;
const PER_SECOND_MIN: f64 = 250_000.0;
/// How much longer programs may take whose operations are SeqCst.
const SEQ_CST_RATIO_MAX: f64 = 3.0;
const GROWTH_MAX_KB: u64 = 1_024;

/// Two threads with two operations each.
const PROGRAMS: [(&str, fn()); 3] = [
    ("blocking queue", || program::enq_deq__enq_deq::<queue::Queue>(seed::Seed::CORRECT)),
    ("Michael-Scott queue", common::program),
    ("Treiber stack", push_pop_beside_push_pop),
];

fn push_pop_beside_push_pop() {
    let stack = Arc::new(stack::Stack::new());
    let stack2 = stack.clone();
    let other = thread::spawn(move || {
        stack2.push(1);
        stack2.pop();
    });
    stack.push(2);
    stack.pop();
    other.join().expect("no thread panics");
}

/// The time of one exploration, checking included, and how many executions it takes.
fn explore(program: fn(), engine: EngineKind) -> (f64, u64) {
    let begin = Instant::now();
    let outcome = Builder::new().engine(engine).check(program);
    let expected = if engine == EngineKind::Loom { Verdict::HoldsWithin } else { Verdict::Holds };
    assert_eq!(outcome.verdict, expected, "{outcome}");
    (begin.elapsed().as_secs_f64(), outcome.executions)
}

/// The fastest exploration of some, and how many executions it takes.
fn fastest(times: impl Iterator<Item = (f64, u64)>) -> (f64, u64) {
    times.min_by(|first, second| first.0.total_cmp(&second.0)).expect("there are rounds")
}

/// Prints how much less time the rc11 engine takes than the loom engine. Whether it is enough.
fn compare(name: &str, program: fn()) -> bool {
    let rounds: Vec<_> = (0..ROUNDS)
        .map(|_| (explore(program, EngineKind::Loom), explore(program, EngineKind::Rc11)))
        .collect();
    let (on_loom, loom_count) = fastest(rounds.iter().map(|round| round.0));
    let (on_rc11, rc11_count) = fastest(rounds.iter().map(|round| round.1));
    let ratio = on_loom / on_rc11;
    println!("| {name} | {loom_count} | {rc11_count} | {ratio:.0} |");
    ratio >= RATIO_MIN
}

/// Counts executions.
struct Count(u64);

impl Visitor for Count {
    fn visit(&mut self, _: &Recording) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    fn needs_operations(&self) -> bool {
        false
    }

    fn restart(&mut self) {
        self.0 = 0;
    }
}

/// Seven threads that add to one number: 5,040 executions. The pointer is std's, so that only the engine is measured.
fn add_in_seven_threads(order: Ordering) {
    let x = std::sync::Arc::new(AtomicUsize::new(0));
    let add = |_| {
        let x = x.clone();
        thread::spawn(move || x.fetch_add(1, order))
    };
    let children: Vec<_> = (0..7).map(add).collect();
    for child in children {
        child.join().expect("no thread panics");
    }
}

/// Executions per second.
fn measure_rate(order: Ordering) -> f64 {
    let count = Rc::new(RefCell::new(Count(0)));
    let begin = Instant::now();
    GraphEngine::new().explore(
        std::sync::Arc::new(move || add_in_seven_threads(order)),
        &Limits::default(),
        count.clone(),
    );
    let seconds = begin.elapsed().as_secs_f64();
    assert_eq!(count.borrow().0, 5_040);
    5_040.0 / seconds
}

/// The memory that the process has, in kilobytes, where the system says.
fn memory_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Prints the rate of the engine, and by how much memory grows over two million executions. Whether both are good enough.
fn measure_engine() -> bool {
    let explorations = 2_000_000 / 5_040 + 1;
    let mut rate: f64 = (0..20).map(|_| measure_rate(Relaxed)).fold(0.0, f64::max);
    let before = memory_kb();
    rate = (20..explorations).map(|_| measure_rate(Relaxed)).fold(rate, f64::max);
    println!("executions per second, 7 threads with a `fetch_add` each: {rate:.0}");
    let seq_cst = (0..20).map(|_| measure_rate(SeqCst)).fold(0.0, f64::max);
    let ratio = rate / seq_cst;
    println!("the same with SeqCst: {seq_cst:.0}, which takes {ratio:.1} times as long");
    let growth_kb = before.zip(memory_kb()).map(|(before, after)| after.saturating_sub(before));
    match growth_kb {
        None => println!("memory was not measured: the system does not say how much there is"),
        Some(growth_kb) => {
            println!("memory grows by {growth_kb} KB from execution 100,800 to {}", explorations * 5_040);
        }
    }
    rate >= PER_SECOND_MIN
        && ratio <= SEQ_CST_RATIO_MAX
        && growth_kb.is_none_or(|growth_kb| growth_kb <= GROWTH_MAX_KB)
}

fn main() -> ExitCode {
    // First, while the process is small: what grows is seen.
    let is_good = measure_engine();
    println!(
        "| 2 threads with 2 operations each | executions on loom | on rc11 | loom's time against rc11's |"
    );
    println!("|---|---|---|---|");
    let is_fast = PROGRAMS.map(|(name, program)| compare(name, program));
    if !is_good || is_fast.contains(&false) {
        println!(
            "below {RATIO_MIN} times, below {PER_SECOND_MIN} per second, SeqCst above {SEQ_CST_RATIO_MAX} times, or more than {GROWTH_MAX_KB} KB of growth"
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
