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
