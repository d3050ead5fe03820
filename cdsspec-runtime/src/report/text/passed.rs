//! A test that passes, in a line.

use super::super::data::Report;
use super::coverage::{bound_texts, histories};
use super::phrase::number;
use std::time::Duration;

/// What a test came to that passes, and in which time.
pub(crate) fn passed(report: &Report, time: Duration) -> String {
    let counts = &report.coverage.counts;
    let mut facts = vec![
        number(counts.executions, "execution"),
        number(counts.shapes, "shape"),
        histories(counts.histories),
        format!("{:.2} s", time.as_secs_f64()),
    ];
    facts.extend(bound_texts(&report.bounds));
    format!("cdsspec: {}: {}: {}", report.program, report.verdict, facts.join(", "))
}
