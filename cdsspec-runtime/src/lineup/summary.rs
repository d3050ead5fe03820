//! What a search came to, as numbers and texts: what is printed of it, and what the parts of several machines are put together to.

use super::checks::Checks;
use crate::check::Verdict;
use crate::model::Shard;
use crate::scenario::LeftOut;

/// What a search came to, as numbers and texts alone: the same bytes every time. What [`Checks`] print is this, printed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Summary {
    /// What the structure is called.
    pub title: String,
    /// Which tests there were, in words.
    pub tests: String,
    /// Which part of them was to be checked.
    pub shard: Shard,
    /// The worst that one of them came to.
    pub verdict: Verdict,
    /// How many tests were checked; without those that a failure made unnecessary.
    pub checked: u64,
    /// How many of them passed.
    pub passed: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How many tests were passed over.
    pub left_out: LeftOut,
    /// How many serial histories all of them had.
    pub serial_histories: u64,
    /// How many different concurrent ones.
    pub concurrent_histories: u64,
    /// What bounded the tests, a phrase each.
    pub bounds: Vec<String>,
    /// Why nothing was checked, or why the results are not where they were to be.
    pub limit: Option<String>,
    /// The report of the first test that failed, when it had been made as small as possible; else of the first that was inconclusive.
    pub report: Option<String>,
}

impl Summary {
    /// Whether no test failed, and none was inconclusive.
    pub fn holds(&self) -> bool {
        self.verdict.is_pass()
    }
}

impl Checks {
    /// The same without what the tests came to one by one.
    pub fn summary(&self) -> Summary {
        Summary {
            title: self.title.clone(),
            tests: self.tests.clone(),
            shard: self.shard,
            verdict: self.verdict,
            checked: self.checked,
            passed: self.passed,
            failed: self.failed,
            left_out: self.left_out,
            serial_histories: self.serial_histories,
            concurrent_histories: self.concurrent_histories,
            bounds: self.bounds.clone(),
            limit: self.limit.clone(),
            report: self.failure.as_ref().or(self.inconclusive.as_ref()).map(ToString::to_string),
        }
    }
}
