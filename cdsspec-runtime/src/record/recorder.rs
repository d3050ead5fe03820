//! Fills a recording while the program runs.
//!
//! An engine tells the recorder each operation when it runs, with the store that it reads. One that has clocks of its own says what happens before
//! it, too ([`Recorder::record`]); for others the recorder computes it ([`happens_before`](super::happens_before)).
//! The operations must come in an order that extends sb ∪ rf.

use super::call_recorder::CallStack;
use super::cells::Cells;
use super::happens_before::HappensBefore;
use super::{
    Done, Known, Location, LocationId, Operation, OperationId, OperationKind, Place, Race, Recording,
    SpecificationError, SpecificationErrorKind, Store, StoreId, Thread, ThreadId, ValueKind,
};
use std::sync::atomic::Ordering;

/// Fills a [`Recording`]. One is used again for every execution of a run.
#[derive(Default)]
pub struct Recorder {
    /// In a box, so that it is handed over without being copied.
    pub(super) recording: Box<Recording>,
    /// An empty one, for when that is taken out.
    spare: Option<Box<Recording>>,
    /// The last operation of each thread.
    last: Vec<Option<OperationId>>,
    /// Of engines that have no clocks.
    happens_before: HappensBefore,
    cells: Cells,
    pub(super) stacks: Vec<CallStack>,
    pub(super) objects: super::objects::ObjectTable,
}

impl Recorder {
    /// A recorder of an empty execution.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the recording and starts the main thread.
    pub fn begin(&mut self) {
        self.recording.clear();
        self.last.clear();
        self.happens_before.clear();
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
        let store = self.new_store(location, initial, None);
        self.recording.locations.push(Location { kind, initial: store });
        location
    }

    /// The last operation of a thread.
    pub fn last_operation(&self, thread: ThreadId) -> Option<OperationId> {
        self.last[thread.index()]
    }

    /// The position of the last operation of a thread, from 1; 0 if it has done none.
    pub fn position(&self, thread: ThreadId) -> u32 {
        self.last_operation(thread).map_or(0, |last| self.recording.operation(last).position)
    }

    /// An operation, by an engine that knows what happens before it.
    pub fn record(&mut self, done: Done, known: Known) -> OperationId {
        let Done { thread, place, kind, order, location, read, written } = done;
        self.note_place(&place, thread);
        let id = OperationId::new(self.recording.operations.len());
        self.last[thread.index()] = Some(id);
        let written = written.map(|value| {
            let location = location.expect("cdsspec bug: a store has a location");
            self.new_store(location, value, Some(id))
        });
        let Known { position, clock } = known;
        self.recording.operations.push(Operation {
            id,
            thread,
            position,
            place,
            kind,
            order,
            location,
            read,
            written,
            clock,
        });
        if let OperationKind::Create(_) = kind {
            self.new_thread(Thread { name: None, created_by: Some(id) });
        }
        id
    }

    /// An operation, by an engine that does not.
    fn follow(&mut self, done: Done) -> OperationId {
        let written = done.written.map(|_| StoreId::new(self.recording.stores.len()));
        let known = self.happens_before.follow(&done, written);
        self.record(done, known)
    }

    /// A load, or a compare-exchange that failed, that reads `from`.
    pub fn load(&mut self, thread: ThreadId, place: Place, order: Ordering, from: StoreId) -> OperationId {
        let location = Some(self.recording.store(from).location);
        let done = Done::new(thread, place, OperationKind::Load);
        self.follow(Done { order: Some(order), location, read: Some(from), ..done })
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
        let done = Done::new(thread, place, OperationKind::Store);
        let written = Some(value);
        let operation = self.follow(Done { order: Some(order), location: Some(location), written, ..done });
        self.written(operation)
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
        let location = Some(self.recording.store(from).location);
        let done = Done::new(thread, place, OperationKind::Update);
        let (order, read, written) = (Some(order), Some(from), Some(value));
        let operation = self.follow(Done { order, location, read, written, ..done });
        self.written(operation)
    }

    /// A fence.
    pub fn fence(&mut self, thread: ThreadId, place: Place, order: Ordering) -> OperationId {
        self.follow(Done { order: Some(order), ..Done::new(thread, place, OperationKind::Fence) })
    }

    /// The creation of a thread.
    pub fn create(&mut self, parent: ThreadId, place: Place, name: Option<String>) -> ThreadId {
        let child = ThreadId::new(self.recording.threads.len());
        self.follow(Done::new(parent, place, OperationKind::Create(child)));
        self.recording.threads[child.index()].name = name;
        child
    }

    /// The join of a thread that has ended.
    pub fn join(&mut self, thread: ThreadId, place: Place, ended: ThreadId) -> OperationId {
        self.follow(Done::new(thread, place, OperationKind::Join(ended)))
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
        let kind = OperationKind::of_cell(is_write);
        let operation = self.follow(Done { location: Some(location), ..Done::new(thread, place, kind) });
        let known = &self.recording.operation(operation).clock;
        match self.cells.begin(location, (operation, thread), is_write, known) {
            Some(first) => Err(Race { first, second: operation }),
            None => Ok(operation),
        }
    }

    /// The end of an access of a cell.
    pub fn end_cell(&mut self, operation: OperationId) {
        let recorded = self.recording.operation(operation);
        let Some(location) = recorded.location else { return };
        let last = self.position(recorded.thread);
        // Later operations of the thread are after its end; the access itself is, if nothing else ran meanwhile.
        let end = if last == recorded.position { last } else { last + 1 };
        self.cells.end(location, operation, end);
    }

    fn new_thread(&mut self, thread: Thread) {
        self.recording.threads.push(thread);
        self.last.push(None);
        self.stacks.push(CallStack::default());
    }

    fn new_store(&mut self, location: LocationId, value: u64, operation: Option<OperationId>) -> StoreId {
        let id = StoreId::new(self.recording.stores.len());
        self.recording.stores.push(Store { id, location, value, operation });
        id
    }

    fn written(&self, operation: OperationId) -> StoreId {
        self.recording.operation(operation).written.expect("cdsspec bug: what writes makes a store")
    }

    /// A place in our own sources is a mistake: an operation was passed as a function pointer.
    fn note_place(&mut self, place: &Place, thread: ThreadId) {
        if super::place::is_own_source(place.source.file) {
            let kind = SpecificationErrorKind::PlaceUnknown { name: place.name };
            self.note_error(SpecificationError { kind, marker: place.source, thread });
        }
    }
}
