//! What is judged: programs, as they are written, and what other orders make of them.

use super::program::{Program, Programs};
use super::site::{Assignment, overrides};
use crate::check::Verdict;
use crate::model::{Builder, Outcome};
use crate::port::{PlaceLog, ReachedPlace};
use crate::record::Place;
use serde::Serialize;

/// A class of findings, as in figure 8 of the CDSSpec paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Without a specification: races, accesses of uninitialised and freed memory, panics.
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
            Verdict::Race | Verdict::Panic => Some(Self::BuiltIn),
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
    /// All hold, after so many executions in total.
    Hold { executions: u64 },
    /// None fails, and why not all can be said to hold.
    Open { program: String, verdict: Verdict, report: String },
}

/// A program that holds as it is written.
pub(super) struct Known {
    program: Program,
    pub(super) executions: u64,
    inadmissible: u64,
    reached: Vec<ReachedPlace>,
}

/// The programs that hold as they are written, and the others.
pub(super) struct Subject {
    /// The one with the fewest executions first.
    pub(super) known: Vec<Known>,
    /// Those that do not hold: their outcomes, and what they reach.
    pub(super) failing: Vec<Failing>,
    executions_max: Option<u64>,
}

/// A program that does not hold as it is written.
pub(super) struct Failing {
    pub(super) program: Program,
    pub(super) outcome: Outcome,
    pub(super) reached: Vec<ReachedPlace>,
}

impl Subject {
    /// Runs every program as it is written.
    pub(super) fn new(programs: &Programs) -> Self {
        let mut subject =
            Self { known: Vec::new(), failing: Vec::new(), executions_max: programs.executions_max };
        for program in &programs.programs {
            let log = PlaceLog::new();
            let outcome = subject.run(program, |builder| builder.place_log(&log));
            let (program, reached) = (program.clone(), log.places());
            if outcome.holds() {
                let Outcome { executions, inadmissible, .. } = outcome;
                subject.known.push(Known { program, executions, inadmissible, reached });
            } else {
                subject.failing.push(Failing { program, outcome, reached });
            }
        }
        subject.known.sort_by_key(|known| known.executions);
        subject
    }

    /// The places that the programs that hold reach, in the order of the source.
    pub(super) fn reached(&self) -> Vec<ReachedPlace> {
        union(self.known.iter().map(|known| known.reached.as_slice()))
    }

    /// Runs the programs that reach one of the places until one does not hold.
    pub(super) fn ask(&self, assignment: &Assignment) -> Answer {
        let mut total = 0;
        let mut open = None;
        for known in &self.known {
            let is_reached = |place: &Place| known.reached.iter().any(|reached| reached.place == *place);
            let overrides = overrides(assignment, is_reached);
            if overrides.is_empty() {
                continue;
            }
            let outcome = self.run(&known.program, |builder| builder.order_overrides(overrides));
            total += outcome.executions;
            match self.judge(known, outcome) {
                Some(Answer::Hold { .. }) | None => {}
                Some(Answer::Fails(proof)) => return Answer::Fails(proof),
                Some(answer) => open = open.or(Some(answer)),
            }
        }
        open.unwrap_or(Answer::Hold { executions: total })
    }

    /// Inadmissible executions are a finding where there were none before.
    fn judge(&self, known: &Known, outcome: Outcome) -> Option<Answer> {
        let class = match Class::of(outcome.verdict) {
            None if outcome.inadmissible > 0 && known.inadmissible == 0 => Some(Class::Inadmissible),
            class => class,
        };
        let program = known.program.name.clone();
        if let Some(class) = class {
            let Outcome { verdict, executions, .. } = outcome;
            let report = outcome.report().to_owned();
            return Some(Answer::Fails(Proof { class, verdict, program, executions, report }));
        }
        let report = || outcome.report().to_owned();
        (!outcome.holds()).then(|| Answer::Open { program, verdict: outcome.verdict, report: report() })
    }

    fn run(&self, program: &Program, set: impl FnOnce(Builder) -> Builder) -> Outcome {
        let mut builder = Builder::new().name(program.name.as_str());
        if let Some(count) = self.executions_max {
            builder = builder.executions_max(count);
        }
        (program.run)(set(builder))
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
