//! What is wrong with memory: who allocated it, who used it, who freed it, and what is missing between them.

use super::name::{Names, place_text};
use super::page::Row;
use super::phrase::{count, in_call};
use crate::record::{Interval, MemoryFault, MemoryFaultKind, OperationId};

/// One sentence.
pub(super) fn sentence(names: &Names<'_>, fault: &MemoryFault) -> String {
    let used = |usage: OperationId| {
        let operation = names.execution.operation(usage);
        format!("the {} at {}", operation.place.name, operation.place.source)
    };
    match &fault.kind {
        MemoryFaultKind::Unallocated { usage } => {
            format!("{} uses memory whose allocation does not happen before it", used(*usage))
        }
        MemoryFaultKind::Uninitialised { usage, source, .. } => {
            format!("{} uses memory whose initialisation at {source} does not happen before it", used(*usage))
        }
        MemoryFaultKind::Freed { usage, freed } if freed.thread == thread_of(names, *usage) => {
            format!("{} uses memory that {} had freed", used(*usage), names.thread(freed.thread))
        }
        MemoryFaultKind::Freed { usage, freed } => {
            format!("{} does not happen before {} frees the memory", used(*usage), names.thread(freed.thread))
        }
        MemoryFaultKind::Leaked { blocks } => {
            format!(
                "{} of memory ({}) left, and nothing leads there any more",
                count(*blocks, "block"),
                count(fault.bytes, "byte")
            )
        }
        MemoryFaultKind::Left { what, source, objects: 1 } => {
            format!("the {what} that was made at {source} is left when the execution ends")
        }
        MemoryFaultKind::Left { what, source, objects } => {
            format!(
                "{objects} objects are left when the execution ends, the first of them the {what} that was made at {source}"
            )
        }
        MemoryFaultKind::FreedTwice { second, .. } => {
            format!("{} frees memory that was freed already", names.thread(second.thread))
        }
    }
}

/// The rows of a report.
pub(super) fn rows(names: &Names<'_>, fault: &MemoryFault) -> Vec<Row> {
    let mut rows: Vec<_> = fault
        .allocated
        .map(|allocated| {
            let what = match fault.kind {
                MemoryFaultKind::Leaked { .. } => "the first of them ".to_owned(),
                _ => format!("{} ", count(fault.bytes, "byte")),
            };
            moment(names, "allocated", &what, allocated)
        })
        .into_iter()
        .collect();
    match &fault.kind {
        MemoryFaultKind::Unallocated { usage } => {
            rows.push(usage_row(names, *usage));
            let by = fault.allocated.map(|allocated| allocated.thread);
            rows.extend(by.map(|by| unpublished(names, "allocation", names.thread(by), *usage)));
        }
        MemoryFaultKind::Uninitialised { usage, initialised, source } => {
            rows.push(moment(names, "initialised", "", *initialised).at(*source));
            rows.push(usage_row(names, *usage));
            rows.push(unpublished(names, "initialisation", names.thread(initialised.thread), *usage));
        }
        MemoryFaultKind::Freed { usage, freed } => {
            rows.push(usage_row(names, *usage));
            rows.push(moment(names, "freed", "", *freed));
            rows.push(unprotected(names, *usage, *freed));
        }
        MemoryFaultKind::Leaked { .. } => {
            rows.push(Row::new("do", "free them, when nobody uses them any more, or with what holds them"));
        }
        MemoryFaultKind::Left { .. } => {
            rows.push(Row::new(
                "do",
                "drop them: a handle was forgotten, or handles hold each other in a circle",
            ));
        }
        MemoryFaultKind::FreedTwice { first, second } => {
            rows.push(moment(names, "freed", "", *first));
            rows.push(moment(names, "again", "", *second));
            rows.push(Row::new(
                "do",
                "let one thread free it: whoever takes it out, once, by a read-modify-write",
            ));
        }
    }
    rows
}

fn thread_of(names: &Names<'_>, operation: OperationId) -> crate::record::ThreadId {
    names.execution.operation(operation).thread
}

fn usage_row(names: &Names<'_>, usage: OperationId) -> Row {
    let operation = names.execution.operation(usage);
    let text = format!(
        "{} by {}{}",
        place_text(&operation.place),
        names.thread(operation.thread),
        in_call(names, usage)
    );
    Row::new("used", text).at(operation.place.source)
}

/// When a thread did something that has no place: by the operations around it.
fn moment(names: &Names<'_>, label: &str, what: &str, interval: Interval) -> Row {
    let place = |operation: OperationId| names.execution.operation(operation).place;
    let text = |operation: OperationId| {
        let place = place(operation);
        format!("its {} at {}", place.name, place.source)
    };
    let when = match (interval.after, interval.before) {
        (Some(after), Some(before)) => format!("after {} and before {}", text(after), text(before)),
        (Some(after), None) => format!("after {}, its last operation", text(after)),
        (None, Some(before)) => format!("before {}, its first operation", text(before)),
        (None, None) => "which does no operation".to_owned(),
    };
    // Between two calls it may be in neither.
    let calls = [interval.after, interval.before].map(|operation| names.execution.operation(operation?).call);
    let call = if calls[0] == calls[1] { interval.before.map(|before| in_call(names, before)) } else { None };
    let call = call.unwrap_or_default();
    Row::new(label, format!("{what}by {}{call}, {when}", names.thread(interval.thread)))
}

fn unpublished(names: &Names<'_>, what: &str, by: String, usage: OperationId) -> Row {
    let user = names.thread(thread_of(names, usage));
    Row::new(
        "do",
        format!(
            "nothing that {by} did after the {what} happens before the use: {by} must release when it hands the pointer out (a \
             Release store or read-modify-write, an unlock), and {user} acquire when it reads that"
        ),
    )
}

fn unprotected(names: &Names<'_>, usage: OperationId, freed: Interval) -> Row {
    let (user, by) = (names.thread(thread_of(names, usage)), names.thread(freed.thread));
    let text = if user == by {
        "free it after the last use".to_owned()
    } else {
        format!(
            "the use does not happen before the free, in whichever order they ran: {user} must release after its last use (a \
             counter, an epoch, the end of the thread), and {by} acquire that before it frees. The counts of std's `Arc` are not \
             seen: use `cdsspec::sync::Arc`"
        )
    };
    Row::new("do", text)
}
