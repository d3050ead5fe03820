//! Many finite tests of one structure.

use super::check::{Check, LineUp};
use crate::check::Verdict;
use crate::scenario::{LeftOut, Matrix};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// What many tests came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use = "a test may have failed: look at the verdict"]
pub struct Checks {
    /// What the structure is called.
    pub title: String,
    /// Which tests there were, in words.
    pub tests: String,
    /// The worst that one of them came to; at best `holds_within`, since there are others.
    pub verdict: Verdict,
    /// How many tests were checked; without those that a failure made unnecessary.
    pub checked: u64,
    /// How many of them passed.
    pub passed: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How many tests of a program with a data race.
    pub racy: u64,
    /// How many tests had an execution that is not conflict-serializable ([`Check::is_unserializable`]).
    pub unserializable: u64,
    /// How many of these passed all the same: false alarms.
    pub unserializable_passed: u64,
    /// How many tests were passed over.
    pub left_out: LeftOut,
    /// How many serial histories all of them had.
    pub serial_histories: u64,
    /// How many different concurrent ones.
    pub concurrent_histories: u64,
    /// The first test that failed, as it was generated.
    pub found: Option<Matrix>,
    /// What it came to when it had been made as small as possible.
    pub failure: Option<Box<Check>>,
    /// The first test that was inconclusive.
    pub inconclusive: Option<Box<Check>>,
    /// What bounded the tests that passed, a phrase each.
    pub bounds: Vec<String>,
    /// How long phase 1 took, summed over the tests. Times are the one thing that may differ from run to run.
    pub serial_seconds: f64,
    /// How long all of it took.
    pub seconds: f64,
}

/// The outcome of one test of many.
struct Tried {
    check: Check,
    left_out: LeftOut,
}

impl<T: Send + Sync + 'static> LineUp<T> {
    /// Checks the tests of one's own, and all of 1, 2, … up to `size_max` threads with as many calls, of as many invocations, the first of the scenario, until one
    /// fails. That one is made as small as possible.
    ///
    /// # Paper
    /// `AutoCheck(X)`: Line-Up, figure 6, which does not end where nothing fails.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn auto_check(&self, size_max: usize) -> Checks {
        let tests = format!(
            "all of up to {size_max} threads with as many calls, of the first {size_max} invocations"
        );
        self.check_all(tests, (1..=size_max).map(|size| (size, size, size)))
    }

    /// Checks the tests of one's own, and all of so many threads with so many calls each, until one fails. That one is made as small as possible.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn check_every(&self, threads: usize, calls: usize) -> Checks {
        let tests = format!("all of {threads} threads with {calls} calls each");
        self.check_all(tests, std::iter::once((threads, calls, usize::MAX)))
    }

    fn check_all(&self, tests: String, sizes: impl Iterator<Item = (usize, usize, usize)>) -> Checks {
        let own = self.scenario.tests().iter().map(|test| (test.clone(), LeftOut::default()));
        let mut checks = self.run_tests(tests.clone(), own);
        for (threads, calls, count) in sizes {
            if checks.failure.is_some() && self.stops {
                break;
            }
            let mut matrices = self.scenario.matrices_of_first(threads, calls, count);
            let next = std::iter::from_fn(|| matrices.next().map(|matrix| (matrix, matrices.left_out())));
            let mut more = self.run_tests(tests.clone(), next);
            if more.failure.is_none() {
                // Those behind the last test, too.
                more.left_out = matrices.left_out();
            }
            checks.add(more);
        }
        checks.concluded()
    }

    /// Checks the tests of one's own, and `count` of so many threads with so many calls each, drawn uniformly from `seed`, until one fails. That one is made
    /// as small as possible.
    ///
    /// # Paper
    /// `RandomCheck(X, I, i, j, n)`: Line-Up, figure 8.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn random_check(&self, threads: usize, calls: usize, count: u64, seed: u64) -> Checks {
        let sample = self.scenario.sample(threads, calls, count, seed);
        let tests = format!("{count} of {threads} threads with {calls} calls each, drawn from seed {seed}");
        let own = self.scenario.tests().iter().cloned();
        let all = own.chain(sample.matrices.iter().cloned()).map(|matrix| (matrix, LeftOut::default()));
        let mut checks = self.run_tests(tests, all);
        checks.left_out = sample.left_out;
        checks.concluded()
    }

    /// Checks tests on several OS threads. What they come to does not depend on how many: tests are begun in order, and what stands behind
    /// the first one that fails is forgotten.
    fn run_tests(&self, tests: String, matrices: impl Iterator<Item = (Matrix, LeftOut)> + Send) -> Checks {
        let begin = Instant::now();
        let source = Mutex::new(matrices.enumerate());
        let tried: Mutex<BTreeMap<usize, Tried>> = Mutex::default();
        let has_ended = AtomicBool::new(false);
        let work = || {
            while !has_ended.load(Ordering::Relaxed) {
                let next = source.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((index, (matrix, left_out))) = next else { return };
                let check = self.check(&matrix);
                has_ended.fetch_or(self.stops && check.verdict.is_fault(), Ordering::Relaxed);
                tried.lock().unwrap_or_else(PoisonError::into_inner).insert(index, Tried { check, left_out });
            }
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.jobs).map(|_| scope.spawn(work)).collect();
            work();
            for other in others {
                if let Err(payload) = other.join() {
                    std::panic::resume_unwind(payload);
                }
            }
        });
        let mut checks = Checks::new(self.scenario.title(), tests);
        for tried in tried.into_inner().unwrap_or_else(PoisonError::into_inner).into_values() {
            let has_failed = tried.check.verdict.is_fault();
            checks.note(tried);
            if has_failed && self.stops {
                break;
            }
        }
        if self.shrinks {
            checks.failure = checks.failure.map(|check| Box::new(self.smallest(*check)));
        }
        checks.seconds = begin.elapsed().as_secs_f64();
        checks
    }
}

impl Checks {
    fn new(title: &str, tests: String) -> Self {
        Self {
            title: title.to_owned(),
            tests,
            verdict: Verdict::HoldsWithin,
            checked: 0,
            passed: 0,
            failed: 0,
            racy: 0,
            unserializable: 0,
            unserializable_passed: 0,
            left_out: LeftOut::default(),
            serial_histories: 0,
            concurrent_histories: 0,
            found: None,
            failure: None,
            inconclusive: None,
            bounds: Vec::new(),
            serial_seconds: 0.0,
            seconds: 0.0,
        }
    }

    fn note(&mut self, Tried { check, left_out }: Tried) {
        self.checked += 1;
        self.left_out = left_out;
        self.serial_histories += check.observations.histories().len() as u64;
        self.concurrent_histories += check.full_histories + check.stuck_histories;
        self.serial_seconds += check.serial_seconds;
        self.verdict = self.verdict.min(check.verdict);
        for bound in &check.bounds {
            if !self.bounds.contains(bound) {
                self.bounds.push(bound.clone());
            }
        }
        self.racy += u64::from(check.verdict == Verdict::Race);
        self.unserializable += u64::from(check.is_unserializable);
        if check.holds() {
            self.unserializable_passed += u64::from(check.is_unserializable);
            self.passed += 1;
        } else if check.verdict.is_fault() {
            self.failed += 1;
            if self.failure.is_none() {
                self.found = Some(check.matrix.clone());
                self.failure = Some(Box::new(check));
            }
        } else if self.inconclusive.is_none() {
            self.inconclusive = Some(Box::new(check));
        }
    }

    /// Nothing that was looked at is no pass.
    fn concluded(mut self) -> Self {
        if self.checked == 0 {
            self.verdict = Verdict::Inconclusive;
        }
        self
    }

    /// More tests, after these.
    fn add(&mut self, more: Self) {
        self.verdict = self.verdict.min(more.verdict);
        self.checked += more.checked;
        self.passed += more.passed;
        self.failed += more.failed;
        self.racy += more.racy;
        self.unserializable += more.unserializable;
        self.unserializable_passed += more.unserializable_passed;
        self.left_out.repeated += more.left_out.repeated;
        self.left_out.excluded += more.left_out.excluded;
        self.serial_histories += more.serial_histories;
        self.concurrent_histories += more.concurrent_histories;
        if self.failure.is_none() {
            self.found = more.found;
            self.failure = more.failure;
        }
        self.inconclusive = self.inconclusive.take().or(more.inconclusive);
        for bound in more.bounds {
            if !self.bounds.contains(&bound) {
                self.bounds.push(bound);
            }
        }
        self.serial_seconds += more.serial_seconds;
        self.seconds += more.seconds;
    }

    /// Whether no test failed, and none was inconclusive.
    pub fn holds(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::HoldsWithin)
    }

    /// Does nothing if all tests passed.
    ///
    /// # Panics
    /// With the report, if not.
    #[track_caller]
    pub fn assert_holds(&self) {
        assert!(self.holds(), "{self}");
    }
}
