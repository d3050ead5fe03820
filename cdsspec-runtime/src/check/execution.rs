//! Checks one execution.

use super::context::Context;
use super::object::check_object;
use super::{CheckOptions, ExecutionCheck, Finding, Verdict};
use crate::contract;
use crate::history::{Budget, Histories};
use crate::record::{CallId, Ending, MethodCall, ObjectId, Recording};
use crate::relation::{Cycle, OrderRelation};

/// Checks one execution: how it ended, how contracts were kept, mistakes of specifications, what is wrong with its memory, acyclicity over all objects; then each object by itself. What
/// an earlier step finds makes the later ones meaningless, so they are left out; only a blocked execution is checked further.
///
/// Cost: that of [`OrderRelation::of_objects`], of admissibility, O(calls² · rules), and of the searches.
pub fn check_execution(recording: &Recording, options: &CheckOptions) -> ExecutionCheck {
    let (mut findings, is_cut) = ending_findings(&recording.ending);
    findings.extend(recording.errors.iter().cloned().map(Finding::SpecError));
    findings.extend(recording.memory_faults.iter().cloned().map(Finding::Memory));
    findings.extend(contract_findings(recording, options));
    if is_cut || !recording.errors.is_empty() || recording.is_memory_broken() {
        return finish(findings, options);
    }
    match OrderRelation::of_objects(recording) {
        Err(cycle) => check_cycle(findings, cycle, options),
        Ok(relations) => check_objects(recording, &relations, findings, options),
    }
}

/// What the ending says, and whether the execution was cut, so that its calls say nothing.
fn ending_findings(ending: &Ending) -> (Vec<Finding>, bool) {
    match ending.clone() {
        Ending::Complete => (Vec::new(), false),
        Ending::Blocked(waiting) => (vec![Finding::Blocked(waiting)], false),
        Ending::ByProduct { .. } => (Vec::new(), true),
        Ending::Race(race) => (vec![Finding::Race(race)], true),
        Ending::Panic(panic) => (vec![Finding::Panic(panic)], true),
        Ending::Nondeterministic(text) => (vec![Finding::Nondeterministic(text)], true),
        Ending::Limit(limit) => (vec![Finding::Limit(limit)], true),
        Ending::EngineFailed(text) => (vec![Finding::EngineFailed(text)], true),
    }
}

/// What is wrong with how objects were used. However the execution ended, what was done up to there was done.
pub(super) fn contract_findings(recording: &Recording, options: &CheckOptions) -> Vec<Finding> {
    let check = contract::examine(recording, &options.contract, options.histories_max);
    let misuses = check.misuses.into_iter().map(Finding::Misused);
    let errors = check.errors.into_iter().map(Finding::SpecError);
    misuses.chain(errors).chain(check.limit.map(Finding::Limit)).collect()
}

pub(super) fn check_cycle(
    mut findings: Vec<Finding>,
    cycle: Cycle,
    options: &CheckOptions,
) -> ExecutionCheck {
    findings.push(Finding::Cyclic { edges: cycle.edges, is_memory_model: cycle.is_memory_model });
    finish(findings, options)
}

/// Checks each object under the order of its calls (CDSSpec, theorem 1).
pub(super) fn check_objects(
    recording: &Recording,
    relations: &[OrderRelation],
    findings: Vec<Finding>,
    options: &CheckOptions,
) -> ExecutionCheck {
    let mut check = finish(findings, options);
    check.pointless_calls = recording
        .calls
        .iter()
        .filter(|call| !call.is_pending() && call.points.is_empty())
        .map(|call| call.id)
        .collect();
    check.pointless_call_count = check.pointless_calls.len() as u64;
    if matches!(recording.ending, Ending::Complete) {
        let is_left = |call: &&MethodCall| call.is_pending() && call.points.is_empty();
        check.left_call_count = recording.calls.iter().filter(is_left).count() as u64;
    }
    let mut context = Context { recording, options, budget: Budget::new(options.histories_max), check };
    for object in (0..recording.objects.len()).map(ObjectId::new) {
        let mut calls = recording.calls.iter().filter(|call| call.object == object);
        // What such a call did may have been seen, and its return value is not known.
        if let Some(pending) = calls.find(|call| call.is_pending() && !call.points.is_empty()) {
            context.check.unchecked_objects.push(object);
            // Of a blocked execution that is all there is to say; one that ran to its end must not read as a pass.
            if matches!(recording.ending, Ending::Complete) {
                context.check.findings.push(Finding::Unfinished { object, call: pending.id });
            }
            continue;
        }
        check_object(&mut context, object, &relations[object.index()]);
    }
    context.check.forgotten_state_count = context.budget.forgotten();
    conclude(context.check, options)
}

fn finish(findings: Vec<Finding>, options: &CheckOptions) -> ExecutionCheck {
    let check = ExecutionCheck {
        verdict: Verdict::Holds,
        findings,
        history_count: 0,
        forgotten_state_count: 0,
        pointless_call_count: 0,
        pointless_calls: Vec::new(),
        left_call_count: 0,
        unchecked_objects: Vec::new(),
    };
    conclude(check, options)
}

/// Sorts the findings, and gives the verdict.
fn conclude(mut check: ExecutionCheck, options: &CheckOptions) -> ExecutionCheck {
    check.findings.sort_by_key(|finding| {
        let (object, call) = subject(finding);
        (finding.verdict(), object, call)
    });
    let best = match options.search.histories {
        Histories::All => Verdict::Holds,
        Histories::Random(_) => Verdict::HoldsWithin,
    };
    check.verdict = check.findings.first().map_or(best, Finding::verdict);
    check
}

/// The object and call that a finding is about.
fn subject(finding: &Finding) -> (Option<ObjectId>, Option<CallId>) {
    match finding {
        Finding::Violated { object, call, .. } | Finding::Unjustified { object, call, .. } => {
            (Some(*object), Some(*call))
        }
        Finding::Inadmissible { object, first, .. } => (Some(*object), Some(*first)),
        Finding::Unfinished { object, call } => (Some(*object), Some(*call)),
        _ => (None, None),
    }
}
