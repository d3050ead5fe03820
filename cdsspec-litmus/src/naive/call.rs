//! The order of the calls.

use super::count::{Effort, outcome};
use super::enumeration::{Bounds, Enumeration, Found};
use super::trace::{Rounds, TooLarge};
use crate::call::{CallOrder, Observed, close};
use crate::syntax::Litmus;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

/// The outcomes of a test, each with the order of its calls, in the executions in which all threads have ended, and each loop within so
/// many rounds.
///
/// # Errors
/// If that takes more than the effort.
///
/// # Panics
/// If a graph has more than [`EVENTS_MAX`](super::EVENTS_MAX) events.
///
/// # Paper
/// CDSSpec, section 5.2: X hb Y or X sc Y, for ordering points X of A and Y of B, gives A r B; the order is closed. sc is psc\u{207a}.
pub fn enumerate_calls(test: &Litmus, rounds: usize, effort: Effort) -> Result<BTreeSet<Observed>, TooLarge> {
    let Effort { traces_max, steps_max } = effort;
    let rounds = Rounds { max: rounds, stops_early: false };
    let enumeration = Enumeration::new(test, Bounds { rounds, traces_max, steps_max })?;
    let mut observed = BTreeSet::new();
    enumeration.visit(&|traces| traces.iter().all(|trace| trace.has_ended()), &mut |found| {
        observed.insert((outcome(found), order(found, test.locations.len())));
        ControlFlow::Continue(())
    })?;
    Ok(observed)
}

/// The order of the calls of a graph, which begins with so many initial stores.
fn order(found: &Found<'_, '_>, initial: usize) -> CallOrder {
    let mut points = Vec::new();
    let mut first = initial;
    for (thread, trace) in found.traces.iter().enumerate() {
        for (call, events) in trace.calls.iter().enumerate() {
            points.extend(events.iter().map(|event| ((thread, call), first + event)));
        }
        first += trace.events.len();
    }
    let graphs = found.graphs;
    let mo = graphs.shape.modification_order(found.orders);
    let psc = graphs.shape.psc(found.hb, found.rf, &mo).closure();
    let is_sc = |event: usize| graphs.events[event].order == Some(Ordering::SeqCst);
    let is_before = |x: usize, y: usize| found.hb.has(x, y) || is_sc(x) && is_sc(y) && psc.has(x, y);
    let edges = points.iter().flat_map(|&(one, x)| {
        let after = points.iter().filter(move |&&(other, y)| one != other && is_before(x, y));
        after.map(move |&(other, _)| (one, other))
    });
    close(edges.collect())
}
