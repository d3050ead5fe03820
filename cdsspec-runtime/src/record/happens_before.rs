//! happens-before, computed from operations in the order in which they ran: what the recorder does for engines that have no clocks, and the
//! twin of those that have.
//!
//! # Paper
//! happens-before is sb ∪ sw, closed (C11, 5.1.2.4; C++20 release sequences: a store and the read-modify-writes that chain
//! from it). sw: release store or fence to acquire load or fence; creation and join of threads. Locks, condition variables and
//! park tokens are locations like any other, accessed with acquire and release. Consume is not modelled.

use super::{Clock, Done, Known, OperationKind, StoreId, ThreadId};
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// What the threads of an execution know.
#[derive(Default)]
pub(super) struct HappensBefore {
    /// By thread, as far as one was seen.
    threads: Vec<Knowledge>,
    /// By store, as far as one was seen: what an acquiring reader learns.
    released: Vec<Clock>,
}

/// What a thread knows.
#[derive(Default)]
struct Knowledge {
    /// How many operations it has done.
    position: u32,
    /// What happens before its next operation.
    happens_before: Clock,
    /// `happens_before` at its last release fence.
    release_fence: Clock,
    /// What its relaxed loads have read, for its next acquire fence.
    pending_acquire: Clock,
}

fn is_acquire(order: Ordering) -> bool {
    matches!(order, Acquire | AcqRel | SeqCst)
}

fn is_release(order: Ordering) -> bool {
    matches!(order, Release | AcqRel | SeqCst)
}

impl HappensBefore {
    /// Forgets the execution.
    pub(super) fn clear(&mut self) {
        self.threads.clear();
        self.released.clear();
    }

    /// The next operation; `written` is the store that it makes. Where it stands.
    pub(super) fn follow(&mut self, done: &Done, written: Option<StoreId>) -> Known {
        self.acquire(done);
        let thread = self.thread(done.thread);
        thread.position += 1;
        thread.happens_before.include(done.thread, thread.position);
        if let (OperationKind::Fence, true) = (done.kind, done.order.is_some_and(is_release)) {
            thread.release_fence = thread.happens_before.clone();
        }
        let known = Known { position: thread.position, clock: thread.happens_before.clone() };
        if let OperationKind::Create(child) = done.kind {
            self.thread(child).happens_before = known.clock.clone();
        }
        if let Some(store) = written {
            self.release(done, store);
        }
        known
    }

    fn thread(&mut self, thread: ThreadId) -> &mut Knowledge {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Knowledge::default);
        }
        &mut self.threads[thread.index()]
    }

    /// What its thread learns by an operation.
    fn acquire(&mut self, done: &Done) {
        let acquires = done.order.is_some_and(is_acquire);
        if let Some(released) = done.read.and_then(|store| self.released.get(store.index())).cloned() {
            let thread = self.thread(done.thread);
            thread.pending_acquire.join(&released);
            if acquires {
                thread.happens_before.join(&released);
            }
        }
        match done.kind {
            OperationKind::Fence if acquires => {
                let thread = self.thread(done.thread);
                thread.happens_before.join(&thread.pending_acquire);
            }
            OperationKind::Join(ended) => {
                let Knowledge { position, happens_before, .. } = self.thread(ended);
                let mut last = happens_before.clone();
                // One more than it did: an access of a cell that lasted to its end is over, too.
                last.include(ended, *position + 1);
                self.thread(done.thread).happens_before.join(&last);
            }
            _ => {}
        }
    }

    /// What a store releases: a read-modify-write goes on with the release sequence.
    fn release(&mut self, done: &Done, store: StoreId) {
        let read = done.read.and_then(|read| self.released.get(read.index())).cloned();
        let thread = self.thread(done.thread);
        let releases = done.order.is_some_and(is_release);
        let known = if releases { &thread.happens_before } else { &thread.release_fence };
        let mut released = known.clone();
        if let Some(read) = read {
            released.join(&read);
        }
        if self.released.len() <= store.index() {
            self.released.resize(store.index() + 1, Clock::new());
        }
        self.released[store.index()] = released;
    }
}

/// Panics where the clocks of a recording are not those that its operations make.
#[cfg(all(feature = "checks-graphs", debug_assertions))]
pub(crate) fn assert_computed(recording: &super::Recording) {
    let mut twin = HappensBefore::default();
    // The positions of the engine need not be dense: how many operations of each thread a clock includes is compared.
    let mut positions = vec![Vec::new(); recording.threads.len()];
    for operation in &recording.operations {
        positions[operation.thread.index()].push(operation.position);
    }
    for operation in &recording.operations {
        let known = twin.follow(&operation.done(), operation.written);
        for thread in recording.thread_ids() {
            let done = &positions[thread.index()];
            let included = done.partition_point(|position| *position <= operation.clock.get(thread));
            let expected = (known.clock.get(thread) as usize).min(done.len());
            assert_eq!(
                included, expected,
                "cdsspec bug: what happens before {}, of {thread:?}",
                operation.place
            );
        }
    }
}
