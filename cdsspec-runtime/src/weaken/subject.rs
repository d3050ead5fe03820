//! What is judged: programs, as they are written, and what other orders make of them.

use super::program::{Program, Programs};
use super::scope::Scope;
use super::silence::silently;
use super::site::Change;
use crate::check::Verdict;
use crate::model::{Builder, Outcome};
use crate::port::{PlaceLog, ReachedPlace};
use crate::record::Place;
use serde::Serialize;

/// A class of findings, as in figure 8 of the CDSSpec paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Without a specification: races, uses of uninitialised and freed memory, panics, and leaks where they are looked for.
    BuiltIn,
    /// Calls are not ordered that a rule wants ordered.
    Inadmissible,
    /// The specification does not hold.
    Violated,
    /// Threads wait for ever. The paper's tool has no such class.
    Blocked,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::BuiltIn, Self::Inadmissible, Self::Violated, Self::Blocked];

    /// The class as a word, as it is serialised.
    pub fn word(self) -> &'static str {
        match self {
            Self::BuiltIn => "built_in",
            Self::Inadmissible => "inadmissible",
            Self::Violated => "violated",
            Self::Blocked => "blocked",
        }
    }

    /// The class of a fault; `None` for verdicts that are none, or that say nothing of the orders.
    fn of(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::Race | Verdict::Uninitialised | Verdict::Freed | Verdict::Panic | Verdict::Leak => {
                Some(Self::BuiltIn)
            }
            Verdict::Deadlock | Verdict::Livelock => Some(Self::Blocked),
            Verdict::Cyclic | Verdict::Violated | Verdict::Unjustified => Some(Self::Violated),
            Verdict::Inadmissible => Some(Self::Inadmissible),
            _ => None,
        }
    }
}

/// What shows that an order is needed.
#[derive(Clone, Debug)]
pub struct Proof {
    /// In which class.
    pub class: Class,
    /// The verdict.
    pub verdict: Verdict,
    /// The program that shows it.
    pub program: String,
    /// After how many executions of it.
    pub executions: u64,
    /// The report of that run.
    pub report: String,
}

/// What the programs say to other orders.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// One does not hold.
    Fails(Proof),
    /// All hold, after so many executions in total, as far as the runs looked.
    Hold { executions: u64, scope: Scope },
    /// None fails, and why not all can be said to hold.
    Open { program: String, verdict: Verdict, report: String },
}

impl Answer {
    /// If all hold: how far the runs looked.
    pub(super) fn hold(self) -> Option<Scope> {
        match self {
            Self::Hold { scope, .. } => Some(scope),
            Self::Fails(_) | Self::Open { .. } => None,
        }
    }
}

/// A program, and what came of it as it is written.
pub(super) struct Known {
    program: Program,
    outcome: Outcome,
    reached: Vec<ReachedPlace>,
}

/// The programs, as they are written.
pub(super) struct Subject {
    /// Those that take part, the one with the fewest executions first.
    programs: Vec<Known>,
    /// Those that do not hold, and take no part.
    pub(super) left_out: Vec<LeftOut>,
    settings: Settings,
}

/// How many executions of a program that fails are looked at for the places that it reaches.
const EXPLORED_MAX: u64 = 300;

/// What holds for every run.
struct Settings {
    executions_max: Option<u64>,
    uninitialised: Option<bool>,
    freed: Option<bool>,
}

impl Settings {
    fn of(programs: &Programs) -> Self {
        Self {
            executions_max: programs.executions_max,
            uninitialised: programs.uninitialised,
            freed: programs.freed,
        }
    }

    fn builder(&self, name: &str) -> Builder {
        let mut builder = Builder::new().name(name).allow_unreached();
        if let Some(count) = self.executions_max {
            builder = builder.executions_max(count);
        }
        if let Some(is_on) = self.uninitialised {
            builder = builder.uninitialised(is_on);
        }
        if let Some(is_on) = self.freed {
            builder = builder.freed(is_on);
        }
        builder
    }
}

/// A program that does not hold as it is written, so that it says nothing of weaker orders.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LeftOut {
    /// Its name.
    pub program: String,
    /// Its verdict.
    pub verdict: Verdict,
}

impl Subject {
    /// Runs every program as it is written.
    pub(super) fn new(programs: &Programs) -> Self {
        let mut subject =
            Self { programs: Vec::new(), left_out: Vec::new(), settings: Settings::of(programs) };
        for program in &programs.programs {
            let log = PlaceLog::new();
            let outcome = subject.run(program, |builder| builder.place_log(&log));
            subject.programs.push(Known { program: program.clone(), outcome, reached: log.places() });
        }
        subject.programs.sort_by_key(|known| known.outcome.executions);
        subject
    }

    /// The programs that hold as they are written; the others take no part.
    pub(super) fn of_those_that_hold(programs: &Programs) -> Self {
        let mut subject = Self::new(programs);
        let (holding, failing) = subject.programs.into_iter().partition(|known| known.outcome.holds());
        subject.programs = holding;
        let left_out = |known: Known| LeftOut { program: known.program.name, verdict: known.outcome.verdict };
        subject.left_out = Vec::into_iter(failing).map(left_out).collect();
        subject
    }

    /// Whether every program holds as it is written.
    pub(super) fn holds(&self) -> bool {
        self.programs.iter().all(|known| known.outcome.holds())
    }

    /// How many programs take part.
    pub(super) fn program_count(&self) -> usize {
        self.programs.len()
    }

    /// How far the runs of the programs as they are written looked.
    pub(super) fn scope(&self) -> Scope {
        self.programs.iter().fold(Scope::default(), |scope, known| scope.with(&Scope::of(&known.outcome)))
    }

    /// The places that the programs reach, in the order of the source.
    pub(super) fn reached(&self) -> Vec<ReachedPlace> {
        union(self.programs.iter().map(|known| known.reached.as_slice()))
    }

    /// Runs the programs that reach one of the places until one does not hold; what the others came to as written is known.
    pub(super) fn ask(&self, change: &Change) -> Answer {
        let mut total = 0;
        let mut open = None;
        let mut scope = Scope::default();
        for known in &self.programs {
            let is_reached = |place: &Place| known.reached.iter().any(|reached| reached.place == *place);
            let overrides = change.overrides(is_reached);
            let outcome = if overrides.is_empty() {
                known.outcome.clone()
            } else {
                self.run(&known.program, |builder| builder.order_overrides(overrides))
            };
            total += outcome.executions;
            scope = scope.with(&Scope::of(&outcome));
            match judge(known, &outcome) {
                None => {}
                Some(Answer::Open { .. }) if open.is_some() => {}
                Some(Answer::Open { program, verdict, report }) => {
                    open = Some(Answer::Open { program, verdict, report });
                }
                Some(answer) => return answer,
            }
        }
        open.unwrap_or(Answer::Hold { executions: total, scope })
    }

    /// The classes of all that any execution of any program says to a change, in the order of [`Class::ALL`]; under a limit, of those that
    /// were looked at.
    pub(super) fn classes(&self, change: &Change) -> Vec<Class> {
        let mut classes = Vec::new();
        for known in &self.programs {
            let is_reached = |place: &Place| known.reached.iter().any(|reached| reached.place == *place);
            let overrides = change.overrides(is_reached);
            if overrides.is_empty() {
                continue;
            }
            let set = |builder: Builder| builder.order_overrides(overrides).stop_at_first(false).quiet();
            let outcome = self.run(&known.program, set);
            let of_program = outcome.counts.keys().filter_map(|verdict| Class::of(*verdict));
            let is_new = |class: &Class| *class != Class::Inadmissible || known.outcome.inadmissible == 0;
            classes.extend(of_program.filter(is_new));
        }
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// Runs every program with these orders, also beyond faults, and adds the places that come up to those known. A place that comes up only
    /// after many executions is missed, and stays as it is written: whether all hold in the end is looked at anyhow.
    pub(super) fn explore(&mut self, change: &Change) {
        for index in 0..self.programs.len() {
            let known = &self.programs[index];
            let is_reached = |place: &Place| known.reached.iter().any(|reached| reached.place == *place);
            let log = PlaceLog::new();
            let overrides = change.overrides(is_reached);
            let set = |builder: Builder| {
                let builder = builder.place_log(&log).order_overrides(overrides);
                builder.stop_at_first(false).quiet().executions_max(EXPLORED_MAX)
            };
            let _ = self.run(&known.program, set);
            let all = union([known.reached.as_slice(), &log.places()].into_iter());
            self.programs[index].reached = all;
        }
    }

    fn run(&self, program: &Program, set: impl FnOnce(Builder) -> Builder) -> Outcome {
        silently(|| (program.run)(set(self.settings.builder(&program.name))))
    }
}

/// What the outcome of a program says to a change. Inadmissible executions are a finding where there were none before.
fn judge(known: &Known, outcome: &Outcome) -> Option<Answer> {
    let class = match Class::of(outcome.verdict) {
        None if outcome.inadmissible > 0 && known.outcome.inadmissible == 0 => Some(Class::Inadmissible),
        class => class,
    };
    let (program, verdict) = (known.program.name.clone(), outcome.verdict);
    let report = || outcome.report().to_owned();
    match class {
        Some(class) => {
            let executions = outcome.executions;
            Some(Answer::Fails(Proof { class, verdict, program, executions, report: report() }))
        }
        None if outcome.holds() => None,
        None => Some(Answer::Open { program, verdict, report: report() }),
    }
}

/// Places of several programs, each once, in the order of the source.
pub(super) fn union<'a>(all: impl Iterator<Item = &'a [ReachedPlace]>) -> Vec<ReachedPlace> {
    let mut places: Vec<ReachedPlace> = Vec::new();
    for reached in all.flatten() {
        match places.iter_mut().find(|known| known.place == reached.place) {
            Some(known) => {
                known.has_succeeded |= reached.has_succeeded;
                known.has_failed |= reached.has_failed;
            }
            None => places.push(*reached),
        }
    }
    places.sort_by_key(|reached| reached.place.sort_key());
    places
}
