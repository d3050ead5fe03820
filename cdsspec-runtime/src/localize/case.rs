//! Test cases of a history as matrices that run, guided by what was recorded of it.

use super::algorithm::{Prefix, TestCase};
use super::run::{Refused, Runner, Runs};
use crate::port::{Guide, GuideStep};
use crate::random::Random;
use crate::scenario::{Entry, GuidedRun, Matrix, Slot};
use std::sync::Arc;

/// The history that the test cases are of.
pub(super) struct CaseSource<'r> {
    refused: &'r Refused,
    entries: Vec<Entry>,
    threads: Vec<u32>,
}

impl<'r> CaseSource<'r> {
    pub(super) fn new(refused: &'r Refused) -> Self {
        let entries = refused.matrix.calls().map(|(_, _, entry)| entry.clone()).collect();
        let threads = refused.calls.iter().map(|call| call.thread).collect();
        Self { refused, entries, threads }
    }

    /// The smallest prefix without linearization.
    pub(super) fn prefix(&self) -> Prefix {
        let prefix = &self.refused.prefix;
        let invoked = |call: &usize| self.refused.calls[*call].invoked;
        let mut begun: Vec<usize> =
            (0..self.refused.calls.len()).filter(|call| invoked(call) < prefix.moment).collect();
        begun.sort_by_key(invoked);
        Prefix { begun, witness: prefix.witness.clone(), threads: self.threads.clone() }
    }

    /// A test case as a matrix: the threads that have calls in it, in their order.
    pub(super) fn matrix(&self, case: &TestCase) -> Matrix {
        let entries = |calls: &[usize]| calls.iter().map(|call| self.entries[*call].clone()).collect();
        let columns = self.columns(case);
        Matrix {
            initial: entries(&case.prepare),
            columns: columns.iter().map(|column| entries(column)).collect(),
            last: entries(&case.reveal),
        }
    }

    fn columns(&self, case: &TestCase) -> Vec<Vec<usize>> {
        let mut threads: Vec<u32> = case.concurrent.iter().map(|call| self.threads[*call]).collect();
        threads.sort_unstable();
        threads.dedup();
        let of = |thread: &u32| {
            case.concurrent.iter().copied().filter(|call| self.threads[*call] == *thread).collect()
        };
        threads.iter().map(of).collect()
    }

    /// The recorded steps of the calls that a test case makes side by side.
    fn steps(&self, case: &TestCase) -> Vec<GuideStep> {
        let mut places = vec![None; self.entries.len()];
        for (thread, column) in (0..).zip(self.columns(case)) {
            for (place, call) in (0..).zip(column) {
                places[call] = Some(GuideStep { thread, call: place });
            }
        }
        let place = |slot: &Slot| places[slot.index()];
        self.refused.steps.iter().filter_map(place).collect()
    }
}

/// Runs a test case up to so many times: whether a history of it has no linearization. The first run keeps to the recorded steps as far as they fit; each other one for a part of them that is
/// drawn, and goes on by the strategy. Calls of one thread have one history. A test case that the scenario excludes does not fail.
///
/// # Paper
/// CGVT, algorithm 1: `CHECK`; III.B: "these schedules are applied to function `CHECK()`".
pub(super) fn fails<T: Send + Sync + 'static>(
    runner: &Runner<T>,
    source: &CaseSource<'_>,
    case: &TestCase,
    (runs, seed): (u64, u64),
) -> bool {
    let matrix = Arc::new(source.matrix(case));
    if !runner.may_run(&matrix) {
        return false;
    }
    let steps = source.steps(case);
    let thread_count = matrix.columns.len();
    let count = if thread_count < 2 { 1 } else { runs };
    let next = move |number: u64| {
        let length = match number {
            0 => steps.len(),
            _ => Random::stream(seed, number).below(steps.len() + 1),
        };
        let guide = Arc::new(Guide::new(steps[..length].to_vec(), thread_count));
        GuidedRun { matrix: matrix.clone(), guide: Some(guide) }
    };
    runner.run(Runs { count, seed, stops: true }, next).refused > 0
}
