//! The calls by thread.

use super::super::data::ReportedCall;
use super::name::Names;
use super::page::cut;
use super::table;
use crate::process::width;
use crate::record::CallId;

/// Room for what stands after a row.
const MARK_COLUMNS: usize = 9;
const CELL_COLUMNS_MIN: usize = 6;

/// A row for each call in order of invocation, a column for each thread that calls. `marked` are pointed to.
pub(super) fn lines(names: &Names<'_>, marked: &[CallId], columns: usize) -> Vec<String> {
    let calls = &names.execution.calls;
    let mut threads: Vec<_> = calls.iter().map(|call| call.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    if threads.is_empty() {
        return Vec::new();
    }
    let room = columns.saturating_sub(MARK_COLUMNS + 1);
    let columns = (room / threads.len()).saturating_sub(3);
    if columns < CELL_COLUMNS_MIN {
        return mark(list(names, room), calls, marked);
    }
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
    mark(table::lines(&header, rows), calls, marked)
}

/// The same for many threads: two columns.
fn list(names: &Names<'_>, room: usize) -> Vec<String> {
    let threads = names.execution.calls.iter().map(|call| names.thread(call.thread));
    let thread_columns = threads.map(|thread| width(&thread)).max().unwrap_or(0).min(room / 3);
    let call_columns = room.saturating_sub(thread_columns + 6);
    let rows = names.execution.calls.iter().map(|call| {
        vec![
            cut(&names.thread(call.thread), thread_columns),
            cut(&names.short(&names.call(call.id)), call_columns),
        ]
    });
    table::lines(&["thread".to_owned(), "call".to_owned()], rows)
}

fn mark(mut lines: Vec<String>, calls: &[ReportedCall], marked: &[CallId]) -> Vec<String> {
    for (line, call) in lines[table::HEADER_LINES..].iter_mut().zip(calls) {
        if marked.contains(&call.id) {
            line.push_str("  <- here");
        }
    }
    lines
}
