//! Who holds a lock, and since when.

use super::ReportedHolder;
use crate::record::{Ending, LocationId, OperationKind, Recording, ThreadId, ValueKind, WaitingThread};
use std::sync::atomic::Ordering;

/// Who holds the lock that a thread waits for, in the order in which they took it; nobody, where no lock is waited for.
pub(super) fn holders(recording: &Recording, waiting: &WaitingThread) -> Vec<ReportedHolder> {
    let is_lock = |location: &LocationId| recording.locations[location.index()].kind == ValueKind::Lock;
    let Some(lock) = waiting.location.filter(is_lock) else { return Vec::new() };
    let mut holders: Vec<ReportedHolder> = Vec::new();
    let updates = recording
        .operations
        .iter()
        .filter(|operation| operation.location == Some(lock) && operation.kind == OperationKind::Update);
    for update in updates {
        let thread = update.thread;
        match update.order {
            Some(Ordering::Acquire) => {
                let has_ended = has_ended(recording, thread);
                holders.push(ReportedHolder { thread, place: update.place, has_ended });
            }
            Some(Ordering::Release) => {
                if let Some(last) = holders.iter().rposition(|holder| holder.thread == thread) {
                    holders.remove(last);
                }
            }
            // Neither takes it nor gives it back, as where its poison is cleared.
            _ => {}
        }
    }
    holders
}

/// In a blocked execution each thread that does not wait has ended.
fn has_ended(recording: &Recording, thread: ThreadId) -> bool {
    match &recording.ending {
        Ending::Blocked(waiting) => waiting.iter().all(|waiting| waiting.thread != thread),
        _ => false,
    }
}
