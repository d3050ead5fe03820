//! The smallest test that fails as a test does.

use super::ReportedExecution;

/// A test that was made smaller, as long as it failed alike.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SmallestTest {
    /// How many of the statements that may be left out are in it.
    pub statements: usize,
    /// Of how many.
    pub of: usize,
    /// Whether nothing more could be left out; else there were too many executions to look at.
    #[cfg_attr(feature = "json", serde(rename = "smallest"))]
    pub is_smallest: bool,
    /// The test, as source.
    pub source: String,
    /// An execution in which it fails.
    pub execution: Box<ReportedExecution>,
}
