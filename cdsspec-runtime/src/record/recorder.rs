//! Fills a recording while the program runs, and computes happens-before.
//!
//! An engine tells the recorder each operation when it runs, with the store that it reads; every engine gets the same clocks.
//! The operations must come in an order that extends sb ∪ rf.
//!
//! # Paper
//! happens-before is sb ∪ sw, closed (C11, 5.1.2.4; C++20 release sequences: a store and the read-modify-writes that chain
//! from it). sw: release store or fence to acquire load or fence; creation and join of threads. Locks, condition variables and
//! park tokens are locations like any other, accessed with acquire and release. Consume is not modelled.

use super::call_recorder::CallStack;
use super::{
    Clock, Location, LocationId, Operation, OperationId, OperationKind, Place, Race, Recording,
    SpecificationError, SpecificationErrorKind, Store, StoreId, Thread, ThreadId, ValueKind,
};
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// Fills a [`Recording`]. One is used again for every execution of a run.
#[derive(Default)]
pub struct Recorder {
    /// In a box, so that it is handed over without being copied.
    pub(super) recording: Box<Recording>,
    /// An empty one, for when that is taken out.
    spare: Option<Box<Recording>>,
    clocks: Vec<ThreadClock>,
    cells: Vec<CellState>,
    pub(super) stacks: Vec<CallStack>,
    pub(super) objects: super::objects::ObjectTable,
}

/// What a thread knows.
#[derive(Default)]
struct ThreadClock {
    /// How many operations it has done.
    position: u32,
    /// What happens before its next operation.
    happens_before: Clock,
    /// `happens_before` at its last release fence.
    release_fence: Clock,
    /// What its relaxed loads have read, for its next acquire fence.
    pending_acquire: Clock,
    last: Option<OperationId>,
}

/// The accesses of a cell that a next one may race with.
#[derive(Default)]
struct CellState {
    write: Option<CellAccess>,
    /// The last read of each thread since that write.
    reads: Vec<CellAccess>,
}

#[derive(Clone, Copy)]
struct CellAccess {
    operation: OperationId,
    thread: ThreadId,
    /// A thread whose clock includes this many operations of `thread` comes after it; `u32::MAX` while it lasts.
    end: u32,
}

fn is_acquire(order: Ordering) -> bool {
    matches!(order, Acquire | AcqRel | SeqCst)
}

fn is_release(order: Ordering) -> bool {
    matches!(order, Release | AcqRel | SeqCst)
}

impl Recorder {
    /// A recorder of an empty execution.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the recording and starts the main thread.
    pub fn begin(&mut self) {
        self.recording.clear();
        self.clocks.clear();
        self.cells.clear();
        self.stacks.clear();
        self.objects.clear();
        self.new_thread(Thread::default());
    }

    /// What was recorded so far.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// What was recorded so far, for the engine to say how it ended and which sc order it has.
    pub fn recording_mut(&mut self) -> &mut Recording {
        &mut self.recording
    }

    /// Takes the recording out, to be looked at when the execution has ended.
    pub fn take_recording(&mut self) -> Box<Recording> {
        std::mem::replace(&mut self.recording, self.spare.take().unwrap_or_default())
    }

    /// Takes a recording back, for the memory of its tables; what it holds is dropped.
    pub fn give_back(&mut self, mut recording: Box<Recording>) {
        recording.clear();
        self.spare = Some(std::mem::replace(&mut self.recording, recording));
        self.stacks.clear();
    }

    /// Notes a mistake in a specification; the first of each kind and place is kept.
    pub fn note_error(&mut self, error: SpecificationError) {
        let is_known = self
            .recording
            .errors
            .iter()
            .any(|known| known.kind == error.kind && known.marker == error.marker);
        if !is_known {
            self.recording.errors.push(error);
        }
    }

    /// A location that the program uses for the first time, with its constructed value.
    pub fn new_location(&mut self, kind: ValueKind, initial: u64) -> LocationId {
        let location = LocationId::new(self.recording.locations.len());
        let store = self.new_store(location, initial, None, Clock::new());
        self.recording.locations.push(Location { kind, initial: store });
        self.cells.push(CellState::default());
        location
    }

    /// The last operation of a thread.
    pub fn last_operation(&self, thread: ThreadId) -> Option<OperationId> {
        self.clocks[thread.index()].last
    }

    /// How many operations a thread has done.
    pub fn position(&self, thread: ThreadId) -> u32 {
        self.clocks[thread.index()].position
    }

    /// What happens before the next operation of a thread.
    pub fn clock(&self, thread: ThreadId) -> &Clock {
        &self.clocks[thread.index()].happens_before
    }

    /// A load, or a compare-exchange that failed, that reads `from`.
    pub fn load(&mut self, thread: ThreadId, place: Place, order: Ordering, from: StoreId) -> OperationId {
        let location = self.recording.store(from).location;
        self.acquire(thread, order, from);
        let operation = self.push(thread, place, OperationKind::Load, Some(order), Some(location));
        self.recording.operations[operation.index()].read = Some(from);
        operation
    }

    /// A plain store.
    pub fn store(
        &mut self,
        thread: ThreadId,
        place: Place,
        order: Ordering,
        location: LocationId,
        value: u64,
    ) -> StoreId {
        let operation = self.push(thread, place, OperationKind::Store, Some(order), Some(location));
        let released = self.released(thread, order);
        let store = self.new_store(location, value, Some(operation), released);
        self.recording.operations[operation.index()].written = Some(store);
        store
    }

    /// A read-modify-write that reads `from` and writes `value` next to it.
    pub fn update(
        &mut self,
        thread: ThreadId,
        place: Place,
        order: Ordering,
        from: StoreId,
        value: u64,
    ) -> StoreId {
        let location = self.recording.store(from).location;
        self.acquire(thread, order, from);
        let operation = self.push(thread, place, OperationKind::Update, Some(order), Some(location));
        let mut released = self.released(thread, order);
        released.join(&self.recording.store(from).released);
        let store = self.new_store(location, value, Some(operation), released);
        let recorded = &mut self.recording.operations[operation.index()];
        recorded.read = Some(from);
        recorded.written = Some(store);
        store
    }

    /// A fence.
    pub fn fence(&mut self, thread: ThreadId, place: Place, order: Ordering) -> OperationId {
        if is_acquire(order) {
            let clock = &mut self.clocks[thread.index()];
            clock.happens_before.join(&clock.pending_acquire);
        }
        let operation = self.push(thread, place, OperationKind::Fence, Some(order), None);
        if is_release(order) {
            let clock = &mut self.clocks[thread.index()];
            clock.release_fence = clock.happens_before.clone();
        }
        operation
    }

    /// The creation of a thread.
    pub fn create(&mut self, parent: ThreadId, place: Place, name: Option<String>) -> ThreadId {
        let child = ThreadId::new(self.recording.threads.len());
        let operation = self.push(parent, place, OperationKind::Create(child), None, None);
        let known = self.clocks[parent.index()].happens_before.clone();
        self.new_thread(Thread { name, created_by: Some(operation) });
        self.clocks[child.index()].happens_before = known;
        child
    }

    /// The join of a thread that has ended.
    pub fn join(&mut self, thread: ThreadId, place: Place, ended: ThreadId) -> OperationId {
        let mut last = self.clocks[ended.index()].happens_before.clone();
        // One more than it did: an access of a cell that lasted to its end is over, too.
        last.include(ended, self.clocks[ended.index()].position + 1);
        self.clocks[thread.index()].happens_before.join(&last);
        self.push(thread, place, OperationKind::Join(ended), None, None)
    }

    /// The beginning of an access of a cell.
    ///
    /// # Errors
    /// The race, if a conflicting access does not happen before this one. The operation is recorded all the same.
    pub fn begin_cell(
        &mut self,
        thread: ThreadId,
        place: Place,
        location: LocationId,
        is_write: bool,
    ) -> Result<OperationId, Race> {
        let kind = if is_write { OperationKind::CellWrite } else { OperationKind::CellRead };
        let operation = self.push(thread, place, kind, None, Some(location));
        let known = &self.clocks[thread.index()].happens_before;
        let cell = &mut self.cells[location.index()];
        let is_before =
            |access: &CellAccess| access.thread == thread || access.end <= known.get(access.thread);
        let reads: &[CellAccess] = if is_write { &cell.reads } else { &[] };
        let rival = cell.write.iter().chain(reads).find(|access| !is_before(access)).copied();
        let access = CellAccess { operation, thread, end: u32::MAX };
        if is_write {
            cell.reads.clear();
            cell.write = Some(access);
        } else {
            cell.reads.retain(|read| read.thread != thread);
            cell.reads.push(access);
        }
        match rival {
            Some(first) => Err(Race { first: first.operation, second: operation }),
            None => Ok(operation),
        }
    }

    /// The end of an access of a cell.
    pub fn end_cell(&mut self, operation: OperationId) {
        let recorded = &self.recording.operations[operation.index()];
        let Some(location) = recorded.location else { return };
        let last = self.clocks[recorded.thread.index()].position;
        // Later operations of the thread are after its end; the access itself is, if nothing else ran meanwhile.
        let end = if last == recorded.position { last } else { last + 1 };
        let cell = &mut self.cells[location.index()];
        for access in cell.write.iter_mut().chain(&mut cell.reads) {
            if access.operation == operation {
                access.end = end;
            }
        }
    }

    fn new_thread(&mut self, thread: Thread) {
        self.recording.threads.push(thread);
        self.clocks.push(ThreadClock::default());
        self.stacks.push(CallStack::default());
    }

    fn new_store(
        &mut self,
        location: LocationId,
        value: u64,
        operation: Option<OperationId>,
        released: Clock,
    ) -> StoreId {
        let id = StoreId::new(self.recording.stores.len());
        self.recording.stores.push(Store { id, location, value, operation, released });
        id
    }

    fn push(
        &mut self,
        thread: ThreadId,
        place: Place,
        kind: OperationKind,
        order: Option<Ordering>,
        location: Option<LocationId>,
    ) -> OperationId {
        if super::place::is_own_source(place.source.file) {
            self.note_error(SpecificationError {
                kind: SpecificationErrorKind::PlaceUnknown { name: place.name },
                marker: place.source,
                thread,
            });
        }
        let id = OperationId::new(self.recording.operations.len());
        let clock = &mut self.clocks[thread.index()];
        clock.position += 1;
        clock.happens_before.include(thread, clock.position);
        clock.last = Some(id);
        self.recording.operations.push(Operation {
            id,
            thread,
            position: clock.position,
            place,
            kind,
            order,
            location,
            read: None,
            written: None,
            clock: clock.happens_before.clone(),
        });
        id
    }

    fn acquire(&mut self, thread: ThreadId, order: Ordering, from: StoreId) {
        let released = &self.recording.stores[from.index()].released;
        let clock = &mut self.clocks[thread.index()];
        clock.pending_acquire.join(released);
        if is_acquire(order) {
            clock.happens_before.join(released);
        }
    }

    fn released(&self, thread: ThreadId, order: Ordering) -> Clock {
        let clock = &self.clocks[thread.index()];
        if is_release(order) { clock.happens_before.clone() } else { clock.release_fence.clone() }
    }
}
