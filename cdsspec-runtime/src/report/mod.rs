//! The only place that formats: findings and coverage, in words.

mod coverage;

pub use coverage::{Coverage, unusable, whole};

use crate::check::Finding;
use crate::record::Recording;

/// All that can be said of one execution: the worst finding in full.
pub fn describe(_recording: &Recording, findings: &[Finding]) -> String {
    let Some(finding) = findings.first() else { return String::new() };
    format!("{}: {finding:?}\n", finding.verdict())
}

/// A finding in a line.
pub fn brief(_recording: &Recording, finding: &Finding) -> String {
    format!("{finding:?}")
}
