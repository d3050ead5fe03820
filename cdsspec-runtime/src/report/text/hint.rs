//! What may have been forgotten, in words.

use super::super::data::{Hint, ReportedExecution};
use super::name::{Names, operation_text};
use super::page::Row;
use crate::record::{CallId, OperationId};

/// The reads that order nothing, and what is missing.
pub(super) fn unordered_reads(names: &Names<'_>) -> Vec<Row> {
    names.execution.hints.iter().filter_map(|hint| Some(Row::new("hint", read_text(names, hint)?))).collect()
}

fn read_text(names: &Names<'_>, hint: &Hint) -> Option<String> {
    let Hint::UnorderedRead { reader, load, writer, store, acquires, releases } = *hint else { return None };
    let order =
        |id| names.execution.operation(id).order.map_or_else(String::new, |order| format!("{order:?}"));
    let missing = if acquires {
        format!("which is not released ({})", order(store))
    } else {
        format!("but does not acquire it ({})", order(load))
    };
    let needed = match (acquires, releases) {
        (false, false) => "Acquire/Release",
        (false, true) => "Acquire",
        (true, _) => "Release",
    };
    let reads = format!("{} reads {}", subject(names, reader, load), subject(names, writer, store));
    Some(format!(
        "{reads}, {missing}: that orders no calls; {needed} would, or allow it through `concurrent`"
    ))
}

/// `#1*`, if it is an ordering point; else `4 load(Relaxed) of #1`, with the number of the interleaving.
fn subject(names: &Names<'_>, call: CallId, operation: OperationId) -> String {
    if names.execution.call(call).ordering_points.contains(&operation) {
        format!("{call:?}*")
    } else {
        let text = operation_text(names.execution.operation(operation));
        format!("{} {text} of {call:?}", operation.index())
    }
}

/// That a rule stands since nothing else is written.
pub(super) fn unwritten_post_condition(execution: &ReportedExecution) -> Option<Row> {
    let beside = execution.hints.iter().find_map(|hint| match hint {
        Hint::UnwrittenPostCondition { beside } => Some(beside.name()),
        Hint::UnorderedRead { .. } => None,
    })?;
    Some(Row::new(
        "hint",
        format!(
            "that rule holds since no `post_condition` is written beside the `{beside}`: `#[post_condition(true)]` switches it off"
        ),
    ))
}
