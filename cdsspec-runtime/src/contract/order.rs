//! Which points of contracts come before which, and which happen before which.

use crate::record::{Clock, ContractPoint, OperationId, OperationKind, Recording, ThreadId};

/// The order of the points of one execution.
pub(super) struct PointOrder<'a> {
    recording: &'a Recording,
    /// Of each operation, which of the operations of each thread it must come behind, itself included.
    before: Vec<Clock>,
    /// The operations of each thread, by position.
    threads: Vec<Vec<OperationId>>,
}

impl<'a> PointOrder<'a> {
    /// Cost: O(operations · threads), and under Sc as often as the longest path goes against the order in which the operations ran.
    pub(super) fn of(recording: &'a Recording, is_sc: bool) -> Self {
        let mut threads = vec![Vec::new(); recording.threads.len()];
        let mut predecessors = vec![Vec::new(); recording.operations.len()];
        for operation in &recording.operations {
            let own: &mut Vec<OperationId> = &mut threads[operation.thread.index()];
            let creation = recording.threads[operation.thread.index()].created_by;
            let into = &mut predecessors[operation.id.index()];
            into.extend(own.last().copied().or(creation));
            own.push(operation.id);
            into.extend(operation.read.and_then(|store| recording.store(store).operation));
            if let OperationKind::Join(ended) = operation.kind {
                into.extend(
                    threads[ended.index()].last().copied().or(recording.threads[ended.index()].created_by),
                );
            }
        }
        if is_sc {
            add_modification_order(recording, &mut predecessors);
        }
        Self { recording, before: close(recording, &predecessors), threads }
    }

    /// The last operation before a point: of the thread itself, or the one that created it.
    fn last(&self, thread: ThreadId, point: ContractPoint) -> Option<OperationId> {
        let own = &self.threads[thread.index()];
        let count = own.partition_point(|id| self.recording.operation(*id).position <= point.moment.position);
        match count.checked_sub(1) {
            Some(index) => Some(own[index]),
            None => self.recording.threads[thread.index()].created_by,
        }
    }

    /// Whether the first point, of that thread, must come before the second one.
    pub(super) fn is_before(
        &self,
        first: (ThreadId, ContractPoint),
        second: (ThreadId, ContractPoint),
    ) -> bool {
        if first.0 == second.0 {
            return first.1.sequence < second.1.sequence;
        }
        let last = self.last(second.0, second.1);
        last.is_some_and(|last| self.before[last.index()].get(first.0) > first.1.moment.position)
    }

    /// Whether the first point happens before the second one, which is of another thread.
    pub(super) fn happens_before(
        &self,
        first: (ThreadId, ContractPoint),
        second: (ThreadId, ContractPoint),
    ) -> bool {
        let Some(last) = self.last(second.0, second.1) else { return false };
        let known = &self.recording.operation(last).clock;
        known.get(first.0) > first.1.moment.position || self.is_joined(first.0, known)
    }

    /// Whether the end of a thread is known.
    fn is_joined(&self, thread: ThreadId, known: &Clock) -> bool {
        self.recording.operations.iter().any(|operation| {
            operation.kind == OperationKind::Join(thread) && known.get(operation.thread) >= operation.position
        })
    }
}

/// Under Sc a store comes behind the one that it is next to in mo, and behind all that read that one.
fn add_modification_order(recording: &Recording, predecessors: &mut [Vec<OperationId>]) {
    for stores in recording.modification_order.iter().flatten() {
        for pair in stores.windows(2) {
            let Some(later) = recording.store(pair[1]).operation else { continue };
            let readers =
                recording.operations.iter().filter(|one| one.read == Some(pair[0]) && one.id != later);
            let earlier = recording.store(pair[0]).operation;
            predecessors[later.index()].extend(readers.map(|one| one.id).chain(earlier));
        }
    }
}

/// Of each operation, which operations of each thread paths lead from, itself included; the end of a thread that is joined is behind all of
/// its points.
fn close(recording: &Recording, predecessors: &[Vec<OperationId>]) -> Vec<Clock> {
    let mut before = vec![Clock::new(); recording.operations.len()];
    loop {
        let mut is_changed = false;
        for operation in &recording.operations {
            let index = operation.id.index();
            let mut clock = before[index].clone();
            predecessors[index].iter().for_each(|id| clock.join(&before[id.index()]));
            clock.include(operation.thread, operation.position);
            if let OperationKind::Join(ended) = operation.kind {
                clock.include(ended, u32::MAX);
            }
            is_changed |= clock != before[index];
            before[index] = clock;
        }
        if !is_changed {
            return before;
        }
    }
}
