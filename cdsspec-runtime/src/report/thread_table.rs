//! The calls by thread.

use super::name::Names;
use super::page::{WIDTH, cut};
use super::table;
use crate::record::CallId;

/// Room for what stands after a row.
const MARK_COLUMNS: usize = 9;
const CELL_COLUMNS_MIN: usize = 6;

/// A row for each call in order of invocation, a column for each thread that calls. `marked` are pointed to.
pub(super) fn lines(names: &Names<'_>, marked: &[CallId]) -> Vec<String> {
    let calls = &names.recording.calls;
    let mut threads: Vec<_> = calls.iter().map(|call| call.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    if threads.is_empty() {
        return Vec::new();
    }
    let columns = ((WIDTH - MARK_COLUMNS - 1) / threads.len()).saturating_sub(3).max(CELL_COLUMNS_MIN);
    let header: Vec<_> = threads.iter().map(|&thread| cut(&names.thread(thread), columns)).collect();
    let rows = calls.iter().map(|call| {
        let cell = |&thread| {
            if call.thread == thread {
                cut(&names.short(&names.call(call.id)), columns)
            } else {
                String::new()
            }
        };
        threads.iter().map(cell).collect()
    });
    let mut lines = table::lines(&header, rows);
    for (line, call) in lines[table::HEADER_LINES..].iter_mut().zip(calls) {
        if marked.contains(&call.id) {
            line.push_str("  <- here");
        }
    }
    lines
}
