//! What the engine knows of the running execution beside loom.

use crate::port::Body;
use crate::record::{Ending, LocationId, Panic, Place, StoreId, ThreadId, WaitReason};
use std::any::Any;
use std::sync::Arc;

/// How many threads loom can run, the main thread included.
pub(super) const THREADS_MAX: usize = loom::MAX_THREADS;

/// A thread of the running execution.
#[derive(Default)]
pub(super) struct ThreadState {
    /// What it waits for, and where.
    pub(super) waiting: Option<(Place, WaitFor)>,
    /// Whether it waits until a timeout at most.
    pub(super) is_timed: bool,
    /// Whether its wait ended by a timeout.
    pub(super) has_timed_out: bool,
    pub(super) is_finished: bool,
    /// Whether, the execution having been cut, it has shown loom its next operation.
    pub(super) has_shown_last: bool,
    pub(super) panic: Option<PanicState>,
    /// Whether the program has seen, or is about to, that it panics.
    pub(super) is_panic_taken: bool,
    pub(super) round: Round,
    /// What it is to run.
    pub(super) body: Option<Arc<dyn Body>>,
    /// To unpark it.
    pub(super) handle: Option<loom::thread::Thread>,
    /// To join it.
    pub(super) join: Option<loom::thread::JoinHandle<()>>,
}

/// Where a thread is in a loop that spins.
#[derive(Default)]
pub(super) struct Round {
    /// How many stores there were at its last yield; `None` before the first.
    pub(super) stores_at_yield: Option<u64>,
    /// How many rounds on end it has read only the newest stores, and nobody wrote.
    pub(super) idle_count: usize,
    /// Whether it has read a store that was not the newest since then.
    pub(super) is_stale: bool,
    /// Where it spins, once it has for long enough.
    pub(super) spinning_at: Option<Place>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitFor {
    Store(LocationId),
    End(ThreadId),
}

impl WaitFor {
    fn reason(self) -> (WaitReason, Option<LocationId>) {
        match self {
            Self::Store(location) => (WaitReason::Blocking, Some(location)),
            Self::End(thread) => (WaitReason::Join(thread), None),
        }
    }
}

/// A panic of a thread.
pub(super) struct PanicState {
    pub(super) panic: Panic,
    /// For the one who joins.
    pub(super) payload: Option<Box<dyn Any + Send>>,
    pub(super) is_joined: bool,
    /// Panics are numbered in the order in which they happened.
    pub(super) number: usize,
}

/// A location of the running execution.
pub(super) struct LocationState {
    /// Its loom atomic, from its first atomic operation on.
    pub(super) atomic: Option<usize>,
    /// The indices of its stores that loom's atomic may hold, oldest first; 0 is the initial value.
    pub(super) indices: Vec<usize>,
    /// The store that index 0 stands for.
    pub(super) initial: StoreId,
    pub(super) newest_value: u64,
}

/// Everything about the running execution.
#[derive(Default)]
pub(super) struct LoomState {
    pub(super) threads: Vec<ThreadState>,
    pub(super) locations: Vec<LocationState>,
    /// The store that each index stands for; index 0 is each location's initial store.
    pub(super) stores: Vec<Option<StoreId>>,
    pub(super) atomics_used: usize,
    /// Counts stores, ends of threads and everything else that may wake a spinning thread.
    pub(super) change_count: u64,
    pub(super) branch_count: usize,
    pub(super) panic_count: usize,
    /// Why the execution was cut, if it was.
    pub(super) cut: Option<Ending>,
}

impl LoomState {
    pub(super) fn clear(&mut self) {
        self.threads.clear();
        self.threads.push(ThreadState::default());
        self.locations.clear();
        self.stores.clear();
        self.stores.push(None);
        self.atomics_used = 0;
        self.change_count = 0;
        self.branch_count = 0;
        self.panic_count = 0;
        self.cut = None;
    }

    /// The threads that have not ended all wait for each other or spin: nobody can go on. Where they are, or `None`.
    pub(super) fn blocked(&self) -> Option<Vec<crate::record::WaitingThread>> {
        let mut waiting = Vec::new();
        for (index, thread) in self.threads.iter().enumerate().filter(|(_, thread)| !thread.is_finished) {
            let (place, (reason, location)) = match (&thread.waiting, &thread.round) {
                (Some((place, wait)), _) => (*place, wait.reason()),
                (None, Round { spinning_at: Some(place), stores_at_yield: Some(count), .. })
                    if *count == self.change_count =>
                {
                    (*place, (WaitReason::Spinning, None))
                }
                _ => return None,
            };
            let thread = ThreadId::new(index);
            waiting.push(crate::record::WaitingThread { thread, place, reason, location });
        }
        (!waiting.is_empty()).then_some(waiting)
    }
}
