//! What a report says, as a value: made of a recording and its findings, and of the numbers of the run.
//!
//! Whatever shows a report reads nothing else. So all that somebody may want to see must be in here, with its text already safe to show:
//! addresses are numbered, and no code of the user's is run any more.
//!
//! With the feature `json` each type can be serialised. The names of fields are those of the JSON, where nothing else is said; ids are the
//! numbers that the text has.

mod cause;
mod coverage;
mod execution;
mod explain;
mod finding;
mod hint;
mod hold;
mod namer;
mod operation;
mod relation;
mod smallest;

pub use cause::{OrderCause, OrdersToBlame};
pub use coverage::{Bound, Coverage, Remedy, RunCounts};
pub use execution::{ReportedCall, ReportedEvent, ReportedExecution, ReportedThread};
pub use finding::{
    BrokenCondition, FindingKind, MisuseReason, ReportedFinding, ReportedHolder, ReportedMisuse, ReportedWait,
};
pub use hint::Hint;
pub use operation::{ReadsFrom, ReportedOperation};
pub use relation::{OrderReason, OrderedCalls};
pub use smallest::SmallestTest;

pub(super) use namer::fold;

use crate::check::{Note, Verdict};
use crate::process::kept_file;
use crate::record::Schedule;

/// What is longer stands in a file.
const SCHEDULE_SHOWN_MAX: usize = 240;

/// All that is known of a run, for whatever shows it.
///
/// Serialised, with the feature `json`, it is one object. The same run gives the same bytes: it has no address, no time, and no order of a
/// hash map. The fields of `execution` stand in the object itself, if an execution is shown.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Report {
    /// What the program is called.
    pub program: String,
    /// The test that runs it, if one does.
    pub test: Option<String>,
    /// The engine that ran it; empty if none could.
    pub engine: String,
    /// The verdict of the run.
    pub verdict: Verdict,
    /// Why the run could not begin, if it could not: all else is empty then.
    pub error: Option<String>,
    /// The execution that the verdict is from, where it is from one.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub execution: Option<ReportedExecution>,
    /// How far the run looked.
    pub coverage: Coverage,
    /// The first pair of calls that is not ordered against a rule, in the first inadmissible execution.
    pub inadmissible: Option<ReportedFinding>,
    /// The bounds of the run.
    pub bounds: Vec<Bound>,
    /// The memory orders that are not as written, in words; empty if all are.
    pub orders: String,
    /// What makes the run say less than it seems to.
    pub notes: Vec<Note>,
    /// Whether the run would hold, but for these.
    #[cfg_attr(feature = "json", serde(rename = "refused"))]
    pub is_refused: bool,
    /// What would help, where that is known.
    pub remedy: Option<Remedy>,
    /// Which memory orders are to blame for the execution that is shown, where that is known.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub orders_to_blame: Option<OrdersToBlame>,
    /// What the engine does not model, a phrase each.
    pub not_modelled: Vec<String>,
    /// What leads to the execution that is shown, where the engine can run it alone: a value of the setting `replay`.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub schedule: Option<String>,
    /// The command that comes to the same execution again, if one is shown, and a test runs it.
    pub replay: Option<String>,
    /// The smallest test that fails alike, if the test was made smaller.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub smallest: Option<SmallestTest>,
}

impl Report {
    /// The report of a run of which nothing is known: it is inconclusive.
    pub(crate) fn new(program: String, test: Option<String>) -> Self {
        Self {
            program,
            test,
            engine: String::new(),
            verdict: Verdict::Inconclusive,
            error: None,
            execution: None,
            coverage: Coverage::default(),
            inadmissible: None,
            bounds: Vec::new(),
            orders: String::new(),
            notes: Vec::new(),
            is_refused: false,
            remedy: None,
            orders_to_blame: None,
            not_modelled: Vec::new(),
            schedule: None,
            replay: None,
            smallest: None,
        }
    }

    /// The report of a run that could not begin.
    pub(crate) fn unusable(program: String, test: Option<String>, error: String) -> Self {
        Self { error: Some(error), ..Self::new(program, test) }
    }

    /// What leads to the execution that is shown, if it is too long to be shown, and the file where it is to stand.
    pub(crate) fn kept_schedule(&self) -> Option<(String, &str)> {
        let schedule = self.schedule.as_deref().filter(|schedule| schedule.len() > SCHEDULE_SHOWN_MAX)?;
        // The programs of a test have a file each.
        let (_, number) = schedule.split('/').next()?.split_once('+').unwrap_or_default();
        let extension = if number.is_empty() { "replay".to_owned() } else { format!("{number}.replay") };
        Some((kept_file(self.test.as_ref()?, &extension)?, schedule))
    }

    /// Shows an execution, and how to come to it again; or none.
    pub(crate) fn show(&mut self, execution: Option<ReportedExecution>, schedule: Option<Schedule>) {
        self.schedule = schedule.map(|schedule| schedule.to_string());
        let test = self.test.as_ref().filter(|_| execution.is_some());
        self.replay = test.map(|test| {
            let kept = self.kept_schedule().map(|(file, _)| file);
            let value = kept.as_deref().or(self.schedule.as_deref());
            let variable = value.map(|value| format!("CDSSPEC_REPLAY={value} "));
            format!("{}cargo test {test} -- --exact", variable.unwrap_or_default())
        });
        self.execution = execution;
    }
}
