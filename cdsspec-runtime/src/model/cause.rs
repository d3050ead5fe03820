//! Which single memory orders are to blame: the execution that shows a fault is run again with each order made stronger, one at a time.
//!
//! It is run again step by step, so this costs one run for each order, whatever the exploration cost. If the execution cannot be run again with the stronger order, it is
//! none of the program with that order; or it is one still, and has no fault any more, as a race that is ordered then. What else the program with that order does is not
//! looked at: that is what `advise` is for.

use super::again::run_again;
use super::identity::Identity;
use super::setting::Settings;
use super::tally::Worst;
use super::visit::{OrderedProgram, with_orders};
use crate::engine::{Engine, Exploration, Program};
use crate::memory_model::MemoryModel;
use crate::port::{OrderTable, Overrides, PlaceLog};
use crate::record::{Course, Orders, Place, Steps};
use crate::report::{OrderCause, OrdersToBlame};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

/// The runs together have so many steps, at most: what takes longer than a moment is not asked for.
const STEPS_MAX: usize = 10_000;

/// Which orders are to blame for the execution that a run shows. `None`: it cannot be told, or not in a moment.
pub(super) fn find(
    engine: &dyn Engine,
    settings: &Settings,
    identity: &Identity,
    subject: &OrderedProgram<'_>,
    worst: &Worst,
) -> Option<OrdersToBlame> {
    let Some(Course::Steps(steps)) = &worst.course else { return None };
    if settings.memory_model == MemoryModel::Sc || !worst.verdict.is_fault() {
        return None;
    }
    let sites = sites(worst);
    if sites.is_empty() || sites.len() * steps.steps.len() > STEPS_MAX {
        return None;
    }
    let again = Again { engine, settings, identity, program: &subject.program, steps };
    let written = Overrides::new();
    let base = subject.table.map_or(&written, |table| table.overrides());
    let mut causes: Vec<OrderCause> = sites.iter().filter_map(|site| site.cause(base, &again)).collect();
    causes.sort_by_key(|cause| (strongest(cause.orders) == SeqCst, cause.place.sort_key()));
    Some(match causes.is_empty() {
        false => OrdersToBlame::Each(causes),
        // Stronger orders order more calls as well, so that a fault may be there with all of them, and not with one.
        true if again.has_fault(Overrides::strongest()) => OrdersToBlame::None,
        true => OrdersToBlame::Several,
    })
}

/// An execution that is run again.
struct Again<'a> {
    engine: &'a dyn Engine,
    settings: &'a Settings,
    identity: &'a Identity,
    program: &'a Program,
    steps: &'a Steps,
}

impl Again<'_> {
    /// Whether it is one of the program with these orders, and has a fault.
    fn has_fault(&self, overrides: Overrides) -> bool {
        let table = Arc::new(OrderTable::new(overrides, PlaceLog::default()));
        let (program, course) = (with_orders(self.program, table), Course::Steps(self.steps.clone()));
        let (exploration, worst) = run_again(self.engine, self.settings, self.identity, program, course);
        exploration == Exploration::Replayed && worst.is_some_and(|worst| worst.verdict.is_fault())
    }
}

/// An order of a place that the execution had in force.
struct OrderSite {
    place: Place,
    has_succeeded: bool,
    has_failed: bool,
}

/// The places with orders that the execution came to, in the order of the source.
fn sites(worst: &Worst) -> Vec<OrderSite> {
    let mut sites = BTreeMap::new();
    for operation in &worst.execution.interleaving {
        let place = operation.place;
        if place.orders == Orders::None || place.is_added_fence() {
            continue;
        }
        let site = sites.entry(place.sort_key()).or_insert(OrderSite {
            place,
            has_succeeded: false,
            has_failed: false,
        });
        site.has_succeeded |= !operation.is_failed;
        site.has_failed |= operation.is_failed;
    }
    sites.into_values().collect()
}

impl OrderSite {
    /// The weakest orders of the place that take the fault away, if any do.
    fn cause(&self, base: &Overrides, again: &Again<'_>) -> Option<OrderCause> {
        let in_force = base.at(&self.place).orders?;
        let candidates = self.stronger(in_force);
        let takes_away = |orders: &Orders| !again.has_fault(base.clone().with_orders(self.place, *orders));
        // Most take nothing away, whatever they are.
        candidates.last().filter(|&strongest| takes_away(strongest))?;
        let orders = candidates.into_iter().find(takes_away)?;
        Some(OrderCause::new(self.place, orders))
    }

    /// The orders that are stronger, from the weakest up; those of a failure only where one happened.
    fn stronger(&self, in_force: Orders) -> Vec<Orders> {
        let above = |order, all: &[Ordering]| {
            all.iter().copied().filter(move |&other| is_below(order, other)).collect()
        };
        let orders: Vec<Orders> = match in_force {
            Orders::None => Vec::new(),
            Orders::One(order) => {
                let all: Vec<Ordering> = above(order, &[Acquire, Release, AcqRel, SeqCst]);
                all.into_iter().map(Orders::One).collect()
            }
            Orders::Two(success, failure) => {
                let successes: Vec<Ordering> = if self.has_succeeded {
                    above(success, &[Acquire, Release, AcqRel, SeqCst])
                } else {
                    Vec::new()
                };
                let failures: Vec<Ordering> =
                    if self.has_failed { above(failure, &[Acquire, SeqCst]) } else { Vec::new() };
                let one = successes.iter().map(|&success| Orders::Two(success, failure));
                let other = failures.iter().map(|&failure| Orders::Two(success, failure));
                let both = self.has_succeeded && self.has_failed;
                one.chain(other).chain(both.then_some(Orders::Two(SeqCst, SeqCst))).collect()
            }
        };
        orders.into_iter().filter(|&orders| self.place.allows(orders)).collect()
    }
}

/// Whether an order does less than another one, and nothing that this does not.
fn is_below(first: Ordering, second: Ordering) -> bool {
    match (first, second) {
        (Relaxed, _) => second != Relaxed,
        (Acquire | Release, AcqRel) => true,
        (_, SeqCst) => first != SeqCst,
        _ => false,
    }
}

fn strongest(orders: Orders) -> Ordering {
    match orders {
        Orders::One(order) | Orders::Two(order, Relaxed) => order,
        Orders::Two(success, failure) => {
            if is_below(success, failure) {
                failure
            } else {
                success
            }
        }
        Orders::None => Relaxed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{SourceLocation, operation_name};

    fn site(name: crate::record::OperationName, orders: Orders) -> OrderSite {
        let source = SourceLocation { file: "cause.rs", line: 1, column: 1 };
        OrderSite { place: Place { source, name, orders }, has_succeeded: true, has_failed: true }
    }

    #[test]
    fn what_is_stronger_is_what_std_allows_from_the_weakest_up() {
        let texts = |site: OrderSite| {
            let orders = site.stronger(site.place.orders);
            orders.iter().map(Orders::to_string).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(texts(site(operation_name!("load", Load), Orders::One(Relaxed))), "Acquire; SeqCst");
        assert_eq!(texts(site(operation_name!("store", Store), Orders::One(Release))), "SeqCst");
        assert_eq!(texts(site(operation_name!("swap", Update), Orders::One(Acquire))), "AcqRel; SeqCst");
        assert_eq!(
            texts(site(operation_name!("compare_exchange", CompareExchange), Orders::Two(Release, Relaxed))),
            "AcqRel, Relaxed; SeqCst, Relaxed; Release, Acquire; Release, SeqCst; SeqCst, SeqCst"
        );
        assert_eq!(texts(site(operation_name!("store", Store), Orders::One(SeqCst))), "");
    }
}
