//! What runs cannot show: that a test case fails in some execution for certain, and that it fails in none without one of its calls. All executions are explored.

use super::judge::TimedCall;
use super::run::{Refused, Runner};
use crate::lineup::{Check, LineUp, Precedence, shrink_by};
use crate::scenario::Matrix;

/// What an exhaustive exploration of the smallest test case comes to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CaseProof {
    /// Under [`MemoryModel::Sc`](crate::model::MemoryModel::Sc), in real time: the test case is sufficient if it is violated.
    pub sc: Box<Check>,
    /// Under RC11, with happens-before.
    pub rc11: Box<Check>,
    /// For each of the calls side by side, whether the test case holds without it under `Sc`, and under RC11, where it fails with it: it is necessary. `None`: a limit was reached, or it does not fail with it.
    ///
    /// # Paper
    /// CGVT, definition 2.
    pub necessary: Vec<[Option<bool>; 2]>,
    /// A history of it that the specification refuses, a line for each call: `thread 1: deq() -> None`, in the order in which they began. It is of a run: an exploration knows nothing of the specification.
    pub history: Vec<String>,
}

impl CaseProof {
    /// Whether some execution of the test case fails, under both memory models.
    pub fn is_sufficient(&self) -> bool {
        [&self.sc, &self.rc11].into_iter().all(|check| check.verdict.is_fault())
    }

    /// Whether each call of those side by side is necessary, under both memory models.
    pub fn is_minimal(&self) -> bool {
        self.necessary.iter().all(|both| both.iter().all(|holds| *holds == Some(true)))
    }
}

/// Line-Up of the scenario, which explores all executions of a test, within the limits that were set up.
pub(super) fn line_up<T: Send + Sync + 'static>(runner: &Runner<T>, precedence: Precedence) -> LineUp<T> {
    let line_up = LineUp::new(runner.scenario.clone()).precedence(precedence);
    line_up.set_up(|builder| builder.within_limits_of(&runner.builder))
}

/// The smallest test case, and what is shown of it; `None` if the exploration finds no fault in the one that is given, or does not come to its end, or finds one that the specification allows.
///
/// Line-Up takes serial runs for the specification, which may allow more, or less. So the specification has the last word on what it says: that the test case fails is confirmed by a run whose history is
/// refused, and that one holds is denied by such a run.
pub(super) fn prove<T: Send + Sync + 'static>(
    runner: &Runner<T>,
    matrix: &Matrix,
    runs: (u64, u64),
) -> Option<CaseProof> {
    let [sc, rc11] =
        [Precedence::RealTime, Precedence::HappensBefore].map(|precedence| line_up(runner, precedence));
    let check = sc.check(matrix);
    if !check.verdict.is_fault() {
        return None;
    }
    let is_confirmed = |matrix: &Matrix| runner.may_run(matrix) && runner.refuted(matrix, runs).is_some();
    let smaller = |matrix: &Matrix| -> Vec<Matrix> {
        one_call_less(matrix).into_iter().filter(|one| is_confirmed(one)).collect()
    };
    let sc_check = shrink_by(&sc, check, smaller);
    let history = lines_of(&runner.refuted(&sc_check.matrix, runs)?);
    let rc11_check = rc11.check(&sc_check.matrix);
    let holds = |lineup: &LineUp<T>, whole: &Check, matrix: &Matrix| {
        let check = lineup.check(matrix);
        match check.holds() {
            _ if !whole.verdict.is_fault() => None,
            true => Some(runner.refuted(matrix, runs).is_none()),
            false => check.verdict.is_fault().then_some(false),
        }
    };
    let of_one = |matrix: Matrix| [holds(&sc, &sc_check, &matrix), holds(&rc11, &rc11_check, &matrix)];
    let necessary = without_one(&sc_check.matrix).map(of_one).collect();
    Some(CaseProof { sc: Box::new(sc_check.clone()), rc11: Box::new(rc11_check), necessary, history })
}

/// The calls of a history in the order in which they began.
fn lines_of(refused: &Refused) -> Vec<String> {
    let mut calls: Vec<_> = refused.calls.iter().collect();
    calls.sort_by_key(|call| call.invoked);
    calls.into_iter().map(TimedCall::line).collect()
}

/// The test cases with one call less: those without one of the calls side by side first, then without one of the last ones, then of the first ones.
fn one_call_less(matrix: &Matrix) -> Vec<Matrix> {
    let mut all: Vec<Matrix> = without_one(matrix).collect();
    for place in (0..matrix.last.len()).rev() {
        let mut smaller = matrix.clone();
        smaller.last.remove(place);
        all.push(smaller);
    }
    for place in (0..matrix.initial.len()).rev() {
        let mut smaller = matrix.clone();
        smaller.initial.remove(place);
        all.push(smaller);
    }
    all
}

/// The test cases without one of the calls side by side, in the order of the columns.
fn without_one(matrix: &Matrix) -> impl Iterator<Item = Matrix> {
    let places = matrix.columns.iter().enumerate();
    let places = places.flat_map(|(column, calls)| (0..calls.len()).map(move |place| (column, place)));
    places.map(|(column, place)| {
        let mut smaller = matrix.clone();
        smaller.columns[column].remove(place);
        smaller.columns.retain(|column| !column.is_empty());
        smaller
    })
}
