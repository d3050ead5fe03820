//! The runs of all OS threads, for those that run no program.

use super::census::{FirstOutsideUse, OutsideUse};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// A run, as other OS threads see it.
#[derive(Debug, Default)]
pub(super) struct Running {
    /// The number of the execution that it is at.
    pub(super) number: AtomicU64,
    /// What an OS thread that is not of its program did to an object of it, first.
    pub(super) outside_use: FirstOutsideUse,
}

static RUNS: Mutex<Vec<Arc<Running>>> = Mutex::new(Vec::new());

/// How many there are, to be asked without the lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The number of the next execution.
static NEXT: AtomicU64 = AtomicU64::new(1);

fn runs<R>(f: impl FnOnce(&mut Vec<Arc<Running>>) -> R) -> R {
    let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
    let result = f(&mut runs);
    COUNT.store(runs.len(), Relaxed);
    result
}

/// A run begins.
pub(super) fn add() -> Arc<Running> {
    let running = Arc::new(Running::default());
    runs(|runs| runs.push(running.clone()));
    running
}

/// It is over.
pub(super) fn remove(running: &Arc<Running>) {
    runs(|runs| runs.retain(|known| !Arc::ptr_eq(known, running)));
}

/// Whether there is any run.
pub(super) fn is_any() -> bool {
    COUNT.load(Relaxed) > 0
}

/// The number of an execution that begins.
pub(super) fn take_number() -> u64 {
    NEXT.fetch_add(1, Relaxed)
}

/// Executions with a lower number have begun.
pub(super) fn next_number() -> u64 {
    NEXT.load(Relaxed)
}

/// Whether the execution with this number is not over.
pub(crate) fn is_running(number: u64) -> bool {
    runs(|runs| runs.iter().any(|run| run.number.load(Relaxed) == number))
}

/// The last uses of objects that no execution knew, by address: an execution may come to know them.
static MARKED: Mutex<Vec<(usize, OutsideUse)>> = Mutex::new(Vec::new());

/// So many are kept.
const MARKED_MAX: usize = 64;

/// An object at this address, which no execution knows, is used.
pub(super) fn mark(address: usize, outside: OutsideUse) {
    let mut marked = MARKED.lock().unwrap_or_else(PoisonError::into_inner);
    marked.retain(|(known, _)| *known != address);
    if marked.len() == MARKED_MAX {
        marked.remove(0);
    }
    marked.push((address, outside));
}

/// The object at this address, which was marked, is one of this execution's.
pub(super) fn note_marked_use(number: u64, address: usize) {
    let marked = MARKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, outside)) = marked.iter().find(|(known, _)| *known == address) {
        note_outside_use(number, *outside);
    }
}

/// Tells the run that is at this execution, if it is not over, of the use of an object of it.
pub(super) fn note_outside_use(number: u64, outside: OutsideUse) {
    runs(|runs| {
        if let Some(run) = runs.iter().find(|run| run.number.load(Relaxed) == number) {
            let _ = run.outside_use.set(outside);
        }
    });
}
