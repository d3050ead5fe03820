//! From a structure to the calls that trigger a fault of it.

use super::algorithm::{self, Rule, TestCase};
use super::case::{CaseSource, fails};
use super::judge::{ByHand, BySpecification, Judge};
use super::prove::{CaseProof, line_up, prove};
use super::run::{HistorySource, Judgements, Refused, Runner, Runs};
use super::shorten::shorten;
use crate::check::Verdict;
use crate::lineup::{Invoked, Precedence};
use crate::model::Builder;
use crate::scenario::{GuidedRun, Matrix, Scenario, Value};
use cdsspec_linearize::SequentialSpecification;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Runs long histories of a type that says what can be invoked on it, judges them by its specification, and localizes the fault of one that is not linearizable: the calls at once that trigger it, what comes before
/// them, and what reveals it. 20 histories of two threads with 50 calls each.
///
/// # Panics
/// With the report, unless all histories are linearizable.
#[track_caller]
pub fn localize<T: Invoked>(make: impl Fn() -> T + Send + Sync + 'static) {
    Localize::new(make).run().assert_holds();
}

/// How histories of a structure are made and judged, and faults localized.
///
/// Histories are judged in real time, by the sequential side of the specification that stands beside the methods: the declared state, side effects, pre_conditions and post_conditions, and `c_ret == s_ret` where there is
/// none. Ordering points, justification and admissibility play no part; a condition that looks at `concurrent` cannot be judged.
///
/// # Paper
/// Localization of linearizability faults on the coarse-grained level (Zhang, Wu and Zhang): CGVT, sections II and III.
#[must_use = "it does nothing until it is run"]
pub struct Localize<T> {
    scenario: Scenario<T>,
    builder: Builder,
    judge: Rc<dyn Judge>,
    size: (usize, usize),
    runs: u64,
    seed: u64,
    source: HistorySource,
    rule: Rule,
    proves: bool,
    stops: bool,
}

impl<T> fmt::Debug for Localize<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Localize").field("scenario", &self.scenario).finish_non_exhaustive()
    }
}

impl<T: Send + Sync + 'static> Localize<T> {
    /// Objects that are made so, of a type that says what can be invoked on it.
    pub fn new(make: impl Fn() -> T + Send + Sync + 'static) -> Self
    where
        T: Invoked,
    {
        Self::of(T::invoked(Scenario::new(make)))
    }

    /// The calls of a scenario, each of which is one call of one object with a specification.
    pub fn of(scenario: Scenario<T>) -> Self {
        Self {
            scenario,
            builder: Builder::new(),
            judge: Rc::new(BySpecification::default()),
            size: (2, 50),
            runs: 20,
            seed: 0,
            source: HistorySource::Drawn,
            rule: Rule::None,
            proves: true,
            stops: true,
        }
    }

    /// Judges by a sequential specification that is given by hand, instead of the one beside the methods. `translate` says what a call, by its name as the scenario has it, that
    /// returned this value is there; `None`, if it is no call that the specification knows.
    pub fn against<S, F>(mut self, specification: S, translate: F) -> Self
    where
        S: SequentialSpecification + 'static,
        F: Fn(&str, &Value) -> Option<(S::Operation, S::Result)> + 'static,
    {
        self.judge = Rc::new(ByHand { specification, translate });
        self
    }

    /// How many threads a history has.
    pub fn threads(mut self, count: usize) -> Self {
        self.size.0 = count;
        self
    }

    /// How many calls each thread makes.
    pub fn calls(mut self, count: usize) -> Self {
        self.size.1 = count;
        self
    }

    /// How many histories there are; and how often a test case is run, at most, before it counts as correct (σ of the paper).
    pub fn runs(mut self, count: u64) -> Self {
        self.runs = count;
        self
    }

    /// What everything is drawn from.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Where histories come from, and the runs of test cases.
    pub fn source(mut self, source: HistorySource) -> Self {
        self.source = source;
        self
    }

    /// Sets up the runs: the strategy of the engine `random`, limits. Its memory model is [`MemoryModel::Sc`](crate::model::MemoryModel::Sc).
    pub fn set_up(mut self, set: impl FnOnce(Builder) -> Builder) -> Self {
        self.builder = set(self.builder);
        self
    }

    /// Whether test cases in which some thread makes one call are tried first, and others only if none of them fails: off by default.
    ///
    /// # Paper
    /// CGVT, III.C: version H.
    pub fn one_call_first(mut self, is_on: bool) -> Self {
        self.rule = if is_on { Rule::OneCallFirst } else { Rule::None };
        self
    }

    /// Whether the test case is explored exhaustively: on by default.
    pub fn prove(mut self, is_on: bool) -> Self {
        self.proves = is_on;
        self
    }

    /// Whether the first history that is not linearizable ends the search for them: on by default.
    pub fn stop_at_first(mut self, is_on: bool) -> Self {
        self.stops = is_on;
        self
    }

    /// Makes the histories, and localizes the fault of that which has the shortest prefix that is not linearizable.
    ///
    /// # Panics
    /// If the checker itself panicked; on real threads, if a call does.
    pub fn run(&self) -> Localization {
        let mut localization = self.nothing_yet();
        if let Some(name) = self.scenario.first_exempt() {
            localization.limit = Some(Obstacle::Exempt(name.to_owned()));
            return localization;
        }
        let count = self.size.0.saturating_mul(self.size.1);
        if count > CALLS_MAX {
            localization.limit = Some(Obstacle::TooManyCalls);
            return localization;
        }
        if count == 0 || self.scenario.draw(self.size, 0, self.seed).is_none() {
            localization.limit = Some(Obstacle::NothingToInvoke);
            return localization;
        }
        let runner = Runner {
            scenario: self.scenario.clone(),
            builder: self.builder.clone().name(self.scenario.title()),
            source: self.source,
            judge: self.judge.clone(),
        };
        let begin = Instant::now();
        let judgements = self.detect(&runner);
        localization.detect_seconds = begin.elapsed().as_secs_f64();
        localization.take(&judgements);
        if let Some(refused) = judgements.shortest.as_ref().filter(|_| judgements.failed.is_none()) {
            localization.verdict = Verdict::Violated;
            self.localize(&runner, refused, &mut localization);
        }
        localization
    }

    /// The detection phase.
    ///
    /// # Paper
    /// CGVT, III.A.
    fn detect(&self, runner: &Runner<T>) -> Judgements {
        let (scenario, size, seed) = (self.scenario.clone(), self.size, self.seed);
        let next = move |number| {
            let matrix = scenario.draw(size, number, seed).or_else(|| scenario.draw(size, 0, seed));
            let matrix = matrix.expect("cdsspec bug: the first one was drawn before");
            GuidedRun { matrix: Arc::new(matrix), guide: None }
        };
        if self.source == HistorySource::RealThreads && self.judge.learns() {
            let learnt = runner.run_drawn(Runs { count: self.runs, seed, stops: false }, next.clone());
            if learnt.limit.is_some() {
                return Judgements { limit: learnt.limit, ..Judgements::default() };
            }
        }
        runner.run(Runs { count: self.runs, seed, stops: self.stops }, next)
    }

    /// The localization phase.
    fn localize(&self, runner: &Runner<T>, refused: &Refused, localization: &mut Localization) {
        let begin = Instant::now();
        let source = CaseSource::new(refused);
        let prefix = source.prefix();
        let check_count = std::cell::Cell::new(0);
        let mut is_faulty = |case: &TestCase| {
            check_count.set(check_count.get() + 1);
            fails(runner, &source, case, (self.runs, self.seed))
        };
        let found = algorithm::localize(&prefix, self.rule, &mut is_faulty);
        localization.localize_seconds = begin.elapsed().as_secs_f64();
        let tried = check_count.get();
        localization.history = Some(RefusedHistory {
            run: refused.number,
            calls: refused.calls.len(),
            prefix_calls: prefix.begun.len(),
        });
        let Some(found) = found else {
            localization.limit = Some(Obstacle::NoCaseFails(tried));
            return;
        };
        let begin = Instant::now();
        let short = source.matrix(&shorten(&found.last, &mut is_faulty));
        localization.shorten_seconds = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        let proof = if self.proves { prove(runner, &short, (self.runs, self.seed)) } else { None };
        localization.prove_seconds = begin.elapsed().as_secs_f64();
        let smallest = proof.as_ref().map_or(short, |proof| proof.sc.matrix.clone());
        localization.fault = Some(Box::new(LocalizedFault {
            first: source.matrix(&found.first),
            matrix: source.matrix(&found.last),
            check_count: tried,
            source: proof.as_ref().map(|_| line_up(runner, Precedence::RealTime).triple(&smallest)),
            smallest,
            proof,
        }));
    }

    fn nothing_yet(&self) -> Localization {
        Localization {
            title: self.scenario.title().to_owned(),
            verdict: Verdict::Inconclusive,
            threads: self.size.0,
            calls: self.size.1,
            seed: self.seed,
            source: self.source,
            histories: 0,
            nonlinearizable: 0,
            unknown: 0,
            unended: 0,
            unspecified: None,
            history: None,
            fault: None,
            limit: None,
            proves: self.proves,
            detect_seconds: 0.0,
            localize_seconds: 0.0,
            shorten_seconds: 0.0,
            prove_seconds: 0.0,
        }
    }
}

/// What histories of a structure come to.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use = "a history may not be linearizable: look at the verdict"]
pub struct Localization {
    /// What the structure is called.
    pub title: String,
    /// `violated`, if a history is not linearizable; at best `holds_within`, since there are other histories.
    pub verdict: Verdict,
    /// How many threads a history has.
    pub threads: usize,
    /// How many calls each of them makes.
    pub calls: usize,
    /// What everything was drawn from.
    pub seed: u64,
    /// Where histories came from.
    pub source: HistorySource,
    /// How many histories there were.
    pub histories: u64,
    /// How many of them are not linearizable.
    pub nonlinearizable: u64,
    /// How many were not judged.
    pub unknown: u64,
    /// How many had a call that did not return, or another fault of the program: there was nothing to judge.
    pub unended: u64,
    /// A call of those not judged, with what it returned, which no recorded run has.
    pub unspecified: Option<String>,
    /// That whose fault is localized: of those that are not linearizable one with the shortest prefix that is not.
    pub history: Option<RefusedHistory>,
    /// What of it is at fault.
    pub fault: Option<Box<LocalizedFault>>,
    /// Why it did not come to its end, if that is so.
    pub limit: Option<Obstacle>,
    /// Whether the test case was to be explored exhaustively.
    pub proves: bool,
    /// How long the histories took. Times are the one thing that may differ from run to run.
    pub detect_seconds: f64,
    /// How long algorithm 1 took.
    pub localize_seconds: f64,
    /// How long it took to leave out, by runs, what the test case does not need.
    pub shorten_seconds: f64,
    /// How long it took to explore it exhaustively.
    pub prove_seconds: f64,
}

/// A history that is not linearizable.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RefusedHistory {
    /// Which run it is of, from 0.
    pub run: u64,
    /// How many calls it has.
    pub calls: usize,
    /// How many have begun in its smallest prefix that is not linearizable.
    pub prefix_calls: usize,
}

/// Which calls trigger a fault.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LocalizedFault {
    /// The test case that the first loop of algorithm 1 stopped at: its initial calls are `P_s`.
    pub first: Matrix,
    /// The answer of algorithm 1: `P_s` are its initial calls, `P_c` its columns, `P_r` its last calls.
    pub matrix: Matrix,
    /// How many test cases were run, up to so many times each.
    pub check_count: u64,
    /// The same without what it does not need: by runs, and by the exhaustive exploration, if there was one.
    pub smallest: Matrix,
    /// What an exhaustive exploration shows of the smallest one.
    pub proof: Option<CaseProof>,
    /// The smallest one as source, to be pasted: a test of Line-Up. `None`, if no exploration has shown that it fails.
    pub source: Option<String>,
}

/// When a fault shows (CGVT, table I).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reveal {
    /// Type 1: at once, by the calls that trigger it.
    AtOnce,
    /// Type 2: by a later call.
    Later,
}

/// Why a localization did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Obstacle {
    /// The result of this call does not count, by the scenario: every result of a history does.
    Exempt(String),
    /// There is no call to make.
    NothingToInvoke,
    /// A history would have too many.
    TooManyCalls,
    /// So many test cases were run, and none failed.
    NoCaseFails(u64),
    /// The runs ended: why.
    Runs(String),
    /// A clause of the specification failed.
    Specification(String),
}

/// A history has no more calls.
const CALLS_MAX: usize = 60_000;

/// How many calls a matrix makes at once.
fn size_of(matrix: &Matrix) -> usize {
    matrix.columns.iter().map(Vec::len).sum()
}

impl LocalizedFault {
    /// How many calls trigger it, of the smallest test case.
    pub fn concurrent_size(&self) -> usize {
        size_of(&self.smallest)
    }

    /// The same of the answer of algorithm 1.
    pub fn found_size(&self) -> usize {
        size_of(&self.matrix)
    }

    /// When it shows.
    pub fn reveal(&self) -> Reveal {
        if self.smallest.last.is_empty() { Reveal::AtOnce } else { Reveal::Later }
    }
}

impl Localization {
    fn take(&mut self, judgements: &Judgements) {
        (self.histories, self.nonlinearizable) = (judgements.histories, judgements.refused);
        (self.unknown, self.unspecified) = (judgements.unknown, judgements.unspecified.clone());
        self.unended = judgements.unended;
        self.limit = judgements.limit.clone().map(Obstacle::Runs);
        if let Some(error) = &judgements.failed {
            (self.limit, self.verdict) = (Some(Obstacle::Specification(error.clone())), Verdict::SpecError);
            return;
        }
        let is_whole = self.limit.is_none() && self.unknown + self.unended == 0 && self.histories > 0;
        self.verdict = if is_whole { Verdict::HoldsWithin } else { Verdict::Inconclusive };
    }

    /// Whether all histories were judged, and are linearizable.
    pub fn holds(&self) -> bool {
        self.verdict.is_pass()
    }

    /// Does nothing if all histories are linearizable.
    ///
    /// # Panics
    /// With the report, if not.
    #[track_caller]
    pub fn assert_holds(&self) {
        assert!(self.holds(), "{self}");
    }
}
