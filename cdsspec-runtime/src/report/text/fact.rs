//! The block below the first line: the call, the rule in the specification's own words and place, the state.

use super::super::data::{BrokenCondition, FindingKind, OrderedCalls, ReportedWait, fold};
use super::name::{Names, place_text};
use super::order::reason_text;
use super::page::Row;
use super::phrase::{access, in_call};
use super::{hint, hold};
use super::{limit, memory, misuse};
use crate::record::{CallId, OperationId, Panic, Race, WaitReason};

/// The rows for the finding.
pub(super) fn rows(names: &Names<'_>) -> Vec<Row> {
    match &names.execution.finding.kind {
        FindingKind::SpecError { thread, place, .. } => {
            vec![Row::new("at", names.thread(*thread)).at(*place)]
        }
        FindingKind::Nondeterministic { .. } => vec![Row::new(
            "do",
            "let the program do the same whenever it sees the same values: no time, random numbers, addresses, hash-map \
             order, or state kept from one execution to the next",
        )],
        FindingKind::Race(race) => race_rows(names, race),
        FindingKind::Memory(fault) => memory::rows(names, fault),
        FindingKind::Panic(panic) => panic_rows(names, panic),
        FindingKind::Misused(misuse) => misuse::rows(names, misuse),
        FindingKind::Blocked { waiting } => {
            let rows = waiting.iter().map(|waiting| waiting_row(names, waiting));
            rows.chain([Row::new("do", blocked_remedy(waiting))]).collect()
        }
        FindingKind::Cyclic { edges, is_memory_model } => {
            let edge_row = |edge: &OrderedCalls| {
                Row::new(format!("{:?} before {:?}", edge.first, edge.second), reason_text(names, edge))
            };
            edges.iter().map(edge_row).chain([Row::new("do", cycle_remedy(*is_memory_model))]).collect()
        }
        FindingKind::Violated(broken) => {
            let mut rows = condition_rows(names, broken, "history");
            rows.extend(hint::unwritten_post_condition(names.execution));
            rows
        }
        FindingKind::Unjustified { first, .. } => condition_rows(names, first, "subhistory"),
        FindingKind::Inadmissible { text, place, first, second, .. } => vec![
            Row::new("rule", format!("admit({text})")).at(*place),
            call_row(names, "m1", *first),
            call_row(names, "m2", *second),
        ],
        FindingKind::Limit(limit) => vec![Row::new("do", limit::remedy(limit.kind))],
        FindingKind::Unfinished { call } => vec![call_row(names, "call", *call)],
        FindingKind::EngineFailed { .. } => Vec::new(),
    }
}

/// The calls that a finding is about.
pub(super) fn marked(finding: &FindingKind) -> Vec<CallId> {
    match finding {
        FindingKind::Violated(BrokenCondition { call, .. })
        | FindingKind::Unjustified { first: BrokenCondition { call, .. }, .. }
        | FindingKind::Unfinished { call } => vec![*call],
        FindingKind::Inadmissible { first, second, .. } => vec![*first, *second],
        FindingKind::Cyclic { edges, .. } => edges.iter().map(|edge| edge.first).collect(),
        _ => Vec::new(),
    }
}

/// The order of the SeqCst points under which it is so.
pub(super) fn chosen_sc(finding: &FindingKind) -> &[OperationId] {
    match finding {
        FindingKind::Violated(BrokenCondition { sc, .. })
        | FindingKind::Unjustified { first: BrokenCondition { sc, .. }, .. }
        | FindingKind::Inadmissible { sc, .. } => sc,
        _ => &[],
    }
}

fn call_row(names: &Names<'_>, label: &str, call: CallId) -> Row {
    Row::new(label, names.call(call)).at(names.execution.call(call).place)
}

/// The call, the rule in the specification's own words and place, the state, and the history, called that.
fn condition_rows(names: &Names<'_>, broken: &BrokenCondition, history: &str) -> Vec<Row> {
    let mut rows =
        vec![call_row(names, "call", broken.call), Row::new("rule", broken.text.as_str()).at(broken.place)];
    rows.extend(broken.state.iter().map(|state| Row::new("state", format!("{state} before the call"))));
    rows.extend(broken.s_ret.iter().map(|specified| Row::new("s_ret", specified.as_str())));
    rows.push(Row::new(history, names.calls(&broken.history)));
    rows
}

fn race_rows(names: &Names<'_>, race: &Race) -> Vec<Row> {
    let row = |label: &str, id: OperationId| {
        let operation = names.execution.operation(id);
        let text = format!(
            "{}: {} by {}{}",
            access(operation.kind),
            place_text(&operation.place),
            names.thread(operation.thread),
            in_call(names, id)
        );
        Row::new(label, text).at(operation.place.source)
    };
    let [first, second] =
        [race.first, race.second].map(|id| names.thread(names.execution.operation(id).thread));
    vec![
        row("first", race.first),
        row("second", race.second),
        Row::new(
            "do",
            format!(
                "order them by happens-before: after its access {first} must release (a Release store, an unlock, its \
                 end), and {second} must acquire that before its own (an Acquire load that reads it, a lock, a join)"
            ),
        ),
    ]
}

fn panic_rows(names: &Names<'_>, panic: &Panic) -> Vec<Row> {
    let mut rows = vec![Row::new("thread", names.thread(panic.thread))];
    if let Some(after) = panic.after {
        rows.push(Row::new("after", "its last operation").at(after));
    }
    let more: Vec<_> = panic.message.lines().skip(1).collect();
    if !more.is_empty() {
        rows.push(Row::new("message", fold(&more.join(" "))));
    }
    rows.push(Row::new(
        "do",
        "the interleaving leads there: handle it in every execution, or join the thread and take its panic as a result",
    ));
    rows
}

fn waiting_row(names: &Names<'_>, waiting: &ReportedWait) -> Row {
    let place = place_text(&waiting.place);
    let text = match waiting.reason {
        WaitReason::Blocking => format!("waits in {place}{}", hold::text(names, waiting)),
        WaitReason::Join(thread) => format!("waits for the end of {}", names.thread(thread)),
        WaitReason::Spinning => format!("spins on {place}, and has read the newest store"),
        WaitReason::StandsStill => format!("stands still before {place}"),
    };
    Row::new(names.thread(waiting.thread), text).at(waiting.place.source)
}

fn blocked_remedy(waiting: &[ReportedWait]) -> &'static str {
    if waiting.iter().any(hold::is_own) {
        "a thread cannot lock again what it holds: let the lock go before, as by the end of the guard's scope, or hand the guard on"
    } else if waiting.iter().any(|waiting| waiting.reason == WaitReason::Spinning) {
        "let some thread write what the loop waits for, in every execution"
    } else if waiting.iter().any(hold::is_by_ended) {
        "a thread ended without letting the lock go: do not forget its guard"
    } else {
        "let all threads take locks in one order, and whoever changes what another waits for notify or unpark it after that"
    }
}

fn cycle_remedy(is_memory_model: bool) -> &'static str {
    if is_memory_model {
        "happens-before and the sc order of the ordering points contradict each other already: the memory model allows \
         that; take other operations as ordering points, or order them by more than Relaxed"
    } else {
        "the ordering points themselves are in order, but a call has several: keep those that order it (`op_clear`, \
         `op_clear_define`)"
    }
}
