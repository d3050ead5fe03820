//! Happens-before as computed here agrees with loom's: over generated programs, loom's cell sees a race iff ours does.
#![cfg(feature = "loom")]

use crate::common::{explore_looking, plain};
use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::record::Ending;
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering, Ordering::*, fence};
use cdsspec_runtime::thread;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One step of a thread. SeqCst is left out: loom takes it for more than C11 does.
#[derive(Clone, Copy, Debug)]
enum Step {
    Load(usize, Ordering),
    Store(usize, Ordering),
    Swap(usize, Ordering),
    Exchange(usize, Ordering, Ordering),
    Fence(Ordering),
    /// An access of the one cell; at most one a thread.
    Cell,
}

/// splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn step(&mut self) -> Step {
        let location = self.below(2);
        match self.below(5) {
            0 => Step::Load(location, self.pick(&[Relaxed, Acquire])),
            1 => Step::Store(location, self.pick(&[Relaxed, Release])),
            2 => Step::Swap(location, self.pick(&[Relaxed, Acquire, Release, AcqRel])),
            3 => {
                let success = self.pick(&[Relaxed, Acquire, Release, AcqRel]);
                Step::Exchange(location, success, self.pick(&[Relaxed, Acquire]))
            }
            _ => Step::Fence(self.pick(&[Acquire, Release, AcqRel])),
        }
    }

    fn thread(&mut self, step_count: usize) -> Vec<Step> {
        let mut steps: Vec<_> = (0..step_count).map(|_| self.step()).collect();
        steps.insert(self.below(step_count + 1), Step::Cell);
        steps
    }
}

struct Shared {
    atomics: [AtomicUsize; 2],
    ours: UnsafeCell<usize>,
    theirs: loom::cell::UnsafeCell<usize>,
    /// Whether loom's cell has seen a race in this execution.
    is_race_on_loom: Arc<AtomicBool>,
}
// SAFETY: the programs race on purpose; the cells see it before the memory is touched, and all threads are one OS thread.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

fn run(shared: &Shared, steps: &[Step], is_writer: bool) {
    for (number, step) in steps.iter().enumerate() {
        let value = number + 1;
        match *step {
            Step::Load(location, order) => {
                shared.atomics[location].load(order);
            }
            Step::Store(location, order) => shared.atomics[location].store(value, order),
            Step::Swap(location, order) => {
                shared.atomics[location].swap(value, order);
            }
            Step::Exchange(location, success, failure) => {
                shared.atomics[location].compare_exchange(0, value, success, failure).ok();
            }
            Step::Fence(order) => fence(order),
            Step::Cell => access(shared, is_writer),
        }
    }
}

fn access(shared: &Shared, is_writer: bool) {
    let on_loom = catch_unwind(AssertUnwindSafe(|| {
        if is_writer { shared.theirs.with_mut(|_| ()) } else { shared.theirs.with(|_| ()) }
    }));
    if on_loom.is_err() {
        shared.is_race_on_loom.store(true, Relaxed);
    }
    if is_writer { shared.ours.with_mut(|_| ()) } else { shared.ours.with(|_| ()) }
}

thread_local! {
    /// Whether loom's messages are left out: other tests have their own.
    static IS_SILENT: Cell<bool> = const { Cell::new(false) };
}

/// loom's cell panics over each race; thousands of messages help nobody. The messages of this file's own assertions go to the
/// failure that libtest prints, so they are let through.
fn silence_loom() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    IS_SILENT.set(true);
    ONCE.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_SILENT.get() || panic.location().is_none_or(|location| location.file() == file!()) {
                hook(panic);
            }
        }));
    });
}

/// How many executions there were, and how many of them raced.
fn compare(threads: &[Vec<Step>]) -> (usize, usize) {
    silence_loom();
    let is_race_on_loom = Arc::new(AtomicBool::new(false));
    let is_race_here = is_race_on_loom.clone();
    let (programs, text) = (threads.to_vec(), format!("{threads:?}"));
    let race_count = Rc::new(Cell::new(0));
    let races = race_count.clone();
    let explored = explore_looking(
        &plain(),
        move || {
            let shared = Arc::new(Shared {
                atomics: [AtomicUsize::new(0), AtomicUsize::new(0)],
                ours: UnsafeCell::new(0),
                theirs: loom::cell::UnsafeCell::new(0),
                is_race_on_loom: is_race_on_loom.clone(),
            });
            let children: Vec<_> = programs[1..]
                .iter()
                .cloned()
                .map(|steps| {
                    let shared = shared.clone();
                    thread::spawn(move || run(&shared, &steps, false))
                })
                .collect();
            run(&shared, &programs[0], true);
            children.into_iter().for_each(|child| child.join().expect("no thread panics"));
            String::new()
        },
        move |recording| {
            let is_race = matches!(recording.ending, Ending::Race(_));
            assert!(
                is_race || matches!(recording.ending, Ending::Complete),
                "{text}: {:?}",
                recording.ending
            );
            let seen_by_loom = is_race_here.swap(false, Relaxed);
            assert_eq!(is_race, seen_by_loom, "{text}: {recording:#?}");
            races.set(races.get() + usize::from(is_race));
        },
    );
    (explored.execution_count, race_count.get())
}

#[test]
fn message_passing_release_sequences_and_fences_agree_with_loom() {
    use Step::*;
    // Writer, readers; whether some execution is ordered in which the reader sees the flag.
    let rows: [(&str, Vec<Vec<Step>>); 7] = [
        ("release, acquire", vec![vec![Cell, Store(0, Release)], vec![Load(0, Acquire), Cell]]),
        ("relaxed, acquire", vec![vec![Cell, Store(0, Relaxed)], vec![Load(0, Acquire), Cell]]),
        ("release, relaxed", vec![vec![Cell, Store(0, Release)], vec![Load(0, Relaxed), Cell]]),
        (
            "through a relaxed swap",
            vec![vec![Cell, Store(0, Release)], vec![Swap(0, Relaxed)], vec![Load(0, Acquire), Cell]],
        ),
        (
            "cut off by a store",
            vec![vec![Cell, Store(0, Release)], vec![Store(0, Relaxed)], vec![Load(0, Acquire), Cell]],
        ),
        ("release fence", vec![vec![Cell, Fence(Release), Store(0, Relaxed)], vec![Load(0, Acquire), Cell]]),
        (
            "both fences",
            vec![vec![Cell, Fence(Release), Store(0, Relaxed)], vec![Load(0, Relaxed), Fence(Acquire), Cell]],
        ),
    ];
    let mut all = String::new();
    for (name, threads) in rows {
        let threads: Vec<Vec<Step>> = threads;
        let (execution_count, race_count) = compare(&threads);
        all += &format!("{name}: {race_count} of {execution_count} race\n");
    }
    expect_test::expect![[r#"
        release, acquire: 3 of 5 race
        relaxed, acquire: 5 of 5 race
        release, relaxed: 5 of 5 race
        through a relaxed swap: 62 of 140 race
        cut off by a store: 78 of 133 race
        release fence: 3 of 5 race
        both fences: 3 of 5 race
    "#]]
    .assert_eq(&all);
}

#[test]
fn generated_programs_agree_with_loom() {
    let mut random = Random(7);
    let (mut executions, mut races) = (0, 0);
    for number in 0..400 {
        let threads: Vec<_> = if number % 4 == 0 {
            (0..3).map(|_| random.thread(2)).collect()
        } else {
            (0..2).map(|_| random.thread(3)).collect()
        };
        let (execution_count, race_count) = compare(&threads);
        executions += execution_count;
        races += race_count;
    }
    assert_eq!((executions, races), (5637, 4499));
}
