//! Puts what the heap shows into the recording, for all engines.

use super::MemoryClasses;
use crate::heap::{self, Classes, Fault, FaultKind, Happened, Heap, Progress, Use};
use crate::record::{Ending, Interval, LocationId, MemoryFault, MemoryFaultKind, OperationId, ThreadId};

/// The operations of an execution as its engine numbers them, and as they are recorded.
pub(crate) trait Numbered: Happened {
    /// The operation with this sequence number.
    fn by_sequence(&self, sequence: u32) -> Option<OperationId>;

    /// How many operations a thread has done.
    fn count(&self, thread: ThreadId) -> u32;

    /// The operation of a thread with this position, from 1, if it is recorded.
    fn by_position(&self, thread: ThreadId, position: u32) -> Option<OperationId>;
}

/// What is wrong with the memory of an execution that ended like this: nothing, if it says nothing. What threads did before one of them
/// waits for another execution's store, they did: rounds of a loop that only read are not explored again, and show there alone.
pub(crate) fn faults(
    heap: &Heap,
    ending: &Ending,
    classes: MemoryClasses,
    uses: impl Iterator<Item = Use>,
    happened: &dyn Happened,
) -> Vec<Fault> {
    if !is_result(ending) || !heap.can_show_a_fault() {
        return Vec::new();
    }
    let classes = Classes { uninitialised: classes.uninitialised, freed: classes.freed };
    heap::faults(&heap.log(), uses, happened, classes)
}

/// Whether what an execution that ended like this has done counts.
pub(crate) fn is_result(ending: &Ending) -> bool {
    matches!(
        ending,
        Ending::Complete
            | Ending::Blocked(_)
            | Ending::ByProduct { .. }
            | Ending::Race(_)
            | Ending::Panic(_)
            | Ending::Limit(_)
    )
}

/// What the execution leaks, if that is looked for: how an execution that did not end by itself would go on is not known.
pub(crate) fn leak(
    heap: &Heap,
    ending: &Ending,
    classes: MemoryClasses,
    newest: &dyn Fn(LocationId) -> u64,
    stored: &mut dyn Iterator<Item = u64>,
) -> Option<Fault> {
    let is_wanted = classes.leaks && matches!(ending, Ending::Complete);
    if !heap.is_used() || !is_wanted && !classes.reclaims_leaks {
        return None;
    }
    if classes.reclaims_leaks {
        // SAFETY: whoever set it promises that.
        unsafe { heap.reclaim_leaks() };
    }
    let leaked = heap.leaked(newest, stored);
    let (allocated, _) = *leaked.first()?;
    let kind = FaultKind::Leaked { blocks: leaked.len() };
    is_wanted.then(|| Fault { kind, bytes: leaked.iter().map(|(_, bytes)| bytes).sum(), allocated })
}

/// Whether objects are left that the program was to end, if that is looked for.
pub(crate) fn left(heap: &Heap, ending: &Ending, classes: MemoryClasses) -> Option<Fault> {
    if !classes.objects || !matches!(ending, Ending::Complete) {
        return None;
    }
    let (first, objects) = heap.left_objects().left()?;
    Some(Fault { kind: FaultKind::Left { first, objects }, bytes: 0, allocated: None })
}

/// The faults in terms of the recording.
pub(crate) fn record(faults: &[Fault], recorded: &dyn Numbered) -> Vec<MemoryFault> {
    faults.iter().filter_map(|fault| record_one(fault, recorded)).collect()
}

fn record_one(fault: &Fault, recorded: &dyn Numbered) -> Option<MemoryFault> {
    let interval = |moment| interval(recorded, moment);
    let kind = match fault.kind {
        FaultKind::Leaked { blocks } => MemoryFaultKind::Leaked { blocks },
        FaultKind::Left { first: (what, source), objects } => MemoryFaultKind::Left { what, source, objects },
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

fn interval(recorded: &dyn Numbered, moment: Progress) -> Interval {
    let Progress { thread, position, .. } = moment;
    let at = |position: u32| recorded.by_position(thread, position);
    Interval {
        thread,
        after: (1..=position).rev().find_map(at),
        before: (position + 1..=recorded.count(thread)).find_map(at),
    }
}
