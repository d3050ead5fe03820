//! Puts what the heap shows into the recording, for all engines.

use super::MemoryClasses;
use crate::heap::{self, Classes, Fault, FaultKind, Happened, Heap, Progress, Use};
use crate::record::{Ending, Interval, MemoryFault, MemoryFaultKind, OperationId, ThreadId};

/// The operations of an execution as its engine numbers them, and as they are recorded.
pub(super) trait Recorded: Happened {
    /// The operation with this sequence number.
    fn by_sequence(&self, sequence: u32) -> Option<OperationId>;

    /// How many operations a thread has done.
    fn count(&self, thread: ThreadId) -> u32;

    /// The operation of a thread with this position, from 1, if it is recorded.
    fn by_position(&self, thread: ThreadId, position: u32) -> Option<OperationId>;
}

/// What is wrong with the memory of an execution that ended like this: nothing, if it says nothing.
pub(super) fn faults(
    heap: &Heap,
    ending: &Ending,
    classes: MemoryClasses,
    uses: impl Iterator<Item = Use>,
    happened: &dyn Happened,
) -> Vec<Fault> {
    let is_result = matches!(
        ending,
        Ending::Complete | Ending::Blocked(_) | Ending::Race(_) | Ending::Panic(_) | Ending::Limit(_)
    );
    if !is_result || !heap.is_used() {
        return Vec::new();
    }
    let classes = Classes { uninitialised: classes.uninitialised, freed: classes.freed };
    heap::faults(&heap.log(), uses, happened, classes)
}

/// The faults in terms of the recording.
pub(super) fn record(faults: &[Fault], recorded: &dyn Recorded) -> Vec<MemoryFault> {
    faults.iter().filter_map(|fault| record_one(fault, recorded)).collect()
}

fn record_one(fault: &Fault, recorded: &dyn Recorded) -> Option<MemoryFault> {
    let interval = |moment| interval(recorded, moment);
    let kind = match fault.kind {
        FaultKind::Unallocated { usage } => {
            MemoryFaultKind::Unallocated { usage: recorded.by_sequence(usage)? }
        }
        FaultKind::Uninitialised { usage, by, source } => MemoryFaultKind::Uninitialised {
            usage: recorded.by_sequence(usage)?,
            initialised: interval(by),
            source,
        },
        FaultKind::Freed { usage, by } => {
            MemoryFaultKind::Freed { usage: recorded.by_sequence(usage)?, freed: interval(by) }
        }
        FaultKind::FreedTwice { first, second } => {
            MemoryFaultKind::FreedTwice { first: interval(first), second: interval(second) }
        }
    };
    Some(MemoryFault { kind, bytes: fault.bytes, allocated: fault.allocated.map(interval) })
}

fn interval(recorded: &dyn Recorded, moment: Progress) -> Interval {
    let Progress { thread, position, .. } = moment;
    let at = |position: u32| recorded.by_position(thread, position);
    Interval {
        thread,
        after: (1..=position).rev().find_map(at),
        before: (position + 1..=recorded.count(thread)).find_map(at),
    }
}
