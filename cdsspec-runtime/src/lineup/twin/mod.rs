//! Phase 2 in real time against a naive twin: the histories of every interleaving, and their serial witnesses, looked for one by one.
//!
//! Of Line-Up it has what is no search: how calls are noted, what phase 1 observed, and where the boundaries of an execution stand
//! ([`Boundaries`], whose histories are compared with those of the machine).

mod machine;

use super::history::{Made, Results, SerialHistory};
use super::interval::{Boundaries, Boundary, real_time_clocks};
use super::phase::{Judged, judge, results_of};
use super::{LineUp, ObservationSet};
use crate::check::Verdict;
use crate::engine::Visitor;
use crate::model::MemoryModel;
use crate::record::{Moment, Recording, ThreadId};
use crate::scenario::{ConcurrentLog, LoggedCall, Matrix, Slot};
use machine::{Interleaving, interleavings, interleavings_by_past};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

/// A concurrent history: what became of the calls, and the pairs of calls of which the one had returned before the other began.
type History = (Results, Vec<(Slot, Slot)>);

/// What Line-Up and the twin came to on one test.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TwinCheck {
    /// How many interleavings the twin went through.
    pub interleavings: u64,
    /// Whether these are too many to go through each: those were left which came to a point where another one had been.
    pub is_by_past: bool,
    /// How many executions the graph engine explored.
    pub executions: u64,
    /// How many histories the twin found.
    pub histories: usize,
    /// How many of these no explored execution stands for.
    pub missing: usize,
    /// How many histories explored executions stand for that no interleaving has.
    pub surplus: usize,
    /// Whether some history has no serial witness: as Line-Up says, and as a search through all serial histories for each says. `None` if the serial
    /// histories refute the test already.
    pub refuted: Option<(bool, bool)>,
}

impl TwinCheck {
    /// Whether both found the same.
    pub fn agrees(&self) -> bool {
        self.missing == 0 && self.surplus == 0 && self.refuted.is_none_or(|(one, other)| one == other)
    }
}

impl<T: Send + Sync + 'static> LineUp<T> {
    /// Compares what Line-Up comes to in real time on one test, which exempts no call and declares none, with a naive twin. If there are more
    /// interleavings than `interleavings_max`, those are left that come to a point where another one has been. `None` if there are more
    /// then, too, or some execution has a fault or reaches a bound.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn compare(&self, matrix: &Matrix, interleavings_max: u64) -> Option<TwinCheck> {
        let (by_all, found) = self.interleaved(matrix, interleavings_max, false);
        let (interleavings, found) = match by_all {
            Some(count) => (count, found),
            None => {
                let (count, found) = self.interleaved(matrix, interleavings_max, true);
                (count?, found)
            }
        };
        let log = Arc::new(ConcurrentLog::default());
        let program = self.scenario.noted_program(matrix, &log);
        let explored = Rc::new(RefCell::new(TwinVisitor {
            log,
            found: FoundHistories::default(),
            executions: 0,
            is_cut: false,
        }));
        let builder = self.builder.clone().without_spurious().memory_model(MemoryModel::Sc);
        builder.visit(program, explored.clone()).ok()?;
        let explored = explored.borrow();
        if explored.is_cut {
            return None;
        }
        Some(TwinCheck {
            interleavings,
            is_by_past: by_all.is_none(),
            executions: explored.executions,
            histories: found.all.len(),
            missing: found.all.difference(&explored.found.all).count(),
            surplus: explored.found.all.difference(&found.all).count(),
            refuted: self.refuted(matrix, &found.all),
        })
    }

    /// Whether the same histories are found where interleavings are left by their past; and how many there are then.
    #[cfg(test)]
    pub(super) fn compare_by_past(&self, matrix: &Matrix) -> (bool, u64) {
        let [by_all, by_past] =
            [false, true].map(|is_by_past| self.interleaved(matrix, u64::MAX, is_by_past));
        (by_all.1.all == by_past.1.all, by_past.0.unwrap_or(0))
    }

    /// The histories of all interleavings, and how many there were; `None` if there are more.
    fn interleaved(
        &self,
        matrix: &Matrix,
        count_max: u64,
        is_by_past: bool,
    ) -> (Option<u64>, FoundHistories) {
        let log = Arc::new(ConcurrentLog::default());
        let program = self.scenario.positioned_program(matrix, &log);
        let mut found = FoundHistories::default();
        let visit = |interleaving: &Interleaving| {
            found.add(&log.calls(), |calls| Times::of_interleaving(interleaving, calls));
        };
        let count = if is_by_past {
            let seen =
                |interleaving: &Interleaving| Times::of_interleaving(interleaving, &log.calls()).is_before;
            interleavings_by_past(&program, count_max, seen, visit)
        } else {
            interleavings(&program, count_max, visit)
        };
        (count, found)
    }

    fn refuted(&self, matrix: &Matrix, histories: &BTreeSet<History>) -> Option<(bool, bool)> {
        let observations = self.observe(matrix).ok()?;
        if observations.nondeterminism().is_some() {
            return None;
        }
        let check = self.check_against(matrix, &observations);
        let by_hand = histories.iter().any(|history| !has_witnesses(history, &observations));
        Some((check.verdict == Verdict::Violated, by_hand))
    }
}

/// Whether the history has a serial witness; of a stuck one, whether it has one for each pending call, beside which no other was made.
///
/// # Paper
/// Line-Up, definitions 1 and 2.
fn has_witnesses((results, precedes): &History, observations: &ObservationSet) -> bool {
    let pending = results.iter().enumerate().filter(|(_, made)| **made == Made::Pending);
    let stuck: Vec<Slot> = pending.map(|(index, _)| Slot::new(index)).collect();
    let all = observations.histories();
    if stuck.is_empty() {
        return all.iter().any(|serial| is_witness(serial, results, precedes, None));
    }
    stuck.into_iter().all(|slot| all.iter().any(|serial| is_witness(serial, results, precedes, Some(slot))))
}

fn is_witness(
    serial: &SerialHistory,
    results: &Results,
    precedes: &[(Slot, Slot)],
    pending: Option<Slot>,
) -> bool {
    let at = |slot: Slot| serial.calls.iter().position(|(other, _)| *other == slot);
    let has_result = |(index, made): (usize, &Made)| {
        let there = at(Slot::new(index)).map(|place| &serial.calls[place].1);
        match made {
            Made::Returned(value) => there == Some(&Some(value.clone())),
            Made::Pending if pending == Some(Slot::new(index)) => there == Some(&None),
            Made::Pending | Made::Not => there.is_none(),
        }
    };
    let keeps = |(first, second): &(Slot, Slot)| match (at(*first), at(*second)) {
        (Some(first), Some(second)) => first < second,
        _ => true,
    };
    results.iter().enumerate().all(has_result) && precedes.iter().all(keeps)
}

/// Which boundaries are before which in every order of time that is meant.
struct Times {
    boundaries: Vec<Boundary>,
    /// `[first][second]`
    is_before: Vec<Vec<bool>>,
}

impl Times {
    fn new(boundaries: Vec<Boundary>, is_before: impl Fn(usize, usize) -> bool) -> Self {
        let count = boundaries.len();
        let row =
            |first: usize| (0..count).map(|second| first != second && is_before(first, second)).collect();
        Self { is_before: (0..count).map(row).collect(), boundaries }
    }

    /// Those of an interleaving. A boundary stands anywhere between the steps of its thread beside it, so it is before another one where the
    /// step after the one is not after the step before the other.
    fn of_interleaving(interleaving: &Interleaving, calls: &[Option<LoggedCall>]) -> Self {
        let mut points: Vec<(Boundary, ThreadId, u32)> = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            let Some(call) = call else { continue };
            let mut add = |boundary, moment: Moment| points.push((boundary, call.thread, moment.position));
            add(Boundary::Invocation(Slot::new(index)), call.invocation);
            if let Some((moment, _)) = &call.response {
                add(Boundary::Return(Slot::new(index)), *moment);
            }
        }
        let is_before = |first: usize, second: usize| {
            let ((_, thread, position), (_, other, other_position)) = (points[first], points[second]);
            if thread == other {
                return first < second;
            }
            let (after, before) =
                (interleaving.after(thread, position, other), interleaving.before(other, other_position));
            after.zip(before).is_some_and(|(after, before)| after <= before)
        };
        Self::new(points.iter().map(|point| point.0).collect(), is_before)
    }

    /// The pairs of calls that precede each other, in each order of the boundaries.
    fn orders(&self, passed: &mut Vec<usize>, found: &mut dyn FnMut(Vec<(Slot, Slot)>)) {
        if passed.len() == self.boundaries.len() {
            let mut pairs = Vec::new();
            for (index, &first) in passed.iter().enumerate() {
                let Boundary::Return(returned) = self.boundaries[first] else { continue };
                for &second in &passed[index..] {
                    if let Boundary::Invocation(begun) = self.boundaries[second] {
                        pairs.push((returned, begun));
                    }
                }
            }
            pairs.sort_unstable();
            return found(pairs);
        }
        for next in 0..self.boundaries.len() {
            let is_open = |other: usize| self.is_before[other][next] && !passed.contains(&other);
            if passed.contains(&next) || (0..self.boundaries.len()).any(is_open) {
                continue;
            }
            passed.push(next);
            self.orders(passed, found);
            passed.pop();
        }
    }
}

/// FoundHistories that were found.
#[derive(Default)]
struct FoundHistories {
    all: BTreeSet<History>,
    /// Those whose orders are in it.
    known: HashSet<(Results, Vec<Vec<bool>>)>,
}

impl FoundHistories {
    fn add(&mut self, calls: &[Option<LoggedCall>], times: impl FnOnce(&[Option<LoggedCall>]) -> Times) {
        let (results, times) = (results_of(calls), times(calls));
        if self.known.insert((results.clone(), times.is_before.clone())) {
            times.orders(&mut Vec::new(), &mut |pairs| {
                self.all.insert((results.clone(), pairs));
            });
        }
    }
}

/// Looks at each execution of the graph engine.
struct TwinVisitor {
    log: Arc<ConcurrentLog>,
    found: FoundHistories,
    executions: u64,
    is_cut: bool,
}

impl Visitor for TwinVisitor {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        self.executions += 1;
        match judge(recording) {
            Judged::ByProduct(None) => {}
            Judged::Ended => self.found.add(&self.log.calls(), |calls| {
                let clocks = real_time_clocks(recording);
                let boundaries = Boundaries::of(recording, calls, |operation| &clocks[operation.index()]);
                Times::new(boundaries.list(), |first, second| boundaries.is_before(first, second))
            }),
            Judged::ByProduct(Some(_)) | Judged::Cut => self.is_cut = true,
        }
        if self.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn restart(&mut self) {
        (self.found, self.executions, self.is_cut) = (FoundHistories::default(), 0, false);
    }
}
