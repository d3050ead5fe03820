//! What is judged: programs, as they are begun from, and what other orders make of them.

use super::deadline::Deadline;
use super::pool::Pool;
use super::program::{Program, Programs};
use super::scope::Scope;
use super::site::{Change, Site, sites};
use crate::check::Verdict;
use crate::model::{Builder, Outcome};
use crate::port::{Overrides, PlaceLog, ReachedPlace};
use crate::process::silently;
use crate::record::Place;
use crate::report::OrdersToBlame;

/// A class of findings, as in figure 8 of the CDSSpec paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "snake_case"))]
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
    /// The places whose orders that report blames, each by itself, the most likely first; `None` where they were not asked for ([`Programs::classify`](super::Programs::classify)).
    pub blamed: Option<Vec<Place>>,
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
    /// None has failed, and the time was over before all had run.
    NotReached,
}

impl Answer {
    /// If all hold: how far the runs looked.
    pub(super) fn hold(self) -> Option<Scope> {
        match self {
            Self::Hold { scope, .. } => Some(scope),
            Self::Fails(_) | Self::Open { .. } | Self::NotReached => None,
        }
    }

    /// What several come to, of which `None` was not begun: the first that fails; else, that not all have run; else the first
    /// that is open.
    fn of_all(answers: Vec<Option<Self>>) -> Self {
        let (mut total, mut all, mut is_reached) = (0, Scope::default(), true);
        let mut open = None;
        for answer in answers {
            match answer {
                Some(Self::Fails(proof)) => return Self::Fails(proof),
                Some(Self::Hold { executions, scope }) => {
                    total += executions;
                    all = all.with(&scope);
                }
                Some(answer @ Self::Open { .. }) => open = open.or(Some(answer)),
                Some(Self::NotReached) | None => is_reached = false,
            }
        }
        if is_reached {
            open.unwrap_or(Self::Hold { executions: total, scope: all })
        } else {
            Self::NotReached
        }
    }
}

/// A program, and what came of it as it is begun from.
pub(super) struct Known {
    program: Program,
    outcome: Outcome,
    reached: Vec<ReachedPlace>,
}

impl Known {
    fn is_reached(&self, place: &Place) -> bool {
        self.reached.iter().any(|reached| reached.place == *place)
    }
}

/// The programs, as they are begun from: with the orders that are written, or others that the user has set.
pub(super) struct Subject {
    /// Those that take part, the one with the fewest executions first.
    programs: Vec<Known>,
    /// Those that take no part: they do not hold, or have not been run.
    pub(super) left_out: Vec<LeftOut>,
    settings: Settings,
}

/// How many executions of a program that fails are looked at for the places that it reaches.
const EXPLORED_MAX: u64 = 300;

/// How many executions of a program are looked at for the class of a weakening, at most.
const CLASSIFIED_MAX: u64 = 10_000;

/// What holds for every run.
struct Settings {
    executions_max: Option<u64>,
    uninitialised: Option<bool>,
    freed: Option<bool>,
    base: Overrides,
    deadline: Deadline,
    /// Whether it is wanted which orders reports blame.
    blames: bool,
}

impl Settings {
    fn builder(&self, name: &str) -> Builder {
        let mut builder = Builder::new().name(name).allow_unreached();
        if !self.blames {
            builder = builder.quiet();
        }
        if let Some(count) = self.executions_max {
            builder = builder.executions_max(count);
        }
        if let Some(duration) = self.deadline.left() {
            builder = builder.duration_max(duration);
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

/// A program that does not hold as it is written, or was not run to its end in time, so that it says nothing of weaker orders.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LeftOut {
    /// Its name.
    pub program: String,
    /// Its verdict.
    pub verdict: Verdict,
}

impl Subject {
    /// Runs every program as it is begun from.
    pub(super) fn new(programs: &Programs, pool: &Pool) -> Self {
        let Programs { executions_max, uninitialised, freed, .. } = *programs;
        let (base, deadline) = (programs.base.clone(), pool.deadline.clone());
        let blames = programs.classifies;
        let settings = Settings { executions_max, uninitialised, freed, base, deadline, blames };
        let mut subject = Self { programs: Vec::new(), left_out: Vec::new(), settings };
        let run = |program: &Program| {
            let log = PlaceLog::new();
            let base = subject.settings.base.clone();
            let outcome = subject.run(program, |builder| builder.place_log(&log).order_overrides(base));
            Known { program: program.clone(), outcome, reached: log.places() }
        };
        let known = pool.run("the programs", &programs.programs, run);
        for (program, known) in programs.programs.iter().zip(known) {
            match known {
                Some(known) => subject.programs.push(known),
                None => {
                    let (program, verdict) = (program.name.clone(), Verdict::Inconclusive);
                    subject.left_out.push(LeftOut { program, verdict });
                }
            }
        }
        subject.programs.sort_by_key(|known| known.outcome.executions);
        subject
    }

    /// The programs that hold as they are begun from; the others take no part.
    pub(super) fn of_those_that_hold(programs: &Programs, pool: &Pool) -> Self {
        let mut subject = Self::new(programs, pool);
        let (holding, failing) = subject.programs.into_iter().partition(|known| known.outcome.holds());
        subject.programs = holding;
        let left_out = |known: Known| LeftOut { program: known.program.name, verdict: known.outcome.verdict };
        subject.left_out.extend(Vec::into_iter(failing).map(left_out));
        subject
    }

    /// Whether every program holds as it is begun from.
    pub(super) fn holds(&self) -> bool {
        self.left_out.is_empty() && self.programs.iter().all(|known| known.outcome.holds())
    }

    /// How many programs take part.
    pub(super) fn program_count(&self) -> usize {
        self.programs.len()
    }

    /// How far the runs of the programs as they are begun from looked.
    pub(super) fn scope(&self) -> Scope {
        self.programs.iter().fold(Scope::default(), |scope, known| scope.with(&Scope::of(&known.outcome)))
    }

    /// The orders at the places that the programs reach, in the order of the source.
    pub(super) fn sites(&self) -> Vec<Site> {
        let reached = union(self.programs.iter().map(|known| known.reached.as_slice()));
        sites(&reached, &self.settings.base)
    }

    /// Runs the programs that reach one of the places until one does not hold; what the others came to is known.
    pub(super) fn ask(&self, change: &Change) -> Answer {
        let mut answers = Vec::new();
        for known in &self.programs {
            let answer = self.ask_one(known, change);
            let is_end = matches!(answer, Answer::Fails(_));
            answers.push(Some(answer));
            if is_end {
                break;
            }
        }
        Answer::of_all(answers)
    }

    /// The same, with several programs at a time.
    pub(super) fn ask_on(&self, pool: &Pool, change: &Change) -> Answer {
        let ask = |known: &Known| self.ask_one(known, change);
        Answer::of_all(pool.run_until(&self.programs, ask, |answer| matches!(answer, Answer::Fails(_))))
    }

    fn ask_one(&self, known: &Known, change: &Change) -> Answer {
        if !change.touches(|place| known.is_reached(place)) {
            return judge(known, &known.outcome);
        }
        if self.settings.deadline.is_over() {
            return Answer::NotReached;
        }
        let overrides = change.overrides(self.settings.base.clone(), |place| known.is_reached(place));
        let answer = judge(known, &self.run(&known.program, |builder| builder.order_overrides(overrides)));
        let is_cut_short = matches!(answer, Answer::Open { .. }) && self.settings.deadline.is_over();
        if is_cut_short { Answer::NotReached } else { answer }
    }

    /// The classes in which executions show a change of which the first finding is known, in the order of [`Class::ALL`]: of up to
    /// [`CLASSIFIED_MAX`] executions of each program, and of no more programs once it is seen both without and with a specification.
    pub(super) fn classes(&self, change: &Change, first: Class) -> Vec<Class> {
        let mut classes = vec![first];
        let count = self.settings.executions_max.map_or(CLASSIFIED_MAX, |max| max.min(CLASSIFIED_MAX));
        for known in &self.programs {
            let has_other = classes.iter().any(|class| *class != Class::BuiltIn);
            if has_other && classes.contains(&Class::BuiltIn) {
                break;
            }
            if !change.touches(|place| known.is_reached(place)) || self.settings.deadline.is_over() {
                continue;
            }
            let overrides = change.overrides(self.settings.base.clone(), |place| known.is_reached(place));
            let set = |builder: Builder| {
                builder.order_overrides(overrides).stop_at_first(false).quiet().executions_max(count)
            };
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
    /// after many executions is missed, and stays as it is: whether all hold in the end is looked at anyhow.
    pub(super) fn explore(&mut self, pool: &Pool, change: &Change) {
        let explored = pool.run("the places", &self.programs, |known| {
            let log = PlaceLog::new();
            let overrides = change.overrides(self.settings.base.clone(), |place| known.is_reached(place));
            let executions_max = self.settings.executions_max.unwrap_or(EXPLORED_MAX).min(EXPLORED_MAX);
            let set = |builder: Builder| {
                let builder = builder.place_log(&log).order_overrides(overrides);
                builder.stop_at_first(false).quiet().executions_max(executions_max)
            };
            let _ = self.run(&known.program, set);
            log.places()
        });
        for (known, places) in self.programs.iter_mut().zip(explored) {
            known.reached = union([known.reached.as_slice(), &places.unwrap_or_default()].into_iter());
        }
    }

    fn run(&self, program: &Program, set: impl FnOnce(Builder) -> Builder) -> Outcome {
        silently(|| (program.run)(set(self.settings.builder(&program.name))))
    }
}

/// What the outcome of a program says to a change. Inadmissible executions are a finding where there were none before.
fn judge(known: &Known, outcome: &Outcome) -> Answer {
    let class = match Class::of(outcome.verdict) {
        None if outcome.inadmissible > 0 && known.outcome.inadmissible == 0 => Some(Class::Inadmissible),
        class => class,
    };
    let (program, verdict, executions) = (known.program.name.clone(), outcome.verdict, outcome.executions);
    let report = || outcome.report().to_owned();
    match class {
        Some(class) => {
            let blamed = blamed(outcome);
            Answer::Fails(Proof { class, verdict, program, executions, report: report(), blamed })
        }
        None if outcome.holds() => Answer::Hold { executions, scope: Scope::of(outcome) },
        None => Answer::Open { program, verdict, report: report() },
    }
}

/// The places whose orders are blamed.
fn blamed(outcome: &Outcome) -> Option<Vec<Place>> {
    match outcome.details().orders_to_blame.as_ref()? {
        OrdersToBlame::Each(causes) => Some(causes.iter().map(|cause| cause.place).collect()),
        _ => Some(Vec::new()),
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
