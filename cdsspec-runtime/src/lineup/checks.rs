//! What many tests came to.

use super::check::Check;
use crate::check::Verdict;
use crate::model::Shard;
use crate::scenario::{LeftOut, Matrix};

/// What many tests came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use = "a test may have failed: look at the verdict"]
pub struct Checks {
    /// What the structure is called.
    pub title: String,
    /// Which tests there were, in words.
    pub tests: String,
    /// Which part of them was to be checked.
    pub shard: Shard,
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
    /// Why nothing was checked, or why the results are not where they were to be.
    pub limit: Option<String>,
    /// How long phase 1 took, summed over the tests. Times are the one thing that may differ from run to run.
    pub serial_seconds: f64,
    /// How long all of it took.
    pub seconds: f64,
}

impl Checks {
    pub(super) fn new(title: &str, tests: String) -> Self {
        Self {
            title: title.to_owned(),
            tests,
            shard: Shard::WHOLE,
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
            limit: None,
            serial_seconds: 0.0,
            seconds: 0.0,
        }
    }

    pub(super) fn note(&mut self, left_out: LeftOut, check: Check) {
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

    /// Nothing that was looked at is no pass, unless other machines have the tests.
    pub(super) fn conclude(&mut self, total: Option<u64>) {
        if self.checked == 0 && total.unwrap_or(0) == 0 {
            self.verdict = Verdict::Inconclusive;
        }
    }

    /// The results are not where they were to be: without them others would take the tests for checked.
    pub(super) fn fail_to_write(&mut self, error: String) {
        self.verdict = self.verdict.min(Verdict::Inconclusive);
        self.limit = Some(error);
    }

    /// Whether no test failed, and none was inconclusive.
    pub fn holds(&self) -> bool {
        self.verdict.is_pass()
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
