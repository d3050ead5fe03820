//! The first line of a report: the verdict's word, and what is wrong in one sentence.

use super::name::Names;
use super::{limit, memory};
use crate::check::Finding;
use crate::record::{CallId, ObjectId, OperationKind, WaitReason};
use crate::specification::ClauseKind;

/// The first line.
pub(super) fn text(names: &Names<'_>, finding: &Finding) -> String {
    format!("{}: {}", finding.verdict(), sentence(names, finding))
}

fn sentence(names: &Names<'_>, finding: &Finding) -> String {
    match finding {
        Finding::SpecError(error) => names.text(&error.kind.to_string()),
        Finding::Nondeterministic(message) | Finding::EngineFailed(message) => names.text(message),
        Finding::Race(race) => {
            let [first, second] = [race.first, race.second].map(|id| names.recording.operation(id));
            format!(
                "the {} at {} and the {} at {} are not ordered",
                access(first.kind),
                first.place.source,
                access(second.kind),
                second.place.source
            )
        }
        Finding::Memory(fault) => memory::sentence(names, fault),
        Finding::Panic(panic) => names.text(panic.message.lines().next().unwrap_or_default()),
        Finding::Blocked(waiting) => {
            let spinning = waiting.iter().find(|waiting| waiting.reason == WaitReason::Spinning);
            match spinning {
                Some(waiting) => {
                    format!("{} spins, and nobody can ever end it", names.thread(waiting.thread))
                }
                None => format!("{} can never go on", count(waiting.len(), "thread")),
            }
        }
        Finding::Cyclic { edges, .. } => {
            let mut around: Vec<_> = edges.iter().map(|edge| format!("{:?}", edge.from)).collect();
            around.extend(around.first().cloned());
            format!("{} are ordered in a cycle: {}", count(edges.len(), "call"), around.join(" before "))
        }
        Finding::Violated { call, clause, specified, .. } => {
            violated(names, *call, *clause, specified.as_deref())
        }
        Finding::Unjustified { call, subhistory_count, .. } => unjustified(names, *call, *subhistory_count),
        Finding::Inadmissible { object, rule, first, second, .. } => format!(
            "{first:?} and {second:?} are not ordered, against admit({})",
            rule_text(names, *object, *rule)
        ),
        Finding::Unfinished { call, .. } => format!(
            "{call:?} `{}` was left by a panic after its ordering point, so its object was not checked",
            names.method(*call)
        ),
        Finding::Limit(limit) => format!("an execution reached its limit ({})", limit::text(limit)),
    }
}

fn violated(names: &Names<'_>, call: CallId, clause: ClauseKind, specified: Option<&str>) -> String {
    let method = names.method(call);
    let returned = names.returned(call);
    let is_about_return = matches!(clause, ClauseKind::SameReturn | ClauseKind::PostCondition);
    match (returned, specified) {
        (Some(returned), Some(specified)) if is_about_return && returned != names.text(specified) => {
            format!("`{method}` returned {returned}, the specification says {}", names.text(specified))
        }
        (Some(returned), _) if is_about_return => {
            format!("`{method}` returned {returned}, which breaks its post_condition")
        }
        _ => format!("`{method}` breaks its {}", clause.name()),
    }
}

fn unjustified(names: &Names<'_>, call: CallId, subhistories: u64) -> String {
    let did = match names.returned(call) {
        Some(returned) => format!("`{}` returned {returned}", names.method(call)),
        None => format!("`{}`", names.method(call)),
    };
    match subhistories {
        0 => format!("{did}, and has no justifying subhistory"),
        1 => format!("{did}, and the one justifying subhistory that there is does not allow it"),
        _ => format!("{did}, and none of its {subhistories} justifying subhistories allows it"),
    }
}

/// The rule as written.
pub(super) fn rule_text(names: &Names<'_>, object: ObjectId, rule: usize) -> &'static str {
    names.recording.specification(object).rules[rule].text
}

/// What an access of a cell is.
pub(super) fn access(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::CellRead | OperationKind::Load => "read",
        OperationKind::CellWrite | OperationKind::Store => "write",
        _ => "access",
    }
}

/// `1 call`, `2 calls`.
pub(super) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
