//! Looks at each execution of a run, and counts.

use super::setting::Settings;
use crate::check::{CheckOptions, ExecutionCheck, Note, ShapeCheck, ShapeMemo, Verdict};
use crate::engine::{Visitor, Watch};
use crate::port::{self, OutsideUse};
use crate::process;
use crate::record::{Course, Ending, ReachedBound, Recording};
use crate::report::{self, ReportedExecution, ReportedFinding, RunCounts};
use crate::specification::Specification;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What the executions of a run came to, so far.
pub(super) struct Tally {
    checker: ShapeMemo,
    stop_at_first: bool,
    is_quiet: bool,
    watch: Arc<Watch>,
    pub(super) counts: RunCounts,
    /// The first execution with the worst verdict, `holds` and `holds_within` aside.
    pub(super) worst: Option<Worst>,
    /// What is wrong with the first inadmissible execution.
    pub(super) inadmissible: Option<ReportedFinding>,
    /// What the calls of each specification had, in the order in which it came up.
    pub(super) specifications: Vec<SpecificationCount>,
    /// What is noted beside the recordings; of an engine that has none, nothing.
    pub(super) beside: Beside,
    /// Whether what leads to the execution that was visited last is to be kept.
    wants_course: bool,
    /// The loops whose rounds were not explored beyond a bound, in order of their places.
    pub(super) reached: Vec<ReachedBound>,
}

/// The calls of a specification that returned.
pub(super) struct SpecificationCount {
    specification: &'static Specification,
    calls: u64,
    has_points: bool,
}

/// What the run did beside what its recordings have.
#[derive(Default)]
pub(super) struct Beside {
    has_unspecified_calls: bool,
    used: Vec<&'static str>,
    outside_use: Option<OutsideUse>,
    /// The contracts whose methods answer for their accesses themselves, in the order in which they came up.
    pub(super) exempt: Vec<&'static str>,
}

/// An execution to show.
#[derive(Clone)]
pub(super) struct Worst {
    pub(super) verdict: Verdict,
    /// All that the report says of it.
    pub(super) execution: ReportedExecution,
    /// What leads to it, if that is known.
    pub(super) course: Option<Course>,
}

/// The check of executions as the settings want it. One that is looked at beyond a limit is `inconclusive`.
fn make_checker(settings: &Settings) -> ShapeMemo {
    let mut options = CheckOptions::default();
    options.search.histories = settings.histories;
    options.search.seed = settings.seed;
    options.histories_max = Some(settings.histories_max);
    options.sc_order = settings.sc_order;
    options.contract = settings.contract;
    ShapeMemo::new(options)
}

/// Whether a by-product says something. A mistake of a specification, or a fault of memory, is one, whatever became of the execution.
///
/// What was done up to the cut was done, calls under contracts too: it is the beginning of an execution, closed under sb and rf, by which the points of
/// contracts are ordered. Where threads only wait, the executions in which they go on begin with it, and have its misuses; beyond a bound on loops
/// there are none that are explored.
fn is_looked_at(recording: &Recording, reached: Option<ReachedBound>) -> bool {
    let is_sound = recording.errors.is_empty() && recording.memory_faults.is_empty();
    !is_sound || reached.is_some() && !recording.events.is_empty()
}

impl Tally {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            checker: make_checker(settings),
            stop_at_first: settings.stop_at_first,
            is_quiet: settings.is_quiet,
            watch: Arc::default(),
            counts: RunCounts::default(),
            worst: None,
            inadmissible: None,
            specifications: Vec::new(),
            beside: Beside::default(),
            wants_course: false,
            reached: Vec::new(),
        }
    }

    /// Whether the calls of each specification have ordering points. Cost: O(calls · specifications).
    fn count_points(&mut self, recording: &Recording) {
        for call in recording.calls.iter().filter(|call| !call.is_pending()) {
            let specification = recording.specification(call.object);
            let known =
                self.specifications.iter().position(|one| std::ptr::eq(one.specification, specification));
            let index = known.unwrap_or_else(|| {
                self.specifications.push(SpecificationCount { specification, calls: 0, has_points: false });
                self.specifications.len() - 1
            });
            let count = &mut self.specifications[index];
            count.calls += 1;
            count.has_points |= !call.points.is_empty();
        }
    }

    /// What makes the run say less than it seems to. `is_pass`: it holds, so far.
    pub(super) fn notes(&self, is_pass: bool) -> Vec<Note> {
        let mut notes = Vec::new();
        if is_pass {
            let pointless = self.specifications.iter().filter(|one| !one.has_points);
            notes.extend(pointless.map(|one| Note::NoOrderingPoint {
                specification: one.specification.name.to_owned(),
                calls: one.calls,
            }));
        }
        if is_pass && self.specifications.is_empty() {
            let types: Vec<_> = self.beside.used.iter().map(|&name| name.to_owned()).collect();
            if self.beside.has_unspecified_calls {
                notes.push(Note::OnlyUnspecified);
            } else if !types.is_empty() {
                notes.push(Note::NoCall { types });
            }
        }
        notes.extend(self.beside.outside_use.map(|outside| Note::UsedOutside {
            operation: outside.operation.to_string(),
            place: outside.source.to_string(),
        }));
        notes
    }

    /// Counts an execution. Only a complete one has a shape.
    fn count(&mut self, ShapeCheck { check, is_new }: &ShapeCheck, is_complete: bool) {
        let counts = &mut self.counts;
        *counts.by_verdict.entry(check.verdict).or_default() += 1;
        counts.calls_without_points += check.pointless_call_count;
        counts.left_calls += check.left_call_count;
        counts.unchecked_objects += check.unchecked_objects.len() as u64;
        if *is_new {
            counts.shapes += u64::from(is_complete);
            counts.histories = counts.histories.saturating_add(check.history_count);
            counts.forgotten_states += check.forgotten_state_count;
        }
    }

    fn note_reached(&mut self, bound: Option<ReachedBound>) {
        let Some(bound) = bound.filter(|bound| !self.reached.contains(bound)) else { return };
        self.reached.push(bound);
        self.reached.sort_by_key(|bound| bound.place.sort_key());
    }

    /// The recording is only lent: what the report may need of it is taken at once.
    fn keep(&mut self, recording: &Recording, check: &ExecutionCheck) {
        let verdict = check.verdict;
        if verdict == Verdict::Inadmissible && self.inadmissible.is_none() {
            self.inadmissible =
                check.findings.first().map(|finding| ReportedFinding::new(recording, finding));
        }
        if self.worst.as_ref().is_some_and(|worst| worst.verdict <= verdict) {
            return;
        }
        let number = self.counts.executions;
        let Some(execution) = ReportedExecution::new(recording, &check.findings, number) else { return };
        if !self.stop_at_first && !self.is_quiet && verdict.is_fault() {
            // Whoever interrupts the run, or a crash of the program, leaves this on the screen.
            process::write_line(&report::so_far(&execution, process::columns()));
        }
        self.worst = Some(Worst { verdict, execution, course: None });
        self.wants_course = true;
    }
}

impl Beside {
    /// Engines hand over an execution while it is the current one of this OS thread.
    fn look(&mut self) {
        port::with(|execution| {
            let census = execution.census();
            self.has_unspecified_calls = census.has_unspecified_calls();
            if census.used_count() > self.used.len() {
                self.used = census.used();
            }
            self.outside_use = execution.outside_use();
        });
    }
}

impl Visitor for Tally {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        if process::has_bug() {
            // What our own code did after that says nothing.
            return ControlFlow::Break(());
        }
        self.beside.look();
        self.counts.executions += 1;
        process::note_slow_run(self.counts.executions);
        self.counts.calls += recording.calls.len() as u64;
        self.counts.events += recording.events.len() as u64;
        for event in recording.events.iter().filter(|event| event.contract.is_checked) {
            if !self.beside.exempt.contains(&event.contract.name) {
                self.beside.exempt.push(event.contract.name);
            }
        }
        self.counts.left_blocks += recording.left.0;
        self.counts.left_bytes += recording.left.1;
        let is_by_product = match recording.ending {
            Ending::Complete => {
                self.counts.complete_executions += 1;
                self.counts.delayed_executions += u64::from(recording.is_delayed);
                false
            }
            Ending::ByProduct { reached } => {
                self.note_reached(reached);
                if !is_looked_at(recording, reached) {
                    self.counts.by_products += 1;
                    return ControlFlow::Continue(());
                }
                true
            }
            _ => false,
        };
        let checked = self.checker.check(recording);
        if process::has_bug() {
            return ControlFlow::Break(());
        }
        if is_by_product && checked.check.findings.is_empty() {
            self.counts.by_products += 1;
            return ControlFlow::Continue(());
        }
        self.count_points(recording);
        self.count(&checked, matches!(recording.ending, Ending::Complete));
        // What was seen before was kept before, and names the calls of that execution.
        if checked.is_new {
            self.keep(recording, &checked.check);
        }
        let is_enough = self.stop_at_first && checked.check.verdict.is_fault();
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn needs_operations(&self) -> bool {
        false
    }

    fn note_course(&mut self, course: &dyn Fn() -> Option<Course>) {
        if std::mem::take(&mut self.wants_course)
            && let Some(worst) = &mut self.worst
        {
            worst.course = course();
        }
    }

    fn watch(&self) -> Option<Arc<Watch>> {
        Some(self.watch.clone())
    }

    fn restart(&mut self) {
        self.checker.clear();
        self.counts = RunCounts::default();
        self.worst = None;
        self.inadmissible = None;
        self.specifications = Vec::new();
        self.reached.clear();
    }
}
