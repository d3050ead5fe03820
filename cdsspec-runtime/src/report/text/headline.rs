//! The first line of a report: the verdict's word, and what is wrong in one sentence.

use super::super::data::{BrokenCondition, FindingKind, ReportedFinding, fold};
use super::name::Names;
use super::phrase::{access, count};
use super::{limit, memory, misuse};
use crate::record::{CallId, Race, WaitReason};
use crate::specification::ClauseKind;

/// The first line.
pub(super) fn text(names: &Names<'_>, finding: &ReportedFinding) -> String {
    format!("{}: {}", finding.verdict, sentence(names, &finding.kind))
}

fn sentence(names: &Names<'_>, finding: &FindingKind) -> String {
    match finding {
        FindingKind::SpecError { error, .. } => fold(&error.to_string()),
        FindingKind::Nondeterministic { message } | FindingKind::EngineFailed { message } => message.clone(),
        FindingKind::Race(race) => raced(names, race),
        FindingKind::Memory(fault) => memory::sentence(names, fault),
        FindingKind::Panic(panic) => fold(panic.message.lines().next().unwrap_or_default()),
        FindingKind::Misused(misuse) => misuse::sentence(names, misuse),
        FindingKind::Blocked { waiting } => {
            match waiting.iter().find(|waiting| waiting.reason == WaitReason::Spinning) {
                Some(waiting) => {
                    format!("{} spins, and nobody can ever end it", names.thread(waiting.thread))
                }
                None => format!("{} can never go on", count(waiting.len(), "thread")),
            }
        }
        FindingKind::Cyclic { edges, .. } => {
            let mut around: Vec<_> = edges.iter().map(|edge| format!("{:?}", edge.first)).collect();
            around.extend(around.first().cloned());
            format!("{} are ordered in a cycle: {}", count(edges.len(), "call"), around.join(" before "))
        }
        FindingKind::Violated(broken) => violated(names, broken),
        FindingKind::Unjustified { subhistories, first } => unjustified(names, first.call, *subhistories),
        FindingKind::Inadmissible { text, first, second, .. } => inadmissible(text, *first, *second),
        FindingKind::Unfinished { call } => format!(
            "{call:?} `{}` was left by a panic after its ordering point, so its object was not checked",
            names.execution.call(*call).method
        ),
        FindingKind::Limit(limit) => format!("an execution reached its limit ({})", limit::text(limit)),
    }
}

/// That two calls are not ordered against a rule.
pub(super) fn inadmissible(rule: &str, first: CallId, second: CallId) -> String {
    format!("{first:?} and {second:?} are not ordered, against admit({rule})")
}

fn raced(names: &Names<'_>, race: &Race) -> String {
    let [first, second] = [race.first, race.second].map(|id| {
        let operation = names.execution.operation(id);
        format!("the {} at {}", access(operation.kind), operation.place.source)
    });
    format!("{first} and {second} are not ordered")
}

fn violated(names: &Names<'_>, broken: &BrokenCondition) -> String {
    let call = names.execution.call(broken.call);
    let (method, returned) = (&call.method, call.returned.as_deref());
    let is_about_return = matches!(broken.clause, ClauseKind::SameReturn | ClauseKind::PostCondition);
    match (returned, broken.s_ret.as_deref()) {
        (Some(returned), Some(specified)) if is_about_return && returned != specified => {
            format!("`{method}` returned {returned}, the specification says {specified}")
        }
        (Some(returned), _) if is_about_return => {
            format!("`{method}` returned {returned}, which breaks its post_condition")
        }
        _ => format!("`{method}` breaks its {}", broken.clause.name()),
    }
}

fn unjustified(names: &Names<'_>, call: CallId, subhistories: u64) -> String {
    let call = names.execution.call(call);
    let did = match &call.returned {
        Some(returned) => format!("`{}` returned {returned}", call.method),
        None => format!("`{}`", call.method),
    };
    match subhistories {
        0 => format!("{did}, and has no justifying subhistory"),
        1 => format!("{did}, and the one justifying subhistory that there is does not allow it"),
        _ => format!("{did}, and none of its {subhistories} justifying subhistories allows it"),
    }
}
