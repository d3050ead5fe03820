//! Generated programs.

use crate::handle_counts::counted_limits;
use cdsspec::cell::UnsafeCell;
use cdsspec::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use cdsspec::sync::atomic::{AtomicUsize, fence};
use cdsspec::sync::{Arc, Weak};
use cdsspec::thread::{JoinHandle, spawn};
use cdsspec_litmus::explore::plain_limits;
use cdsspec_litmus::random::Random;
use cdsspec_runtime::engine::graph::GraphEngine;
use cdsspec_runtime::engine::{Engine, Exploration, Limits, Visitor};
use cdsspec_runtime::record::{Ending, Recording};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

const THREADS: usize = 3;
const WORDS: usize = 2;
const SEED: u64 = 0xA5C;
const PROGRAMS: usize = 600;
const EXECUTIONS_MAX: u64 = 300;

/// What a thread does. A step about a handle that it does not have is left out.
#[derive(Clone, Copy, Debug)]
enum Step {
    Clone,
    Drop,
    Use,
    Count,
    WeakCount,
    Upgrade,
    Downgrade,
    CloneWeak,
    DropWeak,
    CountWeak,
    GetMut,
    Unwrap,
    Load(usize, Ordering),
    Store(usize, Ordering),
    Add(usize, Ordering),
    Fence(Ordering),
    /// Joins the other thread with this number; only the main thread does.
    Join(usize),
}

/// A main thread, number 0, that starts others.
#[derive(Clone, Debug)]
struct Program {
    /// The steps of the main thread before it starts others.
    before: Vec<Step>,
    /// The steps after that. A thread without any is not started.
    threads: [Vec<Step>; THREADS],
    /// Whether the main thread still has its handles then.
    keeps: bool,
}

/// What is shared: its destruction shows.
struct Value {
    words: std::sync::Arc<[AtomicUsize; WORDS]>,
    cell: UnsafeCell<u32>,
    log: &'static Log,
}

// SAFETY: an engine that sees a race ends the execution.
unsafe impl Sync for Value {}

type Log = Mutex<Vec<(usize, String)>>;

impl Drop for Value {
    fn drop(&mut self) {
        // SAFETY: as above.
        self.cell.with_mut(|cell| unsafe { *cell += 1 });
        let seen = self.words[1].load(Relaxed);
        self.words[0].store(7, Relaxed);
        note(self.log, THREADS, format!("destroyed, seeing {seen}"));
    }
}

fn note(log: &Log, thread: usize, text: String) {
    log.lock().unwrap_or_else(PoisonError::into_inner).push((thread, text));
}

struct Runner {
    thread: usize,
    handles: Vec<Arc<Value>>,
    weak: Weak<Value>,
    words: std::sync::Arc<[AtomicUsize; WORDS]>,
    others: Vec<Option<JoinHandle<()>>>,
    log: &'static Log,
}

impl Runner {
    fn note(&self, text: String) {
        note(self.log, self.thread, text);
    }

    fn run(&mut self, steps: &[Step]) {
        for &step in steps {
            match step {
                Step::Load(word, order) => {
                    let seen = self.words[word].load(order);
                    self.note(format!("saw {seen}"));
                }
                Step::Store(word, order) => self.words[word].store(self.thread + 1, order),
                Step::Add(word, order) => {
                    let seen = self.words[word].fetch_add(10, order);
                    self.note(format!("saw {seen}"));
                }
                Step::Fence(order) => fence(order),
                Step::Join(other) => {
                    drop(self.others.get_mut(other).and_then(Option::take).map(JoinHandle::join))
                }
                Step::WeakCount => self.note(format!("{} handles", self.weak.strong_count())),
                Step::CloneWeak => self.weak = self.weak.clone(),
                Step::DropWeak => self.weak = Weak::new(),
                Step::Upgrade => {
                    let handle = self.weak.upgrade();
                    self.note(format!("upgraded: {}", handle.is_some()));
                    self.handles.extend(handle);
                }
                _ => self.run_with_handle(step),
            }
        }
    }

    fn run_with_handle(&mut self, step: Step) {
        let Some(mut handle) = self.handles.pop() else { return };
        match step {
            Step::Clone => self.handles.push(handle.clone()),
            Step::Drop => return drop(handle),
            // SAFETY: an engine that sees a race ends the execution.
            Step::Use => drop(handle.cell.with(|cell| unsafe { *cell })),
            Step::Downgrade => self.weak = Arc::downgrade(&handle),
            Step::CountWeak => self.note(format!("{} weak handles", Arc::weak_count(&handle))),
            Step::Count => self.note(format!("{} handles", Arc::strong_count(&handle))),
            Step::GetMut => self.note(format!("sole: {}", Arc::get_mut(&mut handle).is_some())),
            Step::Unwrap => match Arc::try_unwrap(handle) {
                Ok(value) => return self.note(format!("unwrapped {}", value.words[0].load(Relaxed))),
                Err(back) => {
                    self.note("not unwrapped".to_owned());
                    handle = back;
                }
            },
            _ => {}
        }
        self.handles.push(handle);
    }
}

fn run_program(program: &Program, log: &'static Log) {
    let words: std::sync::Arc<[AtomicUsize; WORDS]> = std::sync::Arc::default();
    let value = Value { words: words.clone(), cell: UnsafeCell::new(0), log };
    let handle = Arc::new(value);
    let weak = Arc::downgrade(&handle);
    let runner = |thread, handles, weak| Runner {
        thread,
        handles,
        weak,
        words: words.clone(),
        others: Vec::new(),
        log,
    };
    let mut main = runner(0, vec![handle], weak.clone());
    main.run(&program.before);
    for thread in 1..THREADS {
        if program.threads[thread].is_empty() {
            continue;
        }
        let mut other = runner(thread, main.handles.first().cloned().into_iter().collect(), weak.clone());
        let steps = program.threads[thread].clone();
        main.others.push(Some(spawn(move || other.run(&steps))));
    }
    drop(weak);
    if !program.keeps {
        main.handles.clear();
    }
    main.run(&program.threads[0]);
}

fn step(random: &mut Random) -> Step {
    let word = random.below(WORDS);
    match random.below(20) {
        0..3 => Step::Clone,
        3..6 => Step::Drop,
        6 => Step::Use,
        7 => random.pick(&[Step::Count, Step::Upgrade, Step::GetMut, Step::Unwrap, Step::CountWeak]),
        8..11 => Step::Load(word, random.pick(&[Relaxed, Acquire, Relaxed, SeqCst])),
        11..14 => Step::Store(word, random.pick(&[Relaxed, Release, Relaxed, SeqCst])),
        14 => Step::Add(word, random.pick(&[Relaxed, Release, AcqRel])),
        15..17 => Step::Fence(random.pick(&[Acquire, Release, SeqCst])),
        17 => random.pick(&[Step::Downgrade, Step::CloneWeak, Step::DropWeak]),
        _ => Step::Join(random.below(2)),
    }
}

fn steps(random: &mut Random, max: usize) -> Vec<Step> {
    (0..random.below(max + 1)).map(|_| step(random)).collect()
}

fn generate(random: &mut Random) -> Program {
    let before = steps(random, 1);
    let mut threads = [(); THREADS].map(|()| steps(random, 4));
    if random.below(3) > 0 {
        threads[0].extend([Step::Join(0), Step::Join(1)]);
        let looks =
            [Step::Upgrade, Step::WeakCount, Step::Count, Step::GetMut, Step::Unwrap, Step::CountWeak];
        let count = random.below(3);
        threads[0].extend((0..count).map(|_| random.pick(&looks)));
    }
    Program { before, threads, keeps: random.below(4) > 0 }
}

/// What the executions of a program come to, and how many there are.
struct Collector {
    log: &'static Log,
    seen: BTreeSet<String>,
    executions: u64,
    restarts: u64,
}

impl Visitor for Collector {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        let mut log = std::mem::take(&mut *self.log.lock().unwrap_or_else(PoisonError::into_inner));
        log.sort_by_key(|(thread, _)| *thread);
        if matches!(recording.ending, Ending::ByProduct { .. }) {
            return ControlFlow::Continue(());
        }
        self.executions += 1;
        let seen = match &recording.ending {
            Ending::Complete => format!("{log:?}"),
            Ending::Race(_) => "race".to_owned(),
            other => format!("{other:?}"),
        };
        self.seen.insert(seen);
        ControlFlow::Continue(())
    }

    fn needs_operations(&self) -> bool {
        false
    }

    fn restart(&mut self) {
        self.seen.clear();
        self.executions = 0;
        self.restarts += 1;
    }
}

/// `None`: there are too many.
fn collect(program: &Program, limits: &Limits) -> Option<Collector> {
    let log: &'static Log = Box::leak(Box::default());
    let collector = Collector { log, seen: BTreeSet::new(), executions: 0, restarts: 0 };
    let collector = Rc::new(RefCell::new(collector));
    let program = program.clone();
    let program = move || {
        log.lock().unwrap_or_else(PoisonError::into_inner).clear();
        run_program(&program, log);
    };
    let end = GraphEngine::new().explore(std::sync::Arc::new(program), limits, collector.clone());
    let collector = Rc::try_unwrap(collector).ok().expect("the engine keeps no visitor").into_inner();
    (end == Exploration::Complete).then_some(collector)
}

#[test]
fn counts_without_operations_show_what_those_with_operations_do() {
    let mut random = Random::new(SEED);
    let (mut quiet_count, mut restarted_count, mut large_count, mut saved) = (0, 0, 0, [0, 0]);
    for index in 0..PROGRAMS {
        let program = generate(&mut random);
        let mut limits = counted_limits();
        limits.executions_max = Some(EXECUTIONS_MAX);
        let Some(counted) = collect(&program, &limits) else {
            large_count += 1;
            continue;
        };
        let quiet = collect(&program, &plain_limits()).expect("there is no limit");
        assert_eq!(counted.restarts, 0);
        let [missed, added] = [counted.seen.difference(&quiet.seen), quiet.seen.difference(&counted.seen)]
            .map(|difference| difference.collect::<Vec<_>>());
        assert!(
            missed.is_empty() && added.is_empty(),
            "{index}: {program:#?}\nmissed {missed:#?}\nadded {added:#?}"
        );
        if quiet.restarts == 0 {
            quiet_count += 1;
            saved[0] += counted.executions;
            saved[1] += quiet.executions;
        } else {
            restarted_count += 1;
            assert_eq!(quiet.executions, counted.executions, "{program:#?}");
        }
    }
    // Programs without operations, with them, too large; executions of the first kind with and without.
    assert_eq!((quiet_count, restarted_count, large_count, saved), (184, 269, 147, [5484, 258]));
}
