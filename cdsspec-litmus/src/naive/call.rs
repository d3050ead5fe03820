//! The order of the calls.

use super::count::{Effort, outcome};
use super::enumeration::{Bounds, Enumeration, Found};
use super::trace::{Rounds, TooLarge};
use crate::call::{CallName, CallOrder, Checked, Observed, close, may_follow};
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
    enumerate(test, rounds, effort, |found| (outcome(found), order(found, test.locations.len())))
}

/// The outcomes of a test, each with the verdict on its calls, in these executions.
///
/// # Errors
/// As [`enumerate_calls`].
///
/// # Panics
/// As [`enumerate_calls`].
pub fn enumerate_verdicts(
    test: &Litmus,
    rounds: usize,
    effort: Effort,
) -> Result<BTreeSet<Checked>, TooLarge> {
    enumerate(test, rounds, effort, |found| {
        let of_thread = |(thread, count): (usize, usize)| (0..count).map(move |call| (thread, call));
        let counts = found.traces.iter().map(|trace| trace.calls.len()).enumerate();
        let calls: Vec<CallName> = counts.flat_map(of_thread).collect();
        (outcome(found), verdict(&calls, &order(found, test.locations.len())))
    })
}

/// What is seen in the executions in which all threads have ended, and each loop within so many rounds.
fn enumerate<T: Ord>(
    test: &Litmus,
    rounds: usize,
    effort: Effort,
    see: impl Fn(&Found<'_, '_>) -> T,
) -> Result<BTreeSet<T>, TooLarge> {
    let Effort { traces_max, steps_max } = effort;
    let rounds = Rounds { max: rounds, stops_early: false };
    let enumeration = Enumeration::new(test, Bounds { rounds, traces_max, steps_max })?;
    let mut seen = BTreeSet::new();
    enumeration.visit(&|traces| traces.iter().all(|trace| trace.has_ended()), &mut |found| {
        seen.insert(see(found));
        ControlFlow::Continue(())
    })?;
    Ok(seen)
}

/// The verdict on these calls, by all sequences of them that extend their order.
fn verdict(calls: &[CallName], order: &CallOrder) -> &'static str {
    if order.iter().any(|(one, other)| one == other) {
        "cyclic"
    } else if is_broken(&mut Vec::new(), calls, order) {
        "violated"
    } else {
        "holds"
    }
}

/// Whether a sequence that begins like this one breaks the condition.
fn is_broken(history: &mut Vec<CallName>, calls: &[CallName], order: &CallOrder) -> bool {
    calls.iter().any(|&call| {
        let may_be_next = order.iter().all(|(before, after)| *after != call || history.contains(before));
        if history.contains(&call) || !may_be_next {
            return false;
        }
        if !may_follow(history.last().copied(), call) {
            return true;
        }
        history.push(call);
        let is_broken = is_broken(history, calls, order);
        history.pop();
        is_broken
    })
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

#[cfg(test)]
mod tests {
    use super::{CallName, CallOrder, verdict};

    #[test]
    fn the_verdict_is_that_of_the_worst_sequence() {
        let (a, b, c) = ((0, 0), (1, 0), (1, 1));
        let order = |pairs: &[(CallName, CallName)]| pairs.iter().copied().collect::<CallOrder>();
        assert_eq!(verdict(&[], &order(&[])), "holds");
        assert_eq!(verdict(&[b, c], &order(&[])), "holds");
        assert_eq!(verdict(&[a, b], &order(&[])), "violated");
        assert_eq!(verdict(&[a, b], &order(&[(a, b)])), "holds");
        assert_eq!(verdict(&[a, b], &order(&[(b, a)])), "violated");
        assert_eq!(verdict(&[a, b, c], &order(&[(a, b)])), "violated");
        assert_eq!(verdict(&[a, b, c], &order(&[(a, b), (a, c)])), "holds");
        assert_eq!(verdict(&[a, b], &order(&[(a, b), (b, a), (a, a), (b, b)])), "cyclic");
    }
}
