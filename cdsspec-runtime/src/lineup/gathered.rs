//! What the tests of a search came to, put in their order while they end in another.

use super::check::Check;
use super::checks::Checks;
use super::result::TestResult;
use super::source::{Placed, Tests};
use std::collections::BTreeMap;

/// What the tests of a search came to so far, in their order, whichever ended first.
pub(super) struct Gathered {
    pub(super) checks: Checks,
    /// What each of them came to.
    pub(super) results: Vec<TestResult>,
    /// How many tests there are on all machines, if all of them were looked for.
    pub(super) total: Option<u64>,
    /// Those that ended before one that was begun earlier, by their turn.
    waiting: BTreeMap<u64, (Placed, Check)>,
    next_turn: u64,
    stops: bool,
    /// Whether what comes does not count any more.
    is_over: bool,
}

impl Gathered {
    pub(super) fn new(checks: Checks, stops: bool) -> Self {
        let (results, waiting) = (Vec::new(), BTreeMap::new());
        Self { checks, results, total: None, waiting, next_turn: 0, stops, is_over: false }
    }

    /// The test that was begun at this turn has ended.
    pub(super) fn add(&mut self, turn: u64, placed: Placed, check: Check) {
        self.waiting.insert(turn, (placed, check));
        while !self.is_over
            && let Some((placed, check)) = self.waiting.remove(&self.next_turn)
        {
            self.next_turn += 1;
            self.is_over = self.stops && check.verdict.is_fault();
            self.results.push(TestResult::new(&placed, &check));
            self.checks.note(placed.left_out, check);
        }
    }

    /// No test is to come: how many there are is known, unless a failure made the rest unnecessary.
    pub(super) fn ended<T: Send + Sync + 'static>(mut self, tests: &Tests<'_, T>) -> Self {
        if !self.is_over {
            self.total = Some(tests.count());
            // Those behind the last test, too.
            self.checks.left_out = tests.left_out();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lineup::LineUp;
    use crate::scenario::{LeftOut, Matrix, Scenario};
    use crate::sync::atomic::{AtomicU32, Ordering::SeqCst};

    /// Loses increments.
    #[derive(Default)]
    struct Counter(AtomicU32);

    /// All orders of so many turns.
    fn orders(count: u64) -> Vec<Vec<u64>> {
        let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
        let with_last =
            |order: Vec<u64>| (0..=order.len()).map(move |at| [&order[..at], &[last], &order[at..]].concat());
        orders(last).into_iter().flat_map(with_last).collect()
    }

    #[test]
    fn what_tests_come_to_does_not_depend_on_which_ends_first() {
        let scenario = Scenario::new(Counter::default)
            .op("get()", |counter| counter.0.load(SeqCst).into())
            .op("inc_get()", |counter| {
                let next = counter.0.load(SeqCst) + 1;
                counter.0.store(next, SeqCst);
                next.into()
            });
        let (pass, fail) = (["get()"], ["inc_get()"]);
        let matrices = [[pass, pass], [pass, fail], [fail, fail], [fail, pass], [fail, fail]];
        let matrices: Vec<Matrix> = matrices.iter().map(|columns| scenario.matrix(*columns)).collect();
        let lineup = LineUp::new(scenario);
        let checks: Vec<Check> = matrices.iter().map(|matrix| lineup.check(matrix)).collect();
        let failing: Vec<bool> = checks.iter().map(|check| check.verdict.is_fault()).collect();
        assert_eq!(failing, [false, false, true, false, true]);
        for stops in [true, false] {
            let gather = |order: &[u64]| {
                let mut gathered = Gathered::new(Checks::new("Counter", String::new()), stops);
                for &turn in order {
                    let place = usize::try_from(turn).expect("there are few");
                    let placed =
                        Placed { place: turn, matrix: matrices[place].clone(), left_out: LeftOut::default() };
                    gathered.add(turn, placed, checks[place].clone());
                }
                (gathered.checks.summary(), gathered.results)
            };
            let expected = gather(&[0, 1, 2, 3, 4]);
            assert_eq!(expected.0.checked, if stops { 3 } else { 5 });
            let orders = orders(5);
            assert_eq!(orders.len(), 120);
            for order in &orders {
                assert_eq!(gather(order), expected, "{order:?}");
            }
        }
    }
}
