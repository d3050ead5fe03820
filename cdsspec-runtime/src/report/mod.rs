//! What is said of a run: the value [`Report`], made of a recording and its findings, and its text.
//!
//! `data` makes the value, and `text` puts it into words: the only place that formats. With the feature `json` the value can be serialised.
//! A report has no address, no time and no order of a hash map in it: the same run gives the same bytes.

#![forbid(unsafe_code)]

mod data;
mod text;

#[cfg(test)]
pub(crate) mod scene;
#[cfg(test)]
mod tests;

pub use data::{
    Bound, BrokenCondition, Coverage, FindingKind, Hint, MisuseReason, OrderCause, OrderReason, OrderedCalls,
    OrdersToBlame, ReadsFrom, Remedy, Report, ReportedCall, ReportedEvent, ReportedExecution,
    ReportedFinding, ReportedHolder, ReportedMisuse, ReportedOperation, ReportedThread, ReportedWait,
    RunCounts, SmallestTest,
};
pub use text::{
    ExampleRow, ExampleTable, Text, bound_texts, grouped_table, listing, note, paragraph, so_far, stuck,
    whole,
};
pub(crate) use text::{bug, crash, passed};
