//! The block below the first line: the call, the rule in the specification's own words and place, the state.

use super::headline::{access, rule_text};
use super::name::{Names, place_text};
use super::order::edge_text;
use super::page::Row;
use super::{hint, hold};
use super::{limit, memory};
use crate::check::Finding;
use crate::record::{
    CallId, MethodCall, ObjectId, OperationId, Panic, Race, SpecificationError, WaitReason, WaitingThread,
};
use crate::specification::{ClauseKind, Method};

/// The rows for a finding.
pub(super) fn rows(names: &Names<'_>, finding: &Finding) -> Vec<Row> {
    match finding {
        Finding::SpecError(error) => specification_error(names, error),
        Finding::Nondeterministic(_) => vec![Row::new(
            "do",
            "let the program do the same whenever it sees the same values: no time, random numbers, addresses, hash-map \
             order, or state kept from one execution to the next",
        )],
        Finding::Race(race) => race_rows(names, race),
        Finding::Memory(fault) => memory::rows(names, fault),
        Finding::Panic(panic) => panic_rows(names, panic),
        Finding::Blocked(waiting) => {
            let rows = waiting.iter().map(|waiting| waiting_row(names, waiting));
            rows.chain([Row::new("do", blocked_remedy(names, waiting))]).collect()
        }
        Finding::Cyclic { edges, is_memory_model } => {
            let mut rows: Vec<_> = edges
                .iter()
                .map(|edge| {
                    let label = format!("{:?} before {:?}", edge.from, edge.to);
                    Row::new(label, edge_text(names, edge))
                })
                .collect();
            rows.push(Row::new("do", cycle_remedy(*is_memory_model)));
            rows
        }
        Finding::Violated { call, clause, before, state, specified, .. } => {
            let mut rows = vec![call_row(names, "call", *call), clause_row(names, *call, *clause)];
            rows.extend(state_rows(names, state.as_deref(), specified.as_deref()));
            rows.push(Row::new("history", history(names, before, *call)));
            let method = method_of(names, names.recording.call(*call));
            rows.extend(hint::unwritten_post_condition(method, *clause));
            rows
        }
        Finding::Unjustified { call, example, clause, state, specified, .. } => {
            let mut rows = vec![call_row(names, "call", *call), clause_row(names, *call, *clause)];
            rows.extend(state_rows(names, state.as_deref(), specified.as_deref()));
            rows.push(Row::new("subhistory", history(names, example, *call)));
            rows
        }
        Finding::Inadmissible { object, rule, first, second, .. } => {
            inadmissible(names, *object, *rule, [*first, *second])
        }
        Finding::Limit(limit) => vec![Row::new("do", limit::remedy(limit.kind))],
        Finding::Unfinished { call, .. } => vec![call_row(names, "call", *call)],
        Finding::EngineFailed(_) => Vec::new(),
    }
}

/// The calls that a finding is about.
pub(super) fn marked(finding: &Finding) -> Vec<CallId> {
    match finding {
        Finding::Violated { call, .. }
        | Finding::Unjustified { call, .. }
        | Finding::Unfinished { call, .. } => vec![*call],
        Finding::Inadmissible { first, second, .. } => vec![*first, *second],
        Finding::Cyclic { edges, .. } => edges.iter().map(|edge| edge.from).collect(),
        _ => Vec::new(),
    }
}

fn method_of<'a>(names: &Names<'a>, call: &MethodCall) -> &'a Method {
    names.recording.specification(call.object).method(call.method)
}

fn call_row(names: &Names<'_>, label: &str, call: CallId) -> Row {
    let method = method_of(names, names.recording.call(call));
    Row::new(label, names.call(call)).at(method.source)
}

fn clause_row(names: &Names<'_>, call: CallId, kind: ClauseKind) -> Row {
    let method = method_of(names, names.recording.call(call));
    match method.clause(kind) {
        Some(clause) if kind != ClauseKind::SameReturn => Row::new("rule", clause.text).at(clause.source),
        // What stands for a post_condition is not written: the side effect is.
        _ => {
            let effect = method.clause(ClauseKind::SideEffect);
            Row::new("rule", "c_ret == s_ret").at(effect.map_or(method.source, |effect| effect.source))
        }
    }
}

fn state_rows(names: &Names<'_>, state: Option<&str>, specified: Option<&str>) -> Vec<Row> {
    let state = state.map(|state| Row::new("state", format!("{} before the call", names.text(state))));
    let specified = specified.map(|specified| Row::new("s_ret", names.text(specified)));
    state.into_iter().chain(specified).collect()
}

fn history(names: &Names<'_>, before: &[CallId], call: CallId) -> String {
    let mut calls = before.to_vec();
    calls.push(call);
    names.calls(&calls)
}

fn inadmissible(names: &Names<'_>, object: ObjectId, rule: usize, calls: [CallId; 2]) -> Vec<Row> {
    let source = names.recording.specification(object).rules[rule].source;
    vec![
        Row::new("rule", format!("admit({})", rule_text(names, object, rule))).at(source),
        call_row(names, "m1", calls[0]),
        call_row(names, "m2", calls[1]),
    ]
}

fn specification_error(names: &Names<'_>, error: &SpecificationError) -> Vec<Row> {
    vec![Row::new("at", names.thread(error.thread)).at(error.marker)]
}

fn race_rows(names: &Names<'_>, race: &Race) -> Vec<Row> {
    let row = |label: &str, id: OperationId| {
        let operation = names.recording.operation(id);
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
        [race.first, race.second].map(|id| names.thread(names.recording.operation(id).thread));
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

pub(super) fn in_call(names: &Names<'_>, operation: OperationId) -> String {
    names.call_of(operation).map_or_else(String::new, |call| format!(", in {}", names.call(call)))
}

fn panic_rows(names: &Names<'_>, panic: &Panic) -> Vec<Row> {
    let mut rows = vec![Row::new("thread", names.thread(panic.thread))];
    if let Some(after) = panic.after {
        rows.push(Row::new("after", "its last operation").at(after));
    }
    let more: Vec<_> = panic.message.lines().skip(1).collect();
    if !more.is_empty() {
        rows.push(Row::new("message", names.text(&more.join(" "))));
    }
    rows.push(Row::new(
        "do",
        "the interleaving leads there: handle it in every execution, or join the thread and take its panic as a result",
    ));
    rows
}

fn waiting_row(names: &Names<'_>, waiting: &WaitingThread) -> Row {
    let place = place_text(&waiting.place);
    let text = match waiting.reason {
        WaitReason::Blocking => format!("waits in {place}{}", hold::text(names, waiting)),
        WaitReason::Join(thread) => format!("waits for the end of {}", names.thread(thread)),
        WaitReason::Spinning => format!("spins on {place}, and has read the newest store"),
    };
    Row::new(names.thread(waiting.thread), text).at(waiting.place.source)
}

fn blocked_remedy(names: &Names<'_>, waiting: &[WaitingThread]) -> &'static str {
    if waiting.iter().any(|waiting| hold::is_own(names, waiting)) {
        "a thread cannot lock again what it holds: let the lock go before, as by the end of the guard's scope, or hand the guard on"
    } else if waiting.iter().any(|waiting| waiting.reason == WaitReason::Spinning) {
        "let some thread write what the loop waits for, in every execution"
    } else if waiting.iter().any(|waiting| hold::is_by_ended(names, waiting)) {
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
