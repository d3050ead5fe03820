//! The check of one finite test.

use super::history::{ConcurrentHistory, SerialHistory};
use super::observation::ObservationSet;
use super::paste::SetUp;
use super::phase::{ConcurrentPhase, Precedence, SerialPhase};
use super::progress::StuckCall;
use super::walk::BOUNDARIES_MAX;
use crate::check::Verdict;
use crate::engine::Exploration;
use crate::model::{Builder, ChosenSearch, EngineKind, MemoryModel, Outcome, Shard};
use crate::record::{Ending, ReachedBound};
use crate::scenario::{ConcurrentLog, Exemption, Matrix, Scenario, SerialLog, Slot};
use std::cell::RefCell;
use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Line-Up of a structure: how its tests are checked.
///
/// [`check`](Self::check) looks at one test; [`auto_check`](Self::auto_check) at all up to a size, smallest first; [`random_check`](Self::random_check) at a sample.
///
/// ```
/// # use cdsspec_runtime::{lineup::LineUp, scenario::Scenario};
/// # use cdsspec_runtime::sync::atomic::{AtomicU32, Ordering::SeqCst};
/// #[derive(Default)]
/// struct Counter(AtomicU32);
///
/// impl Counter {
///     fn inc(&self) {
///         self.0.store(self.0.load(SeqCst) + 1, SeqCst);
///     }
///     fn get(&self) -> u32 {
///         self.0.load(SeqCst)
///     }
/// }
///
/// let counter = Scenario::new(Counter::default)
///     .op("inc()", |counter| counter.inc().into())
///     .op("get()", |counter| counter.get().into());
/// let checks = LineUp::new(counter).random_check(3, 3, 10, 1);
/// assert!(!checks.holds());
/// let smallest = &checks.failure.as_ref().unwrap().matrix;
/// assert_eq!(smallest.to_string(), "\
/// | thread 1 | thread 2 |
/// | -------- | -------- |
/// | inc()    | inc()    |
/// |          | inc()    |
/// |          | get()    |
/// ");
/// ```
#[must_use = "it does nothing until something is checked"]
pub struct LineUp<T> {
    pub(super) scenario: Scenario<T>,
    pub(super) builder: Builder,
    pub(super) against: Against,
    pub(super) precedence: Precedence,
    pub(super) shrinks: bool,
    pub(super) stops: bool,
    pub(super) search: ChosenSearch,
}

/// What tests are checked against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Against {
    /// What the structure does serially.
    Observations,
    /// The specification of its type.
    Specification,
}

/// What a test came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use = "a check may have failed: look at its verdict"]
pub struct Check {
    /// What the structure is called.
    pub title: String,
    /// The test.
    pub matrix: Matrix,
    /// `holds`, or `holds_within` bounds; `violated` if the structure is not deterministically linearizable; the verdict of the program, if that
    /// has a fault of its own; `inconclusive`, if a limit was reached.
    pub verdict: Verdict,
    /// What is wrong.
    pub failure: Option<Failure>,
    /// The serial histories.
    pub observations: ObservationSet,
    /// How many executions phase 2 explored.
    pub executions: u64,
    /// How many different concurrent histories they have: full ones.
    pub full_histories: u64,
    /// And stuck ones.
    pub stuck_histories: u64,
    /// How many executions were explored in which threads stood still, to see whether calls end that are declared to.
    pub still_executions: u64,
    /// Whether some execution of those explored is not conflict-serializable, which is no fault: calls are transactions, and conflicting accesses, and the order of each
    /// thread, order them in a cycle. Looked for with [`Precedence::RealTime`] alone.
    ///
    /// # Paper
    /// Line-Up, section 5.6.
    pub is_unserializable: bool,
    /// How histories are compared.
    pub precedence: Precedence,
    /// The bounds, a phrase each.
    pub bounds: Vec<String>,
    /// Why it is inconclusive, if it is.
    pub limit: Option<String>,
    /// The test as source, to be pasted.
    pub source: String,
    /// How long phase 1 took. Times are the one thing that may differ from run to run.
    pub serial_seconds: f64,
    /// How long all of it took.
    pub seconds: f64,
}

/// Why a structure is not deterministically linearizable.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// Two serial histories agree up to an invocation, and then differ: no deterministic specification has both.
    Nondeterministic {
        /// The one.
        first: SerialHistory,
        /// The other.
        second: SerialHistory,
    },
    /// A concurrent history has no serial witness.
    NoWitness {
        /// The history.
        history: ConcurrentHistory,
        /// The pending call for which there is none, if the history is stuck.
        pending: Option<Slot>,
    },
    /// A call waits for others that was declared to wait for nobody, or takes more steps than it was to.
    Stuck(StuckCall),
    /// The program has a fault that has nothing to do with histories.
    Fault {
        /// What the program comes to.
        outcome: Box<Outcome>,
    },
}

impl<T> Clone for LineUp<T> {
    fn clone(&self) -> Self {
        Self {
            scenario: self.scenario.clone(),
            builder: self.builder.clone(),
            search: self.search.clone(),
            ..*self
        }
    }
}

impl<T> fmt::Debug for LineUp<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("LineUp");
        text.field("scenario", &self.scenario).field("precedence", &self.precedence).finish_non_exhaustive()
    }
}

impl<T: Send + Sync + 'static> LineUp<T> {
    /// Line-Up with happens-before, under RC11.
    pub fn new(scenario: Scenario<T>) -> Self {
        Self {
            scenario,
            builder: Builder::new(),
            against: Against::Observations,
            precedence: Precedence::default(),
            shrinks: true,
            stops: true,
            search: ChosenSearch::default(),
        }
    }

    /// Which calls precede which. [`Precedence::RealTime`] sets the memory model to [`MemoryModel::Sc`].
    pub fn precedence(mut self, precedence: Precedence) -> Self {
        self.precedence = precedence;
        self
    }

    /// Sets up the exploration of phase 2: limits, the engine, a bound on preemptions, spurious failures and wake-ups, which are off unless this
    /// switches them on. Phase 1 always runs under [`MemoryModel::Sc`], without any bound on preemptions, and without spurious failures.
    pub fn set_up(mut self, set: impl FnOnce(Builder) -> Builder) -> Self {
        self.builder = set(self.builder);
        self
    }

    /// Whether a test that fails is made as small as possible: on by default, where tests are generated.
    pub fn shrink(mut self, is_on: bool) -> Self {
        self.shrinks = is_on;
        self
    }

    /// Whether the first test that fails ends a search: on by default.
    pub fn stop_at_first(mut self, is_on: bool) -> Self {
        self.stops = is_on;
        self
    }

    /// How many tests are checked at a time; 0: as many as there are cores. Nothing but the time that it takes depends on it, unless a limit on time is set. Else `CDSSPEC_JOBS` says it; without
    /// that it is 1 in a `#[test]`, beside which the harness runs others, and elsewhere as many as there are cores.
    pub fn jobs(mut self, count: usize) -> Self {
        self.search.jobs = Some(count);
        self
    }

    /// A search checks a part of its tests alone, for one of several machines. Else `CDSSPEC_SHARD` says it, or [the environment](Shard) of the job; without these all
    /// tests are checked. A part that passes is no whole pass: it says so, on the standard error output as well.
    pub fn shard(mut self, shard: Shard) -> Self {
        self.search.shard = Some(shard);
        self
    }

    /// A search adds what its tests came to as a line of JSON to this file, with the feature `json`. `cargo cdsspec merge` reads the lines of all machines. Else
    /// `CDSSPEC_RESULTS` says it.
    pub fn results(mut self, path: impl Into<PathBuf>) -> Self {
        self.search.results = Some(path.into());
        self
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario<T> {
        &self.scenario
    }

    pub(super) fn phase_two_builder(&self) -> Builder {
        let builder = self.builder.clone().without_spurious();
        match self.precedence {
            Precedence::HappensBefore => builder,
            Precedence::RealTime => builder.memory_model(MemoryModel::Sc),
        }
    }

    /// All that decides what a test comes to, beside the test, a phrase each.
    pub(super) fn set_up_words(&self) -> Vec<String> {
        let against = match self.against {
            Against::Observations => "observations",
            Against::Specification => "specification",
        };
        let mut words = vec![
            format!("version {}", env!("CARGO_PKG_VERSION")),
            format!("against {against}, {:?}, shrinks {}", self.precedence, self.shrinks),
        ];
        words.extend(self.scenario.words());
        words.push(format!("{:?}", self.phase_two_builder().set_up()));
        if self.against == Against::Specification {
            words.push(format!("{:?}", self.builder.set_up()));
        }
        words
    }

    fn phase_one_builder(&self) -> Builder {
        let builder = self.builder.clone().engine(EngineKind::Rc11).memory_model(MemoryModel::Sc);
        builder.spurious_failures(false).spurious_wakeups(false).serial()
    }

    /// Phase 1 alone: the serial histories of a test.
    ///
    /// # Errors
    /// What came of the test, if some serial execution is none: it has a fault, or a limit was reached.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn observe(&self, matrix: &Matrix) -> Result<ObservationSet, Box<Check>> {
        let begin = Instant::now();
        let log = Arc::new(SerialLog::default());
        let program = self.scenario.serial_program(matrix, &log);
        let phase = Rc::new(RefCell::new(SerialPhase::new(log)));
        let explored = self.phase_one_builder().visit(program, phase.clone());
        let phase = phase.replace(SerialPhase::new(Arc::default()));
        let set = ObservationSet::new(matrix.call_count(), phase.histories);
        // A history that is not among them would look like a fault.
        let bounded = phase
            .reached
            .first()
            .map(|reached| End::Limit(format!("a serial execution reached {}", loop_bound(reached))));
        match self.ended(matrix, phase.cut, explored).or(bounded) {
            None => Ok(set),
            Some(end) => {
                let mut check = self.new_check(matrix, set);
                end.tell(&mut check);
                check.seconds = begin.elapsed().as_secs_f64();
                Err(Box::new(check))
            }
        }
    }

    /// Checks one test against observations that are given, instead of its own: phase 2 alone. They may be those of a
    /// [sequential model](ObservationSet::of_model), or of an earlier version of the structure.
    ///
    /// # Paper
    /// Line-Up, definition 3.
    ///
    /// # Panics
    /// If the observations are of a test with another number of calls; if the checker itself panicked.
    #[track_caller]
    pub fn check_against(&self, matrix: &Matrix, observations: &ObservationSet) -> Check {
        assert_eq!(
            observations.call_count(),
            matrix.call_count(),
            "the observations are of a test with another number of calls: observe this one"
        );
        let begin = Instant::now();
        let mut check = self.new_check(matrix, observations.clone());
        if let Some(limit) = size_limit(matrix) {
            check.limit = Some(limit);
        } else {
            self.run_concurrently(&mut check);
        }
        check.seconds = begin.elapsed().as_secs_f64();
        check
    }

    /// Checks one test, in two phases: what it does serially is the specification, and every concurrent execution must have a serial
    /// witness. Calls that are declared to wait for nobody are looked at as [`check_progress`](Self::check_progress) does. A test that fails refutes that the structure is linearizable with respect to any deterministic specification.
    ///
    /// # Panics
    /// If the checker itself panicked.
    ///
    /// # Paper
    /// `Check(X, m)`: Line-Up, figure 5, theorem 5.
    pub fn check(&self, matrix: &Matrix) -> Check {
        let check = self.check_results(matrix);
        if check.holds() { self.with_progress(check) } else { check }
    }

    /// Checks what the calls return.
    fn check_results(&self, matrix: &Matrix) -> Check {
        let begin = Instant::now();
        if self.against == Against::Specification {
            return self.check_specification(matrix);
        }
        if let Some(limit) = size_limit(matrix) {
            let mut check = self.new_check(matrix, ObservationSet::default());
            check.limit = Some(limit);
            return check;
        }
        let mut check = match self.observe(matrix) {
            Err(check) => return *check,
            Ok(observations) => self.new_check(matrix, observations),
        };
        check.serial_seconds = begin.elapsed().as_secs_f64();
        let two = check.observations.nondeterminism().filter(|_| !self.is_exempt(matrix));
        let two = two.map(|(first, second)| (first.clone(), second.clone()));
        match two {
            Some((first, second)) => {
                check.verdict = Verdict::Violated;
                check.failure = Some(Failure::Nondeterministic { first, second });
            }
            None => self.run_concurrently(&mut check),
        }
        check.seconds = begin.elapsed().as_secs_f64();
        check
    }

    /// Whether the histories of a test are not judged.
    fn is_exempt(&self, matrix: &Matrix) -> bool {
        matrix.calls().any(|(_, _, entry)| *self.scenario.exemption(entry.invocation) == Exemption::Call)
    }

    /// Phase 2.
    fn run_concurrently(&self, check: &mut Check) {
        let log = Arc::new(ConcurrentLog::default());
        let program = self.scenario.noted_program(&check.matrix, &log);
        let observations = std::mem::take(&mut check.observations);
        let is_exempt = self.is_exempt(&check.matrix);
        let phase = ConcurrentPhase::new(log, self.precedence, observations, is_exempt);
        let phase = Rc::new(RefCell::new(phase));
        let explored = self.phase_two_builder().visit(program, phase.clone());
        let mut phase = phase.borrow_mut();
        check.observations = std::mem::take(&mut phase.observations);
        check.executions = phase.executions;
        (check.full_histories, check.stuck_histories) = (phase.full, phase.stuck);
        check.is_unserializable = phase.is_unserializable;
        check.bounds = bounds(&phase.reached, is_exempt);
        check.bounds.extend(explored.iter().flat_map(|(_, bounds)| bounds.iter().cloned()));
        if let Some((history, pending)) = phase.failure.take() {
            check.verdict = Verdict::Violated;
            check.failure = Some(Failure::NoWitness { history, pending });
            return;
        }
        match self.ended(&check.matrix, phase.cut.take(), explored) {
            Some(end) => end.tell(check),
            None if check.full_histories + check.stuck_histories == 0 => {
                check.limit = Some("a bound in every execution: no history was looked at".to_owned());
            }
            None if check.bounds.is_empty() => check.verdict = Verdict::Holds,
            None => check.verdict = Verdict::HoldsWithin,
        }
    }

    /// Why a phase did not come to its end, if it did not.
    pub(super) fn ended(
        &self,
        matrix: &Matrix,
        cut: Option<Ending>,
        explored: Result<(Exploration, Vec<String>), String>,
    ) -> Option<End> {
        match (cut, explored) {
            (_, Err(error)) => Some(End::Limit(error)),
            (Some(Ending::Limit(limit)), _) | (None, Ok((Exploration::Limit(limit), _))) => {
                Some(End::Limit(limit.to_string()))
            }
            (Some(Ending::Nondeterministic(what)), _) => {
                let outcome = self.fault(matrix);
                // Else it is so serially alone, which is no fault that anybody can see.
                Some(match outcome.verdict {
                    Verdict::Nondeterministic => End::Fault(Box::new(outcome)),
                    _ => End::Limit(format!("a serial execution was not as before: {what}")),
                })
            }
            (Some(Ending::EngineFailed(why)), _) | (None, Ok((Exploration::Failed(why), _))) => {
                Some(End::Limit(why))
            }
            (Some(_), _) => Some(End::Fault(Box::new(self.fault(matrix)))),
            (None, Ok(_)) => None,
        }
    }

    /// What is wrong with the program itself: the worst that any execution comes to, since one that is stuck may come first.
    fn fault(&self, matrix: &Matrix) -> Outcome {
        let builder = self.phase_two_builder().name(self.scenario.title());
        builder.quiet().stop_at_first(false).check(self.scenario.program(matrix))
    }

    /// A test is checked as any other program, against the specification of what it calls.
    fn check_specification(&self, matrix: &Matrix) -> Check {
        let builder = self.builder.clone().name(self.scenario.title()).quiet();
        let outcome = builder.check(self.scenario.program(matrix));
        let mut check = self.new_check(matrix, ObservationSet::default());
        check.source = super::paste::program(&self.as_set_up(), matrix);
        check.verdict = outcome.verdict;
        check.executions = outcome.executions;
        check.bounds = outcome.bounds.clone();
        check
            .bounds
            .extend(outcome.notes.iter().map(|note| crate::report::note(self.scenario.title(), note)));
        check.seconds = outcome.seconds;
        match outcome.verdict {
            Verdict::Holds | Verdict::HoldsWithin => {}
            verdict if verdict.is_fault() => {
                check.failure = Some(Failure::Fault { outcome: Box::new(outcome) })
            }
            _ => check.limit = Some(outcome.limit.clone().unwrap_or_else(|| first_line(outcome.report()))),
        }
        check
    }

    /// What a test that is printed has to say.
    pub(super) fn as_set_up(&self) -> SetUp<'_, T> {
        SetUp { scenario: &self.scenario, builder: &self.builder, precedence: self.precedence }
    }

    /// A test case that was localized, as source that says what each part of it is for.
    #[cfg(feature = "localize")]
    pub(crate) fn triple(&self, matrix: &Matrix) -> String {
        super::paste::triple(&self.as_set_up(), matrix)
    }

    pub(super) fn new_check(&self, matrix: &Matrix, observations: ObservationSet) -> Check {
        Check {
            title: self.scenario.title().to_owned(),
            matrix: matrix.clone(),
            verdict: Verdict::Inconclusive,
            failure: None,
            observations,
            executions: 0,
            full_histories: 0,
            stuck_histories: 0,
            still_executions: 0,
            is_unserializable: false,
            precedence: self.precedence,
            bounds: Vec::new(),
            limit: None,
            source: super::paste::source(&self.as_set_up(), matrix),
            serial_seconds: 0.0,
            seconds: 0.0,
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// Why a test is too large, if it is.
fn size_limit(matrix: &Matrix) -> Option<String> {
    let max = BOUNDARIES_MAX / 2;
    (matrix.call_count() > max).then(|| format!("a test has at most {max} calls"))
}

pub(super) fn loop_bound(reached: &ReachedBound) -> String {
    format!("{} rounds of the loop of {}", reached.round_count, reached.place)
}

fn bounds(reached: &[ReachedBound], is_exempt: bool) -> Vec<String> {
    let mut bounds: Vec<String> = reached.iter().map(loop_bound).collect();
    if is_exempt {
        bounds.push("histories are not judged: a call is declared not linearizable".to_owned());
    }
    bounds
}

/// Why a phase did not come to its end.
pub(super) enum End {
    Limit(String),
    Fault(Box<Outcome>),
}

impl End {
    pub(super) fn tell(self, check: &mut Check) {
        match self {
            Self::Limit(limit) => check.limit = Some(limit),
            Self::Fault(outcome) => {
                if outcome.verdict.is_fault() {
                    check.verdict = outcome.verdict;
                    check.failure = Some(Failure::Fault { outcome });
                } else {
                    check.limit =
                        Some("an execution was cut, and none of the program's has a fault".to_owned());
                }
            }
        }
    }
}

impl Check {
    /// Whether the verdict is `holds`, or `holds_within` bounds.
    pub fn holds(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::HoldsWithin)
    }
}
