//! How many graphs have each outcome.

use super::enumeration::{Bounds, Enumeration, Found};
use super::trace::{Rounds, TooLarge, Trace};
use crate::syntax::{BLOCKED, Litmus, RACE};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Counts the consistent execution graphs of a test without loops, by their outcomes.
///
/// Takes time exponential in the number of events: ten take milliseconds, twenty may take minutes.
///
/// # Panics
/// If a graph has more than [`EVENTS_MAX`](super::EVENTS_MAX) events, or the test has a loop: see [`enumerate_rounds`].
pub fn enumerate(test: &Litmus) -> BTreeMap<String, u64> {
    assert!(!test.has_loop(), "the graphs of a test with loops are those within so many rounds");
    count(test, Bounds::none()).expect("there is no bound").counts
}

/// The executions of a test whose loops are followed for so many rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unrolled {
    /// How many consistent graphs have each outcome, of those in which every loop has ended.
    pub counts: BTreeMap<String, u64>,
    /// Whether there are others: some thread is still in a loop after its last round.
    pub is_cut: bool,
}

impl Unrolled {
    /// The outcomes of the executions in which all threads have ended.
    pub fn outcomes(&self) -> Vec<&str> {
        self.counts.keys().map(String::as_str).filter(|&outcome| outcome != BLOCKED).collect()
    }
}

/// How much an enumeration may look at before it gives up.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many ways through its code a thread may have.
    pub traces_max: usize,
    /// How many choices are looked at.
    pub steps_max: u64,
}

impl Effort {
    /// As much as it takes.
    pub const UNBOUNDED: Self = Self { traces_max: usize::MAX, steps_max: u64::MAX };
}

/// Counts the graphs of a test in which every loop ends within so many rounds, each time that it is entered: those of the test with
/// its loops written out.
///
/// # Errors
/// If that takes more than the effort.
///
/// # Panics
/// If a graph has more than [`EVENTS_MAX`](super::EVENTS_MAX) events.
pub fn enumerate_rounds(test: &Litmus, rounds: usize, effort: Effort) -> Result<Unrolled, TooLarge> {
    let Effort { traces_max, steps_max } = effort;
    count(test, Bounds { rounds: Rounds { max: rounds, stops_early: false }, traces_max, steps_max })
}

fn count(test: &Litmus, bounds: Bounds) -> Result<Unrolled, TooLarge> {
    let enumeration = Enumeration::new(test, bounds)?;
    let is_cut = |traces: &[&Trace<'_>]| traces.iter().any(|trace| trace.stopped.is_some());
    let mut counts = BTreeMap::new();
    enumeration.visit(&|traces| !is_cut(traces), &mut |found| {
        *counts.entry(outcome(found)).or_default() += 1;
        ControlFlow::Continue(())
    })?;
    let has_looked_at_all = enumeration.visit(&is_cut, &mut |_| ControlFlow::Break(()))?;
    Ok(Unrolled { counts, is_cut: !has_looked_at_all })
}

pub(super) fn outcome(found: &Found<'_, '_>) -> String {
    if found.is_racy {
        RACE.to_string()
    } else if found.traces.iter().any(|trace| trace.waits.is_some()) {
        BLOCKED.to_string()
    } else {
        found.outcome()
    }
}
