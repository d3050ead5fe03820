//! Checks one object of an execution.

use super::admissibility::find_inadmissible;
use super::{CheckOptions, ExecutionCheck, Finding};
use crate::history::{Budget, Justification, ObjectCalls, SearchEnd, check_histories, justify};
use crate::record::{Limit, LimitKind, ObjectId, Recording, SpecificationError};
use crate::relation::OrderRelation;

/// Checks one object: admissibility; if it is admissible, its sequential histories and that its calls are justified.
pub(super) fn check_object(
    recording: &Recording,
    object: ObjectId,
    order: &OrderRelation,
    options: &CheckOptions,
    budget: &mut Budget,
    check: &mut ExecutionCheck,
) {
    let calls = ObjectCalls::of(recording, object, order);
    if calls.is_empty() {
        return;
    }
    if let Some(finding) = find_inadmissible(&calls) {
        add_finding(&mut check.findings, finding);
        return;
    }
    let histories = check_histories(&calls, &options.search, budget);
    check.history_count = check.history_count.saturating_add(histories.count);
    let found = match histories.end {
        SearchEnd::Finished => None,
        SearchEnd::Stopped(broken) => Some(Finding::Violated {
            object,
            call: broken.call,
            clause: broken.clause,
            before: broken.before,
            state: broken.state,
            specified: broken.specified,
        }),
        SearchEnd::Limit => limit_finding(options),
        SearchEnd::Failed(error) => Some(Finding::SpecError(error)),
    };
    let unjustified = find_unjustified(&calls, options, budget);
    for finding in found.into_iter().chain(unjustified) {
        add_finding(&mut check.findings, finding);
    }
}

/// Adds a finding; mistakes of specifications and limits only once.
fn add_finding(findings: &mut Vec<Finding>, finding: Finding) {
    let is_known = findings.iter().any(|known| match (known, &finding) {
        (Finding::SpecError(known), Finding::SpecError(error)) => is_same_error(known, error),
        (Finding::Limit(known), Finding::Limit(limit)) => known == limit,
        _ => false,
    });
    if !is_known {
        findings.push(finding);
    }
}

fn is_same_error(known: &SpecificationError, error: &SpecificationError) -> bool {
    known.kind == error.kind && known.marker == error.marker
}

fn limit_finding(options: &CheckOptions) -> Option<Finding> {
    let value = options.histories_max?;
    Some(Finding::Limit(Limit { kind: LimitKind::Histories, value }))
}

/// The first call that is unjustified while its predecessors are justified (CDSSpec, definition 4).
fn find_unjustified(calls: &ObjectCalls<'_>, options: &CheckOptions, budget: &mut Budget) -> Option<Finding> {
    let mut unjustified = Vec::new();
    for slot in (0..calls.len()).filter(|&slot| calls.method(slot).is_justified()) {
        match justify(calls, slot, &options.search, budget) {
            Justification::Justified(_) => {}
            Justification::Limit => return first_root(calls, unjustified).or_else(|| limit_finding(options)),
            Justification::Failed(error) => return Some(Finding::SpecError(error)),
            Justification::Unjustified { subhistory_count, example, clause, state, specified } => {
                let finding = Finding::Unjustified {
                    object: calls.object,
                    call: calls.calls()[slot].id,
                    subhistory_count,
                    example,
                    clause,
                    state,
                    specified,
                };
                unjustified.push((slot, finding));
            }
        }
    }
    first_root(calls, unjustified)
}

fn first_root(calls: &ObjectCalls<'_>, unjustified: Vec<(usize, Finding)>) -> Option<Finding> {
    let slots: Vec<usize> = unjustified.iter().map(|(slot, _)| *slot).collect();
    let is_root = |slot: usize| !slots.iter().any(|&other| calls.relation().is_slot_ordered(other, slot));
    unjustified.into_iter().find(|(slot, _)| is_root(*slot)).map(|(_, finding)| finding)
}
