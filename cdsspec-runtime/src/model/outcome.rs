//! What a run came to.

use super::environment::SettingError;
use super::expected::Expected;
use super::remedy::Remedy;
use super::run::Identity;
use super::setting::Settings;
use super::tally::{Counts, Tally};
use crate::check::{Note, Verdict};
use crate::engine::{Engine, Exploration, MemoryClasses};
use crate::process;
use crate::report::{self, Coverage, Text};
use std::collections::BTreeMap;
use std::fmt;
use std::process::{ExitCode, Termination};

/// What a run came to: the verdict, how far it looked, and the report.
///
/// Serialised, with the feature `json`, it is one object, in the order of the fields; `name` is called `program`, and `is_complete` is called `complete`.
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
    /// Whether the run would hold, but for its notes.
    #[cfg_attr(feature = "json", serde(skip))]
    is_refused: bool,
    #[cfg_attr(feature = "json", serde(skip))]
    report: Text,
}

impl Outcome {
    /// The report: what is wrong and why, and how far the run looked. Its lines have at most 100 columns, wherever it is made, but for paths
    /// that do not fit; what is printed ([`Display`](fmt::Display)) is as wide as the terminal, if there is one.
    pub fn report(&self) -> &str {
        self.report.kept()
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
        assert!(self.holds(), "{self}");
    }

    /// Does nothing if the verdict is the one expected, such as that of a seeded bug, or one of an array of several.
    ///
    /// # Panics
    /// With the report, if it is another.
    #[track_caller]
    pub fn assert_verdict(&self, expected: impl Into<Expected>) {
        let expected = expected.into();
        assert!(expected.includes(self.verdict), "expected: {expected}, and not\n{self}");
    }

    /// Prints the notes to the standard error output of the process, which no test harness captures.
    pub(super) fn tell_notes(&self) {
        for note in &self.notes {
            process::write_note(&format!("cdsspec: note: {}: {note}", self.name));
        }
    }

    /// The outcome of a run that ended, without its report.
    pub(super) fn new(
        identity: &Identity,
        engine: &dyn Engine,
        bounds: Vec<String>,
        tally: &Tally,
        exploration: &Exploration,
        settings: &Settings,
    ) -> Self {
        let memory = settings.limits.memory;
        let counts = &tally.counts;
        let of = |verdict| counts.by_verdict.get(&verdict).copied().unwrap_or(0);
        let verdict = verdict(counts, exploration, !bounds.is_empty());
        let is_pass = matches!(verdict, Verdict::Holds | Verdict::HoldsWithin);
        let notes = tally.notes(is_pass);
        let is_refused = settings.is_strict && is_pass && !notes.is_empty();
        Self {
            name: identity.program.clone(),
            engine: engine.name().to_owned(),
            verdict: if is_refused { Verdict::Inconclusive } else { verdict },
            notes,
            executions: counts.executions,
            is_complete: *exploration == Exploration::Complete,
            complete_executions: counts.complete,
            delayed_executions: counts.delayed,
            blocked: of(Verdict::Deadlock) + of(Verdict::Livelock),
            inadmissible: of(Verdict::Inadmissible),
            by_products: counts.by_products,
            shapes: counts.shapes,
            histories: counts.histories,
            seconds: 0.0,
            bounds,
            counts: counts.by_verdict.clone(),
            calls_without_points: counts.calls_without_points,
            left_calls: counts.left_calls,
            unchecked_objects: counts.unchecked_objects,
            left_blocks: counts.left.0,
            left_bytes: counts.left.1,
            limit: match exploration {
                Exploration::Limit(limit) => Some(limit.to_string()),
                _ => None,
            },
            not_modelled: engine
                .not_modelled()
                .iter()
                .copied()
                .chain(unseen_memory(memory))
                .map(str::to_owned)
                .collect(),
            remedy: None,
            is_refused,
            report: Text::default(),
        }
    }

    /// The outcome of a run that could not begin.
    pub(super) fn unusable(identity: Identity, error: &SettingError) -> Self {
        Self {
            name: identity.program,
            engine: String::new(),
            verdict: Verdict::Inconclusive,
            executions: 0,
            is_complete: false,
            complete_executions: 0,
            delayed_executions: 0,
            blocked: 0,
            inadmissible: 0,
            by_products: 0,
            shapes: 0,
            histories: 0,
            seconds: 0.0,
            bounds: Vec::new(),
            counts: BTreeMap::new(),
            calls_without_points: 0,
            left_calls: 0,
            unchecked_objects: 0,
            left_blocks: 0,
            left_bytes: 0,
            limit: None,
            not_modelled: Vec::new(),
            notes: Vec::new(),
            remedy: None,
            is_refused: false,
            report: Text::of(|columns| report::unusable(error, columns)),
        }
    }

    pub(super) fn write_report(&mut self, tally: &Tally, exploration: &Exploration, identity: &Identity) {
        // The worst execution is shown if the verdict is its own.
        let shown = tally.worst.as_ref().filter(|worst| worst.verdict == self.verdict);
        let coverage = Coverage {
            test: identity.test.as_deref(),
            engine: &self.engine,
            verdict: self.verdict,
            executions: self.executions,
            exploration,
            shown: shown.map(|worst| worst.execution),
            bounds: &self.bounds,
            counts: &self.counts,
            by_products: self.by_products,
            delayed: self.delayed_executions,
            shapes: self.shapes,
            histories: self.histories,
            calls: tally.counts.calls,
            left_calls: self.left_calls,
            unchecked_objects: self.unchecked_objects,
            calls_without_points: self.calls_without_points,
            left: (self.left_blocks, self.left_bytes),
            inadmissible: tally.inadmissible.as_deref(),
            overrides: &identity.overrides,
            not_modelled: &self.not_modelled,
            notes: &self.notes,
            helps: self.remedy.map(Remedy::text),
            is_refused: self.is_refused,
        };
        self.report =
            Text::of(|columns| report::whole(shown.map(|worst| worst.text.at(columns)), &coverage, columns));
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report.printed())
    }
}

/// A `#[test]`, or a `main`, may return an outcome: it succeeds if the program [`holds`](Outcome::holds), and else prints the report.
impl Termination for Outcome {
    fn report(self) -> ExitCode {
        if self.holds() {
            return ExitCode::SUCCESS;
        }
        eprintln!("{self}");
        ExitCode::FAILURE
    }
}

/// What is not looked for in the heap, a phrase each.
fn unseen_memory(classes: MemoryClasses) -> impl Iterator<Item = &'static str> {
    let is_installed = crate::heap::is_installed();
    let unseen = [
        (!is_installed, "freed or uninitialised memory (it takes `cdsspec::allocator!()`)"),
        (is_installed && !classes.uninitialised, "uninitialised memory (switched off)"),
        (is_installed && !classes.freed, "freed memory (switched off)"),
    ];
    unseen.into_iter().filter_map(|(is_unseen, phrase)| is_unseen.then_some(phrase))
}

/// The verdict of a run: the worst of its executions, except that inadmissible ones beside others are only counted. A limit,
/// or nothing to look at, is never a pass.
fn verdict(counts: &Counts, exploration: &Exploration, is_bounded: bool) -> Verdict {
    let of = |verdict| counts.by_verdict.get(&verdict).copied().unwrap_or(0);
    let results: u64 = counts.by_verdict.values().sum();
    match counts.by_verdict.keys().next() {
        Some(&worst) if worst.is_fault() => worst,
        Some(Verdict::Inconclusive) | None => Verdict::Inconclusive,
        Some(_) if *exploration != Exploration::Complete => Verdict::Inconclusive,
        Some(_) if of(Verdict::Inadmissible) == results => Verdict::Inadmissible,
        Some(_) if is_bounded || of(Verdict::HoldsWithin) > 0 => Verdict::HoldsWithin,
        Some(_) => Verdict::Holds,
    }
}
