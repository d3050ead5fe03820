//! What runs cannot show: that a test case fails in some execution for certain, and that it fails in none without one of its calls. All executions are explored.

use super::run::Runner;
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
    /// For each of the calls side by side, whether the test case holds without it under `Sc`, and under RC11: it is necessary. `None`: a limit was reached.
    ///
    /// # Paper
    /// CGVT, definition 2.
    pub necessary: Vec<[Option<bool>; 2]>,
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

/// Line-Up of the scenario, which explores all executions of a test.
pub(super) fn line_up<T: Send + Sync + 'static>(runner: &Runner<T>, precedence: Precedence) -> LineUp<T> {
    LineUp::new(runner.scenario.clone()).precedence(precedence)
}

/// The smallest test case, and what is shown of it; `None` if the exploration finds no fault in the one that is given, or does not come to its end.
pub(super) fn prove<T: Send + Sync + 'static>(runner: &Runner<T>, matrix: &Matrix) -> Option<CaseProof> {
    let [sc, rc11] =
        [Precedence::RealTime, Precedence::HappensBefore].map(|precedence| line_up(runner, precedence));
    let check = sc.check(matrix);
    if !check.verdict.is_fault() {
        return None;
    }
    let sc_check = shrink_by(&sc, check, one_call_less);
    let without: Vec<Matrix> = without_one(&sc_check.matrix).collect();
    let holds = |lineup: &LineUp<T>, matrix: &Matrix| {
        let check = lineup.check(matrix);
        if check.holds() { Some(true) } else { check.verdict.is_fault().then_some(false) }
    };
    let necessary = without.iter().map(|matrix| [holds(&sc, matrix), holds(&rc11, matrix)]).collect();
    let rc11 = Box::new(rc11.check(&sc_check.matrix));
    Some(CaseProof { sc: Box::new(sc_check), rc11, necessary })
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
