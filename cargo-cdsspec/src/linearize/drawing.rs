//! Calls as intervals, a line each.

use cdsspec_linearize::CallId;
use cdsspec_linearize::file::FileHistory;
use std::fmt::Write;

/// So many calls are drawn at most: with two columns for each of their events there is room for names of this length.
const CALLS_MAX: usize = 8;
const NAME_LENGTH_MAX: usize = 44;

/// The calls of a part that overlap with this one, and those that began last before it returned, up to `CALLS_MAX`; in the order in which they began.
fn chosen(history: &FileHistory, part: &[CallId], call: CallId, end: u64) -> Vec<CallId> {
    let (invoked, _) = history.interval(call);
    let overlaps = |other: CallId| history.interval(other).1.is_none_or(|returned| returned >= invoked);
    let mut calls: Vec<CallId> =
        part.iter().copied().filter(|&other| history.interval(other).0 <= end).collect();
    // What overlaps first, then what ended last.
    calls.sort_by_key(|&other| {
        let (begin, returned) = history.interval(other);
        let ended = returned.unwrap_or(u64::MAX);
        (other != call, !overlaps(other), std::cmp::Reverse(ended.min(end)), std::cmp::Reverse(begin), other)
    });
    calls.truncate(CALLS_MAX);
    calls.sort_by_key(|&call| (history.interval(call).0, call));
    calls
}

/// The calls about a return that cannot be, up to its moment: each event has a column of its own.
pub(crate) fn of(history: &FileHistory, part: &[CallId], call: CallId, end: u64) -> String {
    let calls = chosen(history, part, call, end);
    let mut moments: Vec<u64> = calls
        .iter()
        .flat_map(|&call| [Some(history.interval(call).0), history.interval(call).1])
        .flatten()
        .filter(|&moment| moment <= end)
        .collect();
    moments.sort_unstable();
    moments.dedup();
    let column = |moment: u64| 2 * moments.partition_point(|&other| other < moment);
    let name = |call: CallId| {
        let name = format!("#{} thread {}: {}", call.0, history.thread(call), history.text(call));
        match name.chars().count() {
            0..=NAME_LENGTH_MAX => name,
            _ => name.chars().take(NAME_LENGTH_MAX - 1).chain("…".chars()).collect(),
        }
    };
    let width = calls.iter().map(|&call| name(call).chars().count()).max().unwrap_or(0);
    let mut drawing = String::new();
    for &drawn in &calls {
        let (invoked, returned) = history.interval(drawn);
        let begin = column(invoked);
        let bar = match returned.filter(|&returned| returned <= end) {
            Some(returned) => format!("|{}|", "-".repeat((column(returned) - begin).saturating_sub(1))),
            None => format!("|{}", "-".repeat(column(end) + 2 - begin)),
        };
        let mark = if drawn == call { "  <- not this" } else { "" };
        let name = name(drawn);
        let padding = " ".repeat(width - name.chars().count() + 2 + begin);
        writeln!(drawing, "  {name}{padding}{bar}{mark}").expect("a text takes it");
    }
    drawing
}
