//! Checks one object of an execution.

use super::admissibility::find_inadmissible;
use super::context::{Context, Justified};
use super::total::{check_total_orders, total_orders};
use crate::history::ObjectCalls;
use crate::record::ObjectId;
use crate::relation::OrderRelation;

/// Checks one object: admissibility; if it is admissible, its sequential histories and that its calls are justified.
pub(super) fn check_object(context: &mut Context<'_>, object: ObjectId, relation: &OrderRelation) {
    let calls = ObjectCalls::of(context.recording, object, relation);
    if calls.is_empty() {
        return;
    }
    if let Some(orders) = total_orders(context.recording, &calls, context.options) {
        check_total_orders(context, &calls, &orders);
        return;
    }
    if let Some(finding) = find_inadmissible(&calls, &[]) {
        context.add(finding);
        return;
    }
    let violated = context.check_conditions(&calls, &[]);
    let unjustified = context.find_unjustified(&calls, &[], &mut Justified::default());
    violated.into_iter().chain(unjustified).for_each(|finding| context.add(finding));
}
