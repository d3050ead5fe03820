//! Which single memory orders are to blame: the execution that shows a fault is run again with each order made stronger, one at a time.
//!
//! It is run again step by step, so this costs one run for each order, whatever the exploration cost. If the execution cannot be run again with the stronger order, it is
//! none of the program with that order; or it is one still, and has no fault any more, as a race that is ordered then. What else the program with that order does is not
//! looked at: that is what `advise` is for. The program runs as often as there are stronger orders, and prints what it prints each time.

use super::again::run_again;
use super::identity::Identity;
use super::setting::Settings;
use super::tally::Worst;
use super::visit::{OrderedProgram, with_orders};
use crate::check::Verdict;
use crate::engine::{Engine, Exploration, Program};
use crate::memory_model::MemoryModel;
use crate::port::{OrderTable, Overrides, PlaceLog};
use crate::record::{Course, OperationForm, Orders, Place, Steps};
use crate::report::{OrderCause, OrdersToBlame};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::time::Instant;

/// The runs together have so many steps, at most, and take so long by what the first one takes: what takes longer than a moment is not asked for.
const STEPS_MAX: usize = 10_000;
const SECONDS_MAX: f64 = 1.0;

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
    let written = Overrides::new();
    let base = subject.table.map_or(&written, |table| table.overrides());
    let sites: Vec<OrderSite> = sites(worst, base);
    let run_count = 2 + sites.iter().map(|site| site.stronger().len()).sum::<usize>();
    if run_count == 2 || run_count * steps.steps.len() > STEPS_MAX {
        return None;
    }
    let again = Again { engine, settings, identity, program: &subject.program, steps };
    let begin = Instant::now();
    // A program that is not the same each time has no orders to blame.
    if again.run(base) != RerunResult::Fault(worst.verdict)
        || begin.elapsed().as_secs_f64() * run_count as f64 > SECONDS_MAX
    {
        return None;
    }
    let mut causes: Vec<OrderCause> = sites.iter().filter_map(|site| site.cause(base, &again)).collect();
    causes.sort_by_key(|cause| (strongest(cause.orders) == SeqCst, cause.place.sort_key()));
    if !causes.is_empty() {
        return Some(OrdersToBlame::Each(causes));
    }
    // Stronger orders order more calls as well, so that a fault may be there with all of them, and not with some.
    let all = sites.iter().fold(base.clone(), |all, site| site.with(all, site.strongest()));
    match again.run(&all) {
        RerunResult::Fault(_) => Some(OrdersToBlame::None),
        RerunResult::NoFault => Some(OrdersToBlame::Several),
        RerunResult::Unknown => None,
    }
}

/// What an execution came to that was run again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RerunResult {
    /// To a fault.
    Fault(Verdict),
    /// To none, or it is no execution with these orders.
    NoFault,
    /// It cannot be told: a limit was reached, or the calls are not ordered as the specification wants.
    Unknown,
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
    /// What it comes to with these orders. Where it can be run again with the orders that it had, it departs with stronger ones only where these forbid what it did.
    fn run(&self, overrides: &Overrides) -> RerunResult {
        let table = Arc::new(OrderTable::new(overrides.clone(), PlaceLog::default()));
        let (program, course) = (with_orders(self.program, table), Course::Steps(self.steps.clone()));
        let (exploration, worst) = run_again(self.engine, self.settings, self.identity, program, course);
        match (exploration, worst.map(|worst| worst.verdict)) {
            (Exploration::Departed(_), _) | (Exploration::Replayed, None) => RerunResult::NoFault,
            (Exploration::Replayed, Some(verdict)) if verdict.is_fault() => RerunResult::Fault(verdict),
            _ => RerunResult::Unknown,
        }
    }
}

/// The orders of a place that the execution had in force.
struct OrderSite {
    place: Place,
    in_force: Orders,
    /// Of a compare-exchange: whether it succeeded, and failed.
    has_succeeded: bool,
    has_failed: bool,
}

/// The places with orders that the execution came to, in the order of the source.
fn sites(worst: &Worst, base: &Overrides) -> Vec<OrderSite> {
    let mut sites = BTreeMap::new();
    for operation in &worst.execution.interleaving {
        let place = operation.place;
        let Some(in_force) = base.at(&place).orders.filter(|orders| *orders != Orders::None) else {
            continue;
        };
        if place.is_added_fence() {
            continue;
        }
        let site = OrderSite { place, in_force, has_succeeded: false, has_failed: false };
        let site = sites.entry(place.sort_key()).or_insert(site);
        // Of others than a compare-exchange, as a `fetch_update`, the second order is of loads that do not fail.
        let is_exchange = matches!(place.name.form(), OperationForm::CompareExchange);
        site.has_succeeded |= !operation.is_failed || !is_exchange;
        site.has_failed |= operation.is_failed || !is_exchange;
    }
    sites.into_values().collect()
}

impl OrderSite {
    /// The first of the stronger orders of the place that take the fault away, if any do.
    fn cause(&self, base: &Overrides, again: &Again<'_>) -> Option<OrderCause> {
        let takes_away =
            |&orders: &Orders| again.run(&self.with(base.clone(), orders)) == RerunResult::NoFault;
        let orders = self.stronger().into_iter().find(takes_away)?;
        Some(OrderCause::new(self.place, orders))
    }

    /// With other orders here; fences that were added beside the place stay.
    fn with(&self, base: Overrides, orders: Orders) -> Overrides {
        base.with_orders(self.place, orders)
    }

    /// The strongest there are.
    fn strongest(&self) -> Orders {
        match self.in_force {
            Orders::Two(..) => Orders::Two(SeqCst, SeqCst),
            _ => Orders::One(SeqCst),
        }
    }

    /// The orders that are stronger: one that is weaker than another one comes before it. Those of a failure only where one happened.
    fn stronger(&self) -> Vec<Orders> {
        let above = |order| move |other: &Ordering| is_below(order, *other);
        let all = [Acquire, Release, AcqRel, SeqCst].into_iter();
        let orders: Vec<Orders> = match self.in_force {
            Orders::None => Vec::new(),
            Orders::One(order) => all.filter(above(order)).map(Orders::One).collect(),
            Orders::Two(success, failure) => {
                let successes = all.filter(|_| self.has_succeeded).filter(above(success));
                let failures =
                    [Acquire, SeqCst].into_iter().filter(|_| self.has_failed).filter(above(failure));
                let both = self.has_succeeded && self.has_failed;
                let one = successes.map(|success| Orders::Two(success, failure));
                let other = failures.map(|failure| Orders::Two(success, failure));
                one.chain(other).chain(both.then(|| self.strongest())).collect()
            }
        };
        orders.into_iter().filter(|&orders| self.place.allows(orders) && orders != self.in_force).collect()
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
        let place = Place { source, name, orders };
        OrderSite { place, in_force: orders, has_succeeded: true, has_failed: true }
    }

    #[test]
    fn what_is_stronger_is_what_std_allows_from_the_weakest_up() {
        let texts = |site: OrderSite| {
            let orders = site.stronger();
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
