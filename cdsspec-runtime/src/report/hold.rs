//! Who holds a lock, and since when.

use super::name::{Names, place_text};
use crate::record::{LocationId, OperationKind, Place, Recording, ThreadId, ValueKind, WaitingThread};
use std::sync::atomic::Ordering;

/// A thread that has a lock, and where it took it.
struct Hold {
    thread: ThreadId,
    place: Place,
}

/// `: thread 2 holds it since its lock at src/queue.rs:12`; nothing, where no lock is waited for, or nobody has it.
pub(super) fn text(names: &Names<'_>, waiting: &WaitingThread) -> String {
    let holds = holds(names.recording, waiting);
    let phrases: Vec<String> = holds.iter().map(|hold| phrase(names, hold, waiting.thread)).collect();
    if phrases.is_empty() { String::new() } else { format!(": {}", phrases.join("; ")) }
}

fn phrase(names: &Names<'_>, hold: &Hold, waiting: ThreadId) -> String {
    let Hold { thread, place } = hold;
    let (text, source) = (place_text(place), place.source);
    if *thread == waiting {
        return format!("it holds that itself, since its {text} at {source}");
    }
    let ended = if has_ended(names.recording, *thread) { ", which has ended," } else { "" };
    format!("{}{ended} holds it since its {text} at {source}", names.thread(*thread))
}

/// Whether a thread waits for what it holds itself.
pub(super) fn is_own(names: &Names<'_>, waiting: &WaitingThread) -> bool {
    holds(names.recording, waiting).iter().any(|hold| hold.thread == waiting.thread)
}

/// Whether a thread waits for what a thread holds that has ended.
pub(super) fn is_by_ended(names: &Names<'_>, waiting: &WaitingThread) -> bool {
    holds(names.recording, waiting).iter().any(|hold| has_ended(names.recording, hold.thread))
}

/// In a blocked execution each thread that does not wait has ended.
fn has_ended(recording: &Recording, thread: ThreadId) -> bool {
    match &recording.ending {
        crate::record::Ending::Blocked(waiting) => waiting.iter().all(|waiting| waiting.thread != thread),
        _ => false,
    }
}

/// Who holds the lock that a thread waits for, in the order in which they took it.
fn holds(recording: &Recording, waiting: &WaitingThread) -> Vec<Hold> {
    let is_lock = |location: &LocationId| recording.locations[location.index()].kind == ValueKind::Lock;
    let Some(lock) = waiting.location.filter(is_lock) else { return Vec::new() };
    let mut holds: Vec<Hold> = Vec::new();
    let updates = recording
        .operations
        .iter()
        .filter(|operation| operation.location == Some(lock) && operation.kind == OperationKind::Update);
    for update in updates {
        match update.order {
            Some(Ordering::Acquire) => holds.push(Hold { thread: update.thread, place: update.place }),
            Some(Ordering::Release) => {
                if let Some(last) = holds.iter().rposition(|hold| hold.thread == update.thread) {
                    holds.remove(last);
                }
            }
            // Neither takes it nor gives it back, as where its poison is cleared.
            _ => {}
        }
    }
    holds
}
