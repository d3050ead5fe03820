//! Findings, with what they name in the recording.

use super::hold;
use super::namer::Namer;
use super::relation::edge;
use super::{BrokenCondition, FindingKind, MisuseReason, ReportedFinding, ReportedMisuse, ReportedWait};
use crate::check::Finding;
use crate::contract::{Misuse, Reason};
use crate::record::{CallId, OperationId, Panic, SourceLocation, SpecificationErrorKind, WaitingThread};
use crate::specification::ClauseKind;

/// A finding.
pub(super) fn finding(namer: &Namer<'_>, finding: &Finding) -> ReportedFinding {
    ReportedFinding { verdict: finding.verdict(), kind: kind(namer, finding) }
}

fn kind(namer: &Namer<'_>, finding: &Finding) -> FindingKind {
    match finding {
        Finding::SpecError(error) => FindingKind::SpecError {
            error: specification_error(namer, &error.kind),
            thread: error.thread,
            place: error.marker,
        },
        Finding::Nondeterministic(message) => FindingKind::Nondeterministic { message: namer.line(message) },
        Finding::Race(race) => FindingKind::Race(race.clone()),
        Finding::Memory(fault) => FindingKind::Memory(fault.clone()),
        Finding::Panic(panic) => {
            FindingKind::Panic(Panic { message: namer.text(&panic.message), ..panic.clone() })
        }
        Finding::Misused(misuse) => FindingKind::Misused(self::misuse(misuse)),
        Finding::Blocked(waiting) => {
            FindingKind::Blocked { waiting: waiting.iter().map(|waiting| wait(namer, waiting)).collect() }
        }
        Finding::Cyclic { edges, is_memory_model } => {
            FindingKind::Cyclic { edges: edges.iter().map(edge).collect(), is_memory_model: *is_memory_model }
        }
        Finding::Violated { call, clause, before, state, specified, sc, .. } => {
            let shown = [state.as_deref(), specified.as_deref()];
            FindingKind::Violated(condition(namer, (*call, *clause), before, shown, sc))
        }
        Finding::Unjustified { call, subhistory_count, example, clause, state, specified, sc, .. } => {
            let shown = [state.as_deref(), specified.as_deref()];
            let first = condition(namer, (*call, *clause), example, shown, sc);
            FindingKind::Unjustified { subhistories: *subhistory_count, first }
        }
        Finding::Inadmissible { object, rule, first, second, sc } => {
            let rule = &namer.recording.specification(*object).rules[*rule];
            FindingKind::Inadmissible {
                text: rule.text.to_owned(),
                place: rule.source,
                first: *first,
                second: *second,
                sc: sc.clone(),
            }
        }
        Finding::Unfinished { call, .. } => FindingKind::Unfinished { call: *call },
        Finding::Limit(limit) => FindingKind::Limit(*limit),
        Finding::EngineFailed(message) => FindingKind::EngineFailed { message: namer.line(message) },
    }
}

fn misuse(misuse: &Misuse) -> ReportedMisuse {
    let source = misuse.condition.source;
    ReportedMisuse {
        contract: misuse.contract.name.to_owned(),
        text: misuse.condition.text.to_owned(),
        says: misuse.condition.says.map(str::to_owned),
        place: SourceLocation { file: source.file, line: source.line, column: source.column },
        event: misuse.event,
        reason: match misuse.reason {
            Reason::Unknown => MisuseReason::Unknown,
            Reason::Empty(set) => MisuseReason::Empty { set: set.map(str::to_owned) },
            Reason::Concurrent(first, second, is_seen) => MisuseReason::Concurrent { first, second, is_seen },
            Reason::NotBefore(first, second) => MisuseReason::NotBefore { first, second },
        },
        order: misuse.order.clone(),
    }
}

/// Only the messages of panics are the user's.
fn specification_error(namer: &Namer<'_>, kind: &SpecificationErrorKind) -> SpecificationErrorKind {
    match kind {
        SpecificationErrorKind::ClausePanicked { clause, message } => {
            SpecificationErrorKind::ClausePanicked { clause, message: namer.line(message) }
        }
        kind => kind.clone(),
    }
}

fn wait(namer: &Namer<'_>, waiting: &WaitingThread) -> ReportedWait {
    ReportedWait {
        thread: waiting.thread,
        place: waiting.place,
        reason: waiting.reason,
        holders: hold::holders(namer.recording, waiting),
    }
}

/// A condition that is broken of a call after others, in this state, in which the side effect returns that.
fn condition(
    namer: &Namer<'_>,
    (call, clause): (CallId, ClauseKind),
    before: &[CallId],
    [state, specified]: [Option<&str>; 2],
    sc: &[OperationId],
) -> BrokenCondition {
    let (text, place) = clause_text(namer, call, clause);
    // The headline has what is specified, before the state is shown: addresses are numbered in that order.
    let s_ret = specified.map(|specified| namer.line(specified));
    BrokenCondition {
        call,
        clause,
        text,
        place,
        history: before.iter().copied().chain([call]).collect(),
        state: state.map(|state| namer.line(state)),
        s_ret,
        sc: sc.to_vec(),
    }
}

/// A clause in the specification's own words, and where it stands.
fn clause_text(namer: &Namer<'_>, call: CallId, kind: ClauseKind) -> (String, SourceLocation) {
    let method = namer.method(namer.recording.call(call));
    match method.clause(kind) {
        Some(clause) if kind != ClauseKind::SameReturn => (clause.text.to_owned(), clause.source),
        // What stands for a post_condition is not written: the side effect is.
        _ => {
            let effect = method.clause(ClauseKind::SideEffect);
            ("c_ret == s_ret".to_owned(), effect.map_or(method.source, |effect| effect.source))
        }
    }
}
