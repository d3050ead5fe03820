//! Checks an object under every total order of the SeqCst operations, where that matters.
//!
//! # Paper
//! CDSSpec, section 5.2: sc is total, so that an execution is a graph and a total order S. What is decided for a graph with several:
//! - A fault under one S is a fault of the program: S is one of its executions.
//! - Admissibility is asked of each S (definition 1 is about one r): under an inadmissible S nothing is checked, the others are. The graph is
//!   inadmissible if every S is.
//!
//! # Where it matters
//! - A rule looks at pairs of calls that r leaves unordered, a justifying clause at the calls before it, `concurrent` at those beside it: these
//!   change with S.
//! - The sequential histories do not, all S together: each linear extension of r orders the calls with SeqCst points in one way T, is a linear
//!   extension of r ∪ T, and T comes from an S (see `relation`). A history of r ∪ T is one of r. So where no rule leaves an S out,
//!   and no condition looks at `concurrent`, the histories of r are checked, once.

use super::admissibility::find_inadmissible;
use super::context::{Context, Justified};
use super::{CheckOptions, Finding, SeqCstOrder};
use crate::history::ObjectCalls;
use crate::record::{CallId, ObjectId, OperationId, Recording};
use crate::relation::{OrderRelation, TotalOrders, sc_points_in_order};
use std::ops::ControlFlow;

/// The total orders to check an object under; `None` if they come to nothing else than the partial one.
pub(super) fn total_orders<'a>(
    recording: &Recording,
    calls: &'a ObjectCalls<'_>,
    options: &CheckOptions,
) -> Option<TotalOrders<'a>> {
    if options.sc_order == SeqCstOrder::Partial || !depends_on_order(calls) {
        return None;
    }
    TotalOrders::of(recording, calls.relation())
}

/// Whether the specification says something of these calls that a choice among the orders of unordered calls can change.
fn depends_on_order(calls: &ObjectCalls<'_>) -> bool {
    let is_justified = |slot| calls.method(slot).is_justified();
    has_histories_of_its_own(calls) || (0..calls.len()).any(is_justified)
}

/// Whether each total order must run its own histories.
fn has_histories_of_its_own(calls: &ObjectCalls<'_>) -> bool {
    !calls.specification.rules.is_empty() || calls.has_conditions_on_concurrent()
}

/// What is found first, over the orders.
#[derive(Default)]
struct Found {
    violated: Option<Finding>,
    unjustified: Option<Finding>,
    inadmissible: Option<Finding>,
    has_admissible: bool,
}

/// Checks an object under each of these orders: the first violation and the first unjustified call that come up. A limit or a mistake of
/// the specification ends the check.
///
/// Cost: that of the searches under each order; an order counts as a history.
pub(super) fn check_total_orders(
    context: &mut Context<'_>,
    calls: &ObjectCalls<'_>,
    orders: &TotalOrders<'_>,
) {
    let runs_histories = has_histories_of_its_own(calls);
    if !runs_histories {
        let violated = context.check_conditions(calls, &[]);
        violated.into_iter().for_each(|finding| context.add(finding));
    }
    let (mut found, mut known) = (Found::default(), Justified::default());
    let end = orders.visit(|relation| {
        if !context.budget.take() {
            return ControlFlow::Break(context.limit_finding());
        }
        let sc = sc_points_in_order(context.recording, &relation);
        let ordered = ObjectCalls::of(context.recording, calls.object, &relation);
        check_order(context, &ordered, (&sc, runs_histories), (&mut found, &mut known))
    });
    let Found { violated, unjustified, inadmissible, has_admissible } = found;
    let inadmissible = inadmissible.filter(|_| !has_admissible && end.is_continue());
    let ended = end.break_value().flatten();
    let findings = violated.into_iter().chain(unjustified).chain(inadmissible).chain(ended);
    findings.for_each(|finding| context.add(finding));
}

/// Checks an object under one order, as far as something of the kind was not found yet.
fn check_order(
    context: &mut Context<'_>,
    calls: &ObjectCalls<'_>,
    (sc, runs_histories): (&[OperationId], bool),
    (found, known): (&mut Found, &mut Justified),
) -> ControlFlow<Option<Finding>> {
    match find_inadmissible(calls, sc) {
        None => found.has_admissible = true,
        Some(finding @ Finding::Inadmissible { .. }) => {
            found.inadmissible.get_or_insert(finding);
            return ControlFlow::Continue(());
        }
        Some(finding) => return ControlFlow::Break(Some(finding)),
    }
    if runs_histories && found.violated.is_none() {
        match context.check_conditions(calls, sc) {
            None => {}
            Some(finding @ Finding::Violated { .. }) => found.violated = Some(finding),
            Some(finding) => return ControlFlow::Break(Some(finding)),
        }
    }
    if found.unjustified.is_none() {
        match context.find_unjustified(calls, sc, known) {
            None => {}
            Some(finding @ Finding::Unjustified { .. }) => found.unjustified = Some(finding),
            Some(finding) => return ControlFlow::Break(Some(finding)),
        }
    }
    let is_done = found.unjustified.is_some() && (!runs_histories || found.violated.is_some());
    if is_done { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
}

/// The calls that are ordered in more than one way by the total orders that an object is checked under: beside r, what tells under which
/// relations it is. Empty where there is nothing to choose.
pub(super) fn free_calls(
    recording: &Recording,
    (object, relation): (ObjectId, &OrderRelation),
    options: &CheckOptions,
) -> Vec<CallId> {
    let mut points =
        recording.calls.iter().filter(|call| call.object == object).flat_map(|call| &call.points);
    let has_sc = points.any(|point| recording.operation(point.operation).is_sc());
    if options.sc_order == SeqCstOrder::Partial || !has_sc {
        return Vec::new();
    }
    let calls = ObjectCalls::of(recording, object, relation);
    total_orders(recording, &calls, options).map_or_else(Vec::new, |orders| orders.free_calls().collect())
}
