//! What it costs to see the heap: the same explorations with `cdsspec::Allocator` and with the system's allocator, as ratios; and what memory
//! a million executions take.
//!
//! A program has one global allocator, so this one runs itself, in turns with each, and compares the fastest rounds. More than a tenth on a
//! program that allocates nothing is an error, and more than three tenths on a Michael-Scott queue; so is memory that grows.

mod common;

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{AcqRel, Relaxed};
use cdsspec::{Builder, Outcome, Verdict};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU8, AtomicUsize as Count, Ordering};
use std::time::Instant;

const ROUNDS: usize = 5;
/// Explorations of each program in a round: many short ones, so that some are left in peace by whatever else the machine does.
const EXPLORATIONS: usize = 200;
const EXECUTIONS: u64 = 1_000_000;
/// Less than a byte in a hundred executions.
const GROWTH_MAX: usize = EXECUTIONS as usize / 100;

/// The system's allocator, and how many bytes are in use.
struct Counting;

static IN_USE: Count = Count::new(0);

// SAFETY: it is the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) };
    }
}

/// Memory for what is allocated before `main` has chosen; it is never given back.
struct Early(UnsafeCell<[u8; EARLY_BYTES]>);

const EARLY_BYTES: usize = 256 * 1024;

// SAFETY: each byte is given out once.
unsafe impl Sync for Early {}

static EARLY: Early = Early(UnsafeCell::new([0; EARLY_BYTES]));
static EARLY_USED: Count = Count::new(0);

/// One of the allocators, for the whole run.
struct Chosen;

static CHOICE: AtomicU8 = AtomicU8::new(0);
const PLAIN: u8 = 1;
const SEEN: u8 = 2;
static SEEING: cdsspec::Allocator<Counting> = cdsspec::Allocator::around(Counting);

#[global_allocator]
static GLOBAL: Chosen = Chosen;

impl Early {
    fn alloc(&self, layout: Layout) -> *mut u8 {
        let bytes = layout.size() + layout.align();
        let begin = EARLY_USED.fetch_add(bytes, Ordering::Relaxed);
        if begin + bytes > EARLY_BYTES {
            return std::ptr::null_mut();
        }
        let block = self.0.get().cast::<u8>().wrapping_add(begin);
        block.wrapping_add(block.align_offset(layout.align()))
    }

    fn has(&self, block: *mut u8) -> bool {
        block.addr().wrapping_sub(self.0.get().addr()) < EARLY_BYTES
    }
}

// SAFETY: a block goes back to where it is from.
unsafe impl GlobalAlloc for Chosen {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match CHOICE.load(Ordering::Relaxed) {
            // SAFETY: the caller's promise.
            PLAIN => unsafe { Counting.alloc(layout) },
            // SAFETY: the caller's promise.
            SEEN => unsafe { SEEING.alloc(layout) },
            _ => EARLY.alloc(layout),
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if EARLY.has(block) {
            return;
        }
        match CHOICE.load(Ordering::Relaxed) {
            // SAFETY: the caller's promise.
            PLAIN => unsafe { Counting.dealloc(block, layout) },
            // SAFETY: the caller's promise.
            _ => unsafe { SEEING.dealloc(block, layout) },
        }
    }
}

/// Two threads count on one static: every order of their additions is an execution, and the program allocates nothing.
fn count_in_a_static(times: usize) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let add = move || (0..times).for_each(|_| _ = COUNT.fetch_add(1, AcqRel));
    let other = cdsspec::thread::spawn(add);
    add();
    other.join().expect("no thread panics");
}

/// The same, and each thread allocates a node, uses it, and frees it or not.
fn count_with_nodes(times: usize, frees: bool) {
    let use_node = move || {
        let node = Box::into_raw(Box::new(AtomicUsize::new(1)));
        // SAFETY: it is there until here.
        unsafe { &*node }.fetch_add(1, Relaxed);
        if frees {
            // SAFETY: it was made above, and nobody else has it.
            drop(unsafe { Box::from_raw(node) });
        }
    };
    let other = cdsspec::thread::spawn(use_node);
    use_node();
    other.join().expect("no thread panics");
    count_in_a_static(times);
}

/// The seconds that an exploration takes.
fn seconds(exploration: impl Fn()) -> f64 {
    let begin = Instant::now();
    exploration();
    begin.elapsed().as_secs_f64()
}

/// What a run with one of the allocators prints: the seconds of each program, the fastest of its explorations.
fn measure() -> [f64; 2] {
    let mut fastest = [f64::INFINITY; 2];
    for _ in 0..EXPLORATIONS {
        let without = seconds(|| {
            let outcome = Builder::new().check(|| count_in_a_static(6));
            assert_eq!(outcome.verdict, Verdict::Holds, "{outcome}");
        });
        let michael_scott = seconds(|| _ = common::explore_on_rc11());
        fastest = [fastest[0].min(without), fastest[1].min(michael_scott)];
    }
    fastest
}

/// How many bytes more are in use after so many executions than after a tenth of them.
fn growth(builder: &Builder, frees: bool) -> (usize, Outcome) {
    let executions = std::sync::Arc::new(Count::new(0));
    let early = std::sync::Arc::new(Count::new(0));
    let (executions2, early2) = (executions.clone(), early.clone());
    let outcome = builder.clone().executions_max(EXECUTIONS).check(move || {
        if executions2.fetch_add(1, Ordering::Relaxed) as u64 == EXECUTIONS / 10 {
            early2.store(IN_USE.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        count_with_nodes(12, frees);
    });
    assert_eq!(outcome.executions, EXECUTIONS, "{outcome}");
    (IN_USE.load(Ordering::Relaxed).saturating_sub(early.load(Ordering::Relaxed)), outcome)
}

fn run_with(choice: u8) -> [f64; 2] {
    let program = std::env::current_exe().expect("it runs");
    let output = Command::new(program).env("HEAP_CHOICE", choice.to_string()).output();
    let text = String::from_utf8(output.expect("it runs again").stdout).expect("it prints numbers");
    let mut numbers = text.split_whitespace().map(|number| number.parse().expect("it prints numbers"));
    [(); 2].map(|()| numbers.next().expect("it prints two"))
}

fn main() -> ExitCode {
    let choice = std::env::var("HEAP_CHOICE").ok().and_then(|choice| choice.parse().ok());
    CHOICE.store(choice.unwrap_or(SEEN), Ordering::Relaxed);
    if choice.is_some() {
        let [without, michael_scott] = measure();
        println!("{without} {michael_scott}");
        return ExitCode::SUCCESS;
    }
    let mut fastest = [[f64::INFINITY; 2]; 2];
    for _ in 0..ROUNDS {
        for (which, choice) in [PLAIN, SEEN].into_iter().enumerate() {
            let seconds = run_with(choice);
            fastest[which] = [0, 1].map(|program: usize| fastest[which][program].min(seconds[program]));
        }
    }
    let ratios = [0, 1].map(|program: usize| fastest[1][program] / fastest[0][program]);
    println!("| with `cdsspec::Allocator`, against the system's allocator, on rc11 | ratio |");
    println!("|---|---|");
    println!("| a program that allocates nothing | {:.2} |", ratios[0]);
    println!("| a Michael-Scott queue | {:.2} |", ratios[1]);
    let (freeing, _) = growth(&Builder::new(), true);
    // SAFETY: nothing that the program allocates is used after an execution.
    let reclaiming = unsafe { Builder::new().reclaim_leaks() };
    let (reclaimed, _) = growth(&reclaiming, false);
    let (leaking, outcome) = growth(&Builder::new(), false);
    println!("bytes more in use after {EXECUTIONS} executions than after a tenth of them:");
    println!("{freeing} by a program that frees, {reclaimed} by one that leaks and has its leaks reclaimed;");
    println!("{leaking} by one that leaks, which tells of {} left", outcome.left_bytes);
    if ratios[0] > 1.1 || ratios[1] > 1.3 || freeing > GROWTH_MAX || reclaimed > GROWTH_MAX {
        println!("too much");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
