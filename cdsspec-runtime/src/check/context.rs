//! The execution that is checked, and what is asked of one of its objects.

use super::{CheckOptions, ExecutionCheck, Finding};
use crate::history::{Budget, Justification, ObjectCalls, SearchEnd, check_histories, justify};
use crate::record::{Limit, LimitKind, OperationId, Recording, SpecificationError};
use std::collections::HashSet;

/// The execution that is checked, and what came out so far.
pub(super) struct Context<'a> {
    pub(super) recording: &'a Recording,
    pub(super) options: &'a CheckOptions,
    pub(super) budget: Budget,
    pub(super) check: ExecutionCheck,
}

/// The calls of an object that are known to be justified, each with all that its justification looks at: its slot, and
/// [`OrderRelation::surroundings`]. A justification depends on nothing else: on the calls before the call and their order, on those concurrent
/// with it, and on what is recorded of all of them, which does not change in one execution. Where a side effect may look at `concurrent`, it
/// also depends on who is concurrent with the calls before it, and nothing is remembered.
#[derive(Default)]
pub(super) struct Justified(HashSet<(usize, Vec<usize>)>);

impl Context<'_> {
    /// Adds a finding; mistakes of specifications and limits only once.
    pub(super) fn add(&mut self, finding: Finding) {
        let is_known = self.check.findings.iter().any(|known| match (known, &finding) {
            (Finding::SpecError(known), Finding::SpecError(error)) => is_same_error(known, error),
            (Finding::Limit(known), Finding::Limit(limit)) => known == limit,
            _ => false,
        });
        if !is_known {
            self.check.findings.push(finding);
        }
    }

    /// Runs the sequential histories; the first broken one (CDSSpec, definition 6). `sc` is the order of the SeqCst points, where one was
    /// chosen.
    pub(super) fn check_conditions(
        &mut self,
        calls: &ObjectCalls<'_>,
        sc: &[OperationId],
    ) -> Option<Finding> {
        let histories = check_histories(calls, &self.options.search, &mut self.budget);
        self.check.history_count = self.check.history_count.saturating_add(histories.count);
        match histories.end {
            SearchEnd::Finished => None,
            SearchEnd::Stopped(broken) => Some(Finding::Violated {
                object: calls.object,
                call: broken.call,
                clause: broken.clause,
                before: broken.before,
                state: broken.state,
                specified: broken.specified,
                sc: sc.to_vec(),
            }),
            SearchEnd::Limit => self.limit_finding(),
            SearchEnd::Failed(error) => Some(Finding::SpecError(error)),
        }
    }

    /// The first call that is unjustified while its predecessors are justified (CDSSpec, definition 4).
    pub(super) fn find_unjustified(
        &mut self,
        calls: &ObjectCalls<'_>,
        sc: &[OperationId],
        known: &mut Justified,
    ) -> Option<Finding> {
        let mut unjustified = Vec::new();
        let has_memo = !calls.has_conditions_on_concurrent();
        for slot in (0..calls.len()).filter(|&slot| calls.method(slot).is_justified()) {
            let key = (slot, calls.relation().surroundings(slot));
            if has_memo && known.0.contains(&key) {
                continue;
            }
            match justify(calls, slot, &self.options.search, &mut self.budget) {
                Justification::Justified(_) => {
                    known.0.insert(key);
                }
                Justification::Limit => {
                    return first_root(calls, unjustified).or_else(|| self.limit_finding());
                }
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
                        sc: sc.to_vec(),
                    };
                    unjustified.push((slot, finding));
                }
            }
        }
        first_root(calls, unjustified)
    }

    pub(super) fn limit_finding(&self) -> Option<Finding> {
        let value = self.options.histories_max?;
        Some(Finding::Limit(Limit { kind: LimitKind::Histories, value }))
    }
}

fn is_same_error(known: &SpecificationError, error: &SpecificationError) -> bool {
    known.kind == error.kind && known.marker == error.marker
}

fn first_root(calls: &ObjectCalls<'_>, unjustified: Vec<(usize, Finding)>) -> Option<Finding> {
    let slots: Vec<usize> = unjustified.iter().map(|(slot, _)| *slot).collect();
    let is_root = |slot: usize| !slots.iter().any(|&other| calls.relation().is_slot_ordered(other, slot));
    unjustified.into_iter().find(|(slot, _)| is_root(*slot)).map(|(_, finding)| finding)
}
