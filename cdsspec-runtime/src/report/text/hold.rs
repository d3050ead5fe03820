//! Who holds a lock, and since when, in words.

use super::super::data::{ReportedHolder, ReportedWait};
use super::name::{Names, place_text};
use crate::record::ThreadId;

/// `: thread 2 holds it since its lock at src/queue.rs:12`; nothing, where no lock is waited for, or nobody has it.
pub(super) fn text(names: &Names<'_>, waiting: &ReportedWait) -> String {
    let phrases: Vec<String> =
        waiting.holders.iter().map(|holder| phrase(names, holder, waiting.thread)).collect();
    if phrases.is_empty() { String::new() } else { format!(": {}", phrases.join("; ")) }
}

fn phrase(names: &Names<'_>, holder: &ReportedHolder, waiting: ThreadId) -> String {
    let (text, source) = (place_text(&holder.place), holder.place.source);
    if holder.thread == waiting {
        return format!("it holds that itself, since its {text} at {source}");
    }
    let ended = if holder.has_ended { ", which has ended," } else { "" };
    format!("{}{ended} holds it since its {text} at {source}", names.thread(holder.thread))
}

/// Whether a thread waits for what it holds itself.
pub(super) fn is_own(waiting: &ReportedWait) -> bool {
    waiting.holders.iter().any(|holder| holder.thread == waiting.thread)
}

/// Whether a thread waits for what a thread holds that has ended.
pub(super) fn is_by_ended(waiting: &ReportedWait) -> bool {
    waiting.holders.iter().any(|holder| holder.has_ended)
}
