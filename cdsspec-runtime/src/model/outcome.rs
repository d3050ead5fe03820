//! What a run came to.

use super::environment::SettingError;
use super::expected::Expected;
use super::identity::Identity;
use crate::check::{Note, Verdict};
use crate::engine::Exploration;
use crate::process;
use crate::report::{self, Remedy, Report, SmallestTest, Text};
use std::collections::BTreeMap;
use std::fmt;
use std::process::{ExitCode, Termination};

/// What a run came to: the verdict, how far it looked, and the report.
///
/// Serialised, with the feature `json`, it is one object, in the order of the fields; `name` is called `program`, and `is_complete` is called `complete`.
/// If an execution is shown, its [`details`](Self::details) are there as `report`.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
#[must_use = "an outcome may be a failure: look at its verdict, or call `assert_holds`"]
pub struct Outcome {
    /// What the program is called.
    #[cfg_attr(feature = "json", serde(rename = "program"))]
    pub name: String,
    /// The engine that ran it; empty if none could.
    pub engine: String,
    /// The verdict of the run.
    pub verdict: Verdict,
    /// How many executions were explored, by-products included.
    pub executions: u64,
    /// Whether every execution that the engine knows was explored.
    #[cfg_attr(feature = "json", serde(rename = "complete"))]
    pub is_complete: bool,
    /// How many executions ran to their end.
    pub complete_executions: u64,
    /// How many executions ended with threads that can never go on.
    pub blocked: u64,
    /// How many of those that ran to their end are *delayed*: some thread went round a loop without an effect before it went on. Programs
    /// without annotated calls have each of them without these rounds, too.
    pub delayed_executions: u64,
    /// How many executions were inadmissible.
    pub inadmissible: u64,
    /// How many executions ended early for the engine's own reasons: no results.
    pub by_products: u64,
    /// How many shapes (calls, values, order) were checked.
    pub shapes: u64,
    /// How many sequential histories those shapes have.
    pub histories: u64,
    /// How many states of the searches for histories were forgotten, since they took too much memory: some may have been looked at again.
    pub forgotten_states: u64,
    /// How long it took: the one thing that may differ from run to run.
    pub seconds: f64,
    /// The bounds of the run, a phrase each: with one of them, the best verdict is `holds_within`.
    pub bounds: Vec<String>,
    /// How many executions had each verdict; those that none had are left out.
    pub counts: BTreeMap<Verdict, u64>,
    /// How many calls had no ordering point, over all executions.
    pub calls_without_points: u64,
    /// How many calls a panic left before their ordering points, over all executions that ran to their end: taken as not made.
    pub left_calls: u64,
    /// How many objects were not checked, each in each execution, since a call of theirs was pending past its ordering point.
    pub unchecked_objects: u64,
    /// How many blocks of memory the program allocated and had not freed when its execution ended, over all executions, as far as
    /// [`allocator!`](macro@crate::allocator) lets that be seen.
    pub left_blocks: u64,
    /// Their bytes.
    pub left_bytes: u64,
    /// The limit that ended the exploration, as `name = value`.
    pub limit: Option<String>,
    /// What the engine does not model, a phrase each.
    pub not_modelled: Vec<String>,
    /// What makes the run say less than it seems to.
    pub notes: Vec<Note>,
    /// What would help, if memory was used that was freed and it can be told: of a run with the orders as they are written.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub remedy: Option<Remedy>,
    #[cfg_attr(feature = "json", serde(rename = "report", skip_serializing_if = "shows_nothing"))]
    details: Report,
    #[cfg_attr(feature = "json", serde(skip))]
    text: Text,
}

impl Outcome {
    /// The report: what is wrong and why, and how far the run looked. Its lines have at most 100 columns, wherever it is made, but for paths
    /// that do not fit, and the command of the row `replay`, which is to be copied; what is printed ([`Display`](fmt::Display)) is as wide as the terminal, if there is one.
    pub fn report(&self) -> &str {
        self.text.kept()
    }

    /// The same as a value, for whoever shows it in another way: what is wrong, with the execution that shows it, and how far the run looked.
    pub fn details(&self) -> &Report {
        &self.details
    }

    /// Whether the verdict is `holds`, or `holds_within` bounds that the user set or the engine has.
    pub fn holds(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::HoldsWithin)
    }

    /// Does nothing if the program [`holds`](Self::holds).
    ///
    /// # Panics
    /// With the report, if it does not.
    #[track_caller]
    pub fn assert_holds(&self) {
        if !self.holds() {
            self.keep();
            panic!("{self}");
        }
    }

    /// Does nothing if the verdict is the one expected, such as that of a seeded bug, or one of an array of several.
    ///
    /// # Panics
    /// With the report, if it is another.
    #[track_caller]
    pub fn assert_verdict(&self, expected: impl Into<Expected>) {
        let expected = expected.into();
        if !expected.includes(self.verdict) {
            self.keep();
            panic!("expected: {expected}, and not\n{self}");
        }
    }

    /// Writes down what leads to the execution that is shown, if that is too long to be shown: the report names the file.
    pub(super) fn keep_schedule(&self) {
        if let Some((file, schedule)) = self.details.kept_schedule() {
            process::keep(&file, schedule);
        }
    }

    /// Leaves in the target directory what a failing test leaves: with the feature `json` the report as JSON.
    fn keep(&self) {
        #[cfg(feature = "json")]
        if let Some(file) = self.details.test.as_deref().and_then(|test| process::kept_file(test, "json")) {
            let kept = KeptReport { schema: SCHEMA, report: &self.details };
            if let Ok(text) = serde_json::to_string_pretty(&kept) {
                process::keep(&file, &text);
            }
        }
    }

    /// Prints the notes to the standard error output of the process, which no test harness captures.
    pub fn tell_notes(&self) {
        for note in &self.notes {
            process::write_note(&report::note(&self.name, note));
        }
    }

    /// The outcome that a report is about. The seconds are not known to it.
    pub(super) fn new(report: Report) -> Self {
        let counts = &report.coverage.counts;
        let (exploration, of) = (&report.coverage.exploration, |verdict| counts.of(verdict));
        Self {
            name: report.program.clone(),
            engine: report.engine.clone(),
            verdict: report.verdict,
            executions: counts.executions,
            is_complete: *exploration == Exploration::Complete,
            complete_executions: counts.complete_executions,
            blocked: of(Verdict::Deadlock) + of(Verdict::Livelock),
            delayed_executions: counts.delayed_executions,
            inadmissible: of(Verdict::Inadmissible),
            by_products: counts.by_products,
            shapes: counts.shapes,
            histories: counts.histories,
            forgotten_states: counts.forgotten_states,
            seconds: 0.0,
            bounds: report::bound_texts(&report.bounds),
            counts: counts.by_verdict.clone(),
            calls_without_points: counts.calls_without_points,
            left_calls: counts.left_calls,
            unchecked_objects: counts.unchecked_objects,
            left_blocks: counts.left_blocks,
            left_bytes: counts.left_bytes,
            limit: match exploration {
                Exploration::Limit(limit) => Some(limit.to_string()),
                _ => None,
            },
            not_modelled: report.not_modelled.clone(),
            notes: report.notes.clone(),
            remedy: report.remedy,
            text: Text::of(|columns| report::whole(&report, columns)),
            details: report,
        }
    }

    /// The same, with the smallest test that fails alike.
    pub(super) fn with_smallest(self, smallest: SmallestTest) -> Self {
        let report = Report { smallest: Some(smallest), ..self.details };
        Self {
            text: Text::of({
                let report = report.clone();
                move |columns| report::whole(&report, columns)
            }),
            details: report,
            ..self
        }
    }

    /// The outcome of a run that could not begin.
    pub(super) fn unusable(identity: Identity, error: &SettingError) -> Self {
        Self::new(Report::unusable(identity.program, identity.test, error.to_string()))
    }

    /// The outcome of a search over many programs, or of another check than that of specifications: its text is its own.
    pub(crate) fn of_search(name: String, verdict: Verdict, executions: u64, text: Text) -> Self {
        let mut outcome = Self::new(Report::new(name, None));
        outcome.verdict = verdict;
        outcome.details.verdict = verdict;
        outcome.executions = executions;
        outcome.text = text;
        outcome
    }

    /// The same of a program of another name.
    #[cfg(feature = "example")]
    pub(crate) fn renamed(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        name.clone_into(&mut self.details.program);
        self
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.printed())
    }
}

/// A `#[test]`, or a `main`, may return an outcome: it succeeds if the program [`holds`](Outcome::holds), and else prints the report.
impl Termination for Outcome {
    fn report(self) -> ExitCode {
        if self.holds() {
            return ExitCode::SUCCESS;
        }
        self.keep();
        eprintln!("{self}");
        ExitCode::FAILURE
    }
}

/// The version of what is left as JSON. It grows when a field is renamed, leaves, or means something else; new fields may come without.
#[cfg(feature = "json")]
const SCHEMA: u32 = 1;

/// What is left as JSON.
#[cfg(feature = "json")]
#[derive(serde::Serialize)]
struct KeptReport<'r> {
    schema: u32,
    #[serde(flatten)]
    report: &'r Report,
}

/// Without an execution, a report has nothing that the outcome has not.
#[cfg(feature = "json")]
fn shows_nothing(report: &Report) -> bool {
    report.execution.is_none()
}
