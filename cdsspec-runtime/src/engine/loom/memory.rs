//! What the heap shows, by the clocks of the recording.

use crate::engine::MemoryClasses;
use crate::heap::{Happened, Heap, Use};
use crate::record::{LocationId, Operation, OperationId, Recording, ThreadId};
use crate::run::fault::{self, Numbered};

/// Notes what is wrong with the memory of an execution that has ended.
pub(super) fn note_faults(
    heap: &Heap,
    recording: &mut Recording,
    classes: MemoryClasses,
    newest: &dyn Fn(LocationId) -> u64,
) {
    let uses = recording.operations.iter().zip(0..).filter_map(|(operation, sequence)| {
        let location = operation.location?;
        Some(Use { sequence, thread: operation.thread, position: operation.position, location })
    });
    let recorded = InRecording(recording);
    let mut faults = fault::faults(heap, &recording.ending, classes, uses, &recorded);
    let mut stored = recording.stores.iter().map(|store| store.value);
    faults.extend(fault::leak(heap, &recording.ending, classes, newest, &mut stored));
    faults.extend(fault::left(heap, &recording.ending, classes));
    let faults = fault::record(&faults, &recorded);
    recording.memory_faults = faults;
    recording.left = heap.left();
}

struct InRecording<'a>(&'a Recording);

impl InRecording<'_> {
    fn operation(&self, thread: ThreadId, position: u32) -> Option<&Operation> {
        self.0.operations.iter().find(|one| one.thread == thread && one.position == position)
    }
}

impl Happened for InRecording<'_> {
    fn before_operation(&self, sequence: u32, thread: ThreadId) -> u32 {
        self.0.operations[sequence as usize].clock.get(thread)
    }

    fn before_moment(&self, thread: ThreadId, position: u32, other: ThreadId) -> u32 {
        let creation = self.0.threads[thread.index()].created_by.map(|creation| self.0.operation(creation));
        self.operation(thread, position).or(creation).map_or(0, |last| last.clock.get(other))
    }
}

impl Numbered for InRecording<'_> {
    fn by_sequence(&self, sequence: u32) -> Option<OperationId> {
        Some(OperationId::new(sequence as usize))
    }

    fn count(&self, thread: ThreadId) -> u32 {
        self.0.operations.iter().filter(|one| one.thread == thread).map(|one| one.position).max().unwrap_or(0)
    }

    fn by_position(&self, thread: ThreadId, position: u32) -> Option<OperationId> {
        self.operation(thread, position).map(|one| one.id)
    }
}
