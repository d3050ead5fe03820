//! What a report says, as a value: made of a recording and its findings, and of the numbers of the run.
//!
//! Whatever shows a report reads nothing else. So all that somebody may want to see must be in here, with its text already safe to show:
//! addresses are numbered, and no code of the user's is run any more.
//!
//! With the feature `json` each type can be serialised. The names of fields are those of the JSON, where nothing else is said; ids are the
//! numbers that the text has.

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
    /// What the engine does not model, a phrase each.
    pub not_modelled: Vec<String>,
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
            not_modelled: Vec::new(),
            replay: None,
            smallest: None,
        }
    }

    /// The report of a run that could not begin.
    pub(crate) fn unusable(program: String, test: Option<String>, error: String) -> Self {
        Self { error: Some(error), ..Self::new(program, test) }
    }

    /// Shows an execution, and how to come to it again; or none.
    pub(crate) fn show(&mut self, execution: Option<ReportedExecution>) {
        let test = self.test.as_ref().filter(|_| execution.is_some());
        self.replay = test.map(|test| format!("cargo test {test} -- --exact"));
        self.execution = execution;
    }
}
