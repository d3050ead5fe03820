//! Which threads stand still, and where: all that there are, each once. The argument stands with [`progress`](super::progress).

use super::check::{Check, Failure, LineUp, loop_bound};
use super::progress::{Declared, ProgressPhase};
use crate::check::Verdict;
use crate::model::EngineKind;
use crate::scenario::{Caller, ConcurrentLog, Guarantee, Matrix};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// After how many events each thread stands still; `None`: it does not.
type Still = Vec<Option<usize>>;

impl<T: Send + Sync + 'static> LineUp<T> {
    /// Checks alone whether the calls of a test end that are declared to wait for nobody, [`nonblocking`](crate::scenario::Scenario::nonblocking) or
    /// [`wait_free`](crate::scenario::Scenario::wait_free). The engine rc11 does it, under the memory model that is set.
    ///
    /// Cost: as many explorations as there are ways to stop the other threads somewhere, for each thread that makes such calls.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn check_progress(&self, matrix: &Matrix) -> Check {
        let mut check = self.new_check(matrix, Default::default());
        if self.declared(matrix).iter().all(|(progress, _)| *progress == Guarantee::Unknown) {
            check.limit = Some("the start: no call of the test is declared to wait for nobody".to_owned());
            return check;
        }
        check.verdict = Verdict::Holds;
        self.with_progress(check)
    }

    /// The same of a test whose results are right.
    pub(super) fn with_progress(&self, mut check: Check) -> Check {
        let declared = self.declared(&check.matrix);
        if declared.iter().all(|(progress, _)| *progress == Guarantee::Unknown) {
            return check;
        }
        let begin = Instant::now();
        let runs_alone = |column: usize| {
            declared
                .iter()
                .any(|(progress, caller)| *progress != Guarantee::Unknown && *caller == Some(column))
        };
        let columns = check.matrix.columns.len();
        let nobody = vec![None; columns];
        let mut is_over = self.explore_still(&mut check, &declared, nobody).is_none();
        for column in (0..columns).filter(|column| runs_alone(*column)) {
            is_over = is_over || self.run_alone(&mut check, &declared, column);
        }
        check.seconds += begin.elapsed().as_secs_f64();
        check
    }

    /// What is declared of the calls of a matrix, and which column makes them.
    fn declared(&self, matrix: &Matrix) -> Declared {
        let column = |caller: Caller| match caller {
            Caller::Column(column) => Some(usize::from(column)),
            Caller::Initial | Caller::Last => None,
        };
        let calls = matrix.calls();
        calls.map(|(_, caller, entry)| (self.scenario.progress(entry.invocation), column(caller))).collect()
    }

    /// Lets all threads but one stand still wherever they can: whether nothing more is to be looked at.
    fn run_alone(&self, check: &mut Check, declared: &Declared, column: usize) -> bool {
        let columns = check.matrix.columns.len();
        let first: Still = (0..columns).map(|other| (other != column).then_some(0)).collect();
        let mut known = BTreeSet::from([first.clone()]);
        let mut waiting = VecDeque::from([first]);
        while let Some(still) = waiting.pop_front() {
            let Some(stood_still) = self.explore_still(check, declared, still.clone()) else { return true };
            for other in stood_still {
                let mut next = still.clone();
                next[other] = next[other].map(|event_count| event_count + 1);
                if known.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
        }
        false
    }

    /// Explores a test whose threads stand still after so many events: which of them did so in some execution. `None` if a call is stuck, or
    /// the exploration came to no end.
    fn explore_still(&self, check: &mut Check, declared: &Declared, still: Still) -> Option<BTreeSet<usize>> {
        let log = Arc::new(ConcurrentLog::default());
        let program = self.scenario.halting_program(&check.matrix, &log, still);
        let phase = Rc::new(RefCell::new(ProgressPhase::new(log, declared.clone())));
        let explored = self.phase_two_builder().engine(EngineKind::Rc11).visit(program, phase.clone());
        let mut phase = phase.borrow_mut();
        check.still_executions += phase.executions;
        // Who would stand still behind such a loop is not known.
        let further = (!phase.reached.is_empty())
            .then(|| "threads were stopped in front of such a loop alone".to_owned());
        for bound in phase.reached.iter().map(loop_bound).chain(further) {
            if !check.bounds.contains(&bound) {
                check.bounds.push(bound);
            }
            check.verdict = Verdict::HoldsWithin;
        }
        if let Some(stuck) = phase.stuck.take() {
            check.verdict = Verdict::Stuck;
            check.failure = Some(Failure::Stuck(stuck));
            check.source = super::paste::progress(&self.as_set_up(), &check.matrix);
            return None;
        }
        let explored_bounds =
            explored.iter().flat_map(|(_, bounds)| bounds.iter().cloned()).collect::<Vec<_>>();
        for bound in explored_bounds {
            if !check.bounds.contains(&bound) {
                check.bounds.push(bound);
            }
            check.verdict = Verdict::HoldsWithin;
        }
        if let Some(end) = self.ended(&check.matrix, phase.cut.take(), explored) {
            check.verdict = Verdict::Inconclusive;
            end.tell(check);
            return None;
        }
        Some(std::mem::take(&mut phase.stood_still))
    }
}
