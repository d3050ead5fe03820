//! What a test comes to.

use crate::explore::{Statistics, Verdict};
use std::fmt;

/// What a test comes to. It prints as a report.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Whether all executions show what a serial one shows.
    pub verdict: Verdict,
    /// How many observations the serial executions have; none if the solver gave up before.
    pub serial: Option<usize>,
    /// How large the last formula was.
    pub statistics: Statistics,
    pub(super) report: String,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report)
    }
}
