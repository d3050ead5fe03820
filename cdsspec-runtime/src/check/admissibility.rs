//! Which executions the specification speaks about at all (CDSSpec, definition 1).

use super::Finding;
use crate::history::{ObjectCalls, message_of, specification_error};
use crate::record::{OperationId, SpecificationError};
use crate::specification::AdmissibilityRule;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The first unordered pair of calls that a rule wants ordered, as a finding: by the earlier call, then the later one, then the rule.
/// `sc` is the order of the SeqCst points, where one was chosen.
///
/// Cost: O(calls² · rules).
pub(super) fn find_inadmissible(calls: &ObjectCalls<'_>, sc: &[OperationId]) -> Option<Finding> {
    let rules = &calls.specification.rules;
    if rules.is_empty() {
        return None;
    }
    let pairs =
        (0..calls.len()).flat_map(|first| (first + 1..calls.len()).map(move |second| (first, second)));
    pairs
        .filter(|&(first, second)| calls.relation().is_slot_concurrent(first, second))
        .flat_map(|(first, second)| [(first, second), (second, first)])
        .find_map(|(m1, m2)| {
            rules.iter().enumerate().find_map(|(index, rule)| match must_be_ordered(calls, rule, m1, m2) {
                Ok(false) => None,
                Ok(true) => Some(Finding::Inadmissible {
                    object: calls.object,
                    rule: index,
                    first: calls.calls()[m1].id,
                    second: calls.calls()[m2].id,
                    sc: sc.to_vec(),
                }),
                Err(error) => Some(Finding::SpecError(error)),
            })
        })
}

fn must_be_ordered(
    calls: &ObjectCalls<'_>,
    rule: &AdmissibilityRule,
    m1: usize,
    m2: usize,
) -> Result<bool, SpecificationError> {
    let (m1, m2) = (calls.calls()[m1], calls.calls()[m2]);
    if (m1.method, m2.method) != (rule.first, rule.second) {
        return Ok(false);
    }
    let condition = || (rule.must_be_ordered)(&*m1.values, &*m2.values);
    catch_unwind(AssertUnwindSafe(condition))
        .map_err(|payload| specification_error(rule.text, message_of(&*payload), rule.source, m1.thread))
}
