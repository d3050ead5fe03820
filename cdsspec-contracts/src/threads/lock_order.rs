//! In which order locks are taken.
//!
//! A thread that takes a lock while it holds another one goes from that to this. A circle of such steps, each by another thread, and none under a lock that
//! another one of them is under as well, is told, though nobody waits for ever in this run: another run may. It is told before the lock is waited for, so
//! also where this run does.
//!
//! That two threads never run at the same time, since one is joined before the other begins, is not known here: a circle is a note, and no violation.
//!
//! # Paper
//! CSV, section VII: deadlocks are future work there. Circles of acquisitions with the locks around them: Havelund, *Using runtime analysis to guide model
//! checking of Java programs*, SPIN 2000 (the Goodlock algorithm).

use super::mode::is_on;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// So many steps between two locks are kept: they differ in their thread, or in what else it holds.
const STEPS_MAX: usize = 8;

/// So many steps are tried to close a circle: of many locks that are taken in many orders some circles may not be found.
const SEARCHES_MAX: u32 = 10_000;

type Place = &'static Location<'static>;

/// Which lock a lock is: numbered when it is first taken. Its steps are forgotten with it.
#[derive(Default)]
pub(crate) struct LockNumber(AtomicU64);

/// A lock that a thread holds.
#[derive(Clone, Copy)]
struct Held {
    lock: u64,
    place: Place,
}

/// From a lock that is held to one that is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockStep {
    /// Where the first was taken.
    pub held: Place,
    /// Where the second is.
    pub taken: Place,
    thread: u64,
    /// What else is held.
    around: BTreeSet<u64>,
}

/// Locks that are taken in a circle: the one that a step takes is the one that the next step holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockCircle {
    /// At least two.
    pub steps: Vec<LockStep>,
}

impl fmt::Display for LockCircle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cdsspec: locks are taken in a circle: threads that do this at once wait for each other for ever"
        )?;
        for LockStep { held, taken, .. } in &self.steps {
            write!(f, "\n  held since {held}, and then another taken at {taken}")?;
        }
        Ok(())
    }
}

type Handler = Arc<dyn Fn(&LockCircle) + Send + Sync>;

static HANDLER: RwLock<Option<Handler>> = RwLock::new(None);

/// From here on `handler` is told of circles of locks, each once, in place of standard error.
pub fn set_lock_order_handler(handler: impl Fn(&LockCircle) + Send + Sync + 'static) {
    *HANDLER.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(handler));
}

/// Steps by the lock that is held, then by the one that is taken; and the circles that were told, by their locks.
struct Graph {
    /// The locks of all steps.
    locks: BTreeSet<u64>,
    steps: BTreeMap<u64, BTreeMap<u64, Vec<LockStep>>>,
    told: BTreeSet<BTreeSet<u64>>,
}

static GRAPH: Mutex<Graph> =
    Mutex::new(Graph { locks: BTreeSet::new(), steps: BTreeMap::new(), told: BTreeSet::new() });

thread_local! {
    static HELD: RefCell<Vec<Held>> = const { RefCell::new(Vec::new()) };
    static THREAD: Cell<u64> = const { Cell::new(0) };
}

fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Relaxed)
}

fn running_thread() -> u64 {
    if THREAD.get() == 0 {
        THREAD.set(next_number());
    }
    THREAD.get()
}

impl LockNumber {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    fn get(&self) -> u64 {
        match self.0.load(Relaxed) {
            0 => {
                let number = next_number();
                self.0.compare_exchange(0, number, Relaxed, Relaxed).map_or_else(|other| other, |_| number)
            }
            number => number,
        }
    }

    /// The running thread is about to wait for the lock.
    pub(crate) fn await_it(&self, place: Place) {
        let held = HELD.try_with(|held| held.borrow().clone()).unwrap_or_default();
        if held.is_empty() || !is_on() {
            return;
        }
        let lock = self.get();
        let mut circles = Vec::new();
        {
            let mut graph = GRAPH.lock().unwrap_or_else(PoisonError::into_inner);
            for Held { lock: from, place: since } in held.iter().filter(|held| held.lock != lock) {
                let around = held.iter().map(|held| held.lock).filter(|other| other != from).collect();
                let step = LockStep { held: since, taken: place, thread: running_thread(), around };
                circles.extend(graph.add(*from, lock, step));
            }
        }
        circles.iter().for_each(tell);
    }

    /// The running thread has the lock.
    pub(crate) fn hold(&self, place: Place) {
        if is_on() {
            let lock = self.get();
            let _ = HELD.try_with(|held| held.borrow_mut().push(Held { lock, place }));
        }
    }

    /// It has it no longer.
    pub(crate) fn leave(&self) {
        let lock = self.0.load(Relaxed);
        let _ = HELD.try_with(|held| {
            let mut held = held.borrow_mut();
            if let Some(last) = held.iter().rposition(|held| held.lock == lock) {
                held.remove(last);
            }
        });
    }
}

impl Drop for LockNumber {
    fn drop(&mut self) {
        let lock = *self.0.get_mut();
        if lock != 0 {
            GRAPH.lock().unwrap_or_else(PoisonError::into_inner).forget(lock);
        }
    }
}

fn tell(circle: &LockCircle) {
    let handler = HANDLER.read().unwrap_or_else(PoisonError::into_inner).clone();
    match handler {
        Some(handler) => handler(circle),
        None => eprintln!("{circle}"),
    }
}

impl Graph {
    /// Adds a step; a circle that it closes, if it was not told.
    fn add(&mut self, from: u64, to: u64, step: LockStep) -> Option<LockCircle> {
        let known = self.steps.entry(from).or_default().entry(to).or_default();
        let is_alike = |known: &LockStep| known.thread == step.thread && known.around == step.around;
        if known.len() >= STEPS_MAX || known.iter().any(is_alike) {
            return None;
        }
        known.push(step.clone());
        self.locks.extend([from, to]);
        let (mut path, mut locks) = (vec![step], vec![from, to]);
        if !self.closes(&mut path, &mut locks, &mut { SEARCHES_MAX }) {
            return None;
        }
        let is_new = self.told.insert(locks.into_iter().collect());
        is_new.then_some(LockCircle { steps: path })
    }

    /// Whether steps that can be taken at once lead from the last lock to the first: they are put behind the path.
    fn closes(&self, path: &mut Vec<LockStep>, locks: &mut Vec<u64>, searches_left: &mut u32) -> bool {
        let Some(nexts) = locks.last().and_then(|last| self.steps.get(last)) else { return false };
        for (&next, steps) in nexts {
            let is_end = next == locks[0];
            if !is_end && locks.contains(&next) {
                continue;
            }
            for step in steps {
                if *searches_left == 0 || !path.iter().all(|other| is_possible_beside(step, other)) {
                    continue;
                }
                *searches_left -= 1;
                path.push(step.clone());
                locks.push(next);
                if is_end || self.closes(path, locks, searches_left) {
                    return true;
                }
                path.pop();
                locks.pop();
            }
        }
        false
    }

    fn forget(&mut self, lock: u64) {
        if !self.locks.remove(&lock) {
            return;
        }
        self.steps.remove(&lock);
        self.steps.retain(|_, to| {
            to.remove(&lock);
            !to.is_empty()
        });
        self.told.retain(|locks| !locks.contains(&lock));
    }
}

/// Whether two threads may take these steps at once: they are two, and no lock keeps one of them out.
fn is_possible_beside(first: &LockStep, second: &LockStep) -> bool {
    first.thread != second.thread && first.around.is_disjoint(&second.around)
}
