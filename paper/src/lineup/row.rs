//! The rows.

use super::classes::{self, Error};
use super::twin::{Compared, compared};
use crate::Outcome;
use cdsspec_runtime::lineup::{Checks, LineUp, Precedence};
use cdsspec_runtime::scenario::{Scenario, Value};
use serde_json::json;

/// How many tests, of how many threads with how many calls.
const SAMPLE: u64 = 10;
/// How many of the classes that the paper's numbers are measured by, and how many seconds these may take on two cores.
const LARGE_SAMPLE: u64 = 100;
const LARGE_SAMPLE_SECONDS_MAX: f64 = 120.0;
const THREADS: usize = 3;
const CALLS: usize = 3;
const SEED: u64 = 1;

/// No test is explored further.
const EXECUTIONS_MAX: u64 = 10_000;

/// How much is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The sample.
    Whole,
    /// Of the sample, up to the first test that fails; where none should, a few tests.
    Fast,
}

/// So many tests are a few.
const FEW: u64 = 1;

/// What kind of cause a failure has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Correct,
    Bug,
    Nondeterministic,
    Nonlinearizable,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Bug => "bug",
            Self::Nondeterministic => "nondeterministic",
            Self::Nonlinearizable => "nonlinearizable",
        }
    }
}

/// A class, and one cause of its failures.
pub(super) struct Subject {
    class: &'static str,
    cause: Option<char>,
    kind: Kind,
    /// The smallest failing test in the paper, threads × calls.
    published: Option<(usize, usize)>,
    /// Checks a sample.
    check: Box<dyn Fn(Form) -> Checks>,
    /// The same, where what is meant is declared.
    exempted: Option<Box<dyn Fn(Form) -> Checks>>,
    /// Compares small tests, one of so many, with the naive twin.
    compare: Box<dyn Fn(usize) -> Compared>,
    /// How long the sample may take.
    seconds_max: Option<f64>,
}

/// What a class comes to.
pub(super) struct Row {
    class: &'static str,
    cause: Option<char>,
    kind: Kind,
    published: Option<(usize, usize)>,
    checks: Checks,
    exempted: Option<bool>,
    seconds_max: Option<f64>,
}

/// Checks a sample in which some test is to fail, or none.
fn sample<T: Send + Sync + 'static>(scenario: Scenario<T>, form: Form, fails: bool) -> Checks {
    let is_whole = form == Form::Whole;
    let count = if is_whole || fails { SAMPLE } else { FEW };
    let lineup = LineUp::new(scenario).precedence(Precedence::RealTime).stop_at_first(!is_whole);
    lineup.set_up(|builder| builder.executions_max(EXECUTIONS_MAX)).random_check(THREADS, CALLS, count, SEED)
}

/// Checks a large sample, each test to its end.
fn large_sample<T: Send + Sync + 'static>(scenario: Scenario<T>, form: Form) -> Checks {
    let count = if form == Form::Whole { LARGE_SAMPLE } else { FEW };
    LineUp::new(scenario).precedence(Precedence::RealTime).random_check(THREADS, CALLS, count, SEED)
}

/// One of the classes with a large sample.
fn correct_and_timed<T: Send + Sync + 'static>(class: &'static str, make: fn() -> Scenario<T>) -> Subject {
    Subject {
        check: Box::new(move |form| large_sample(make(), form)),
        seconds_max: Some(LARGE_SAMPLE_SECONDS_MAX),
        ..correct(class, make)
    }
}

fn correct<T: Send + Sync + 'static>(class: &'static str, make: fn() -> Scenario<T>) -> Subject {
    let check = Box::new(move |form| sample(make(), form, false));
    let compare = Box::new(move |one_of| compared(&make(), one_of));
    Subject {
        class,
        cause: None,
        kind: Kind::Correct,
        published: None,
        check,
        exempted: None,
        compare,
        seconds_max: None,
    }
}

fn bug<T: Send + Sync + 'static>(
    class: &'static str,
    cause: char,
    published: (usize, usize),
    make: fn() -> Scenario<T>,
) -> Subject {
    let check = Box::new(move |form| sample(make(), form, true));
    let (cause, published) = (Some(cause), Some(published));
    let compare = Box::new(move |one_of| compared(&make(), one_of));
    Subject { class, cause, kind: Kind::Bug, published, check, exempted: None, compare, seconds_max: None }
}

/// What is meant to be so: with the methods of which it is declared.
fn meant<T: Send + Sync + 'static>(
    class: &'static str,
    (cause, kind): (char, Kind),
    published: (usize, usize),
    make: fn() -> Scenario<T>,
    declare: fn(Scenario<T>) -> Scenario<T>,
) -> Subject {
    let check = Box::new(move |form| sample(make(), form, true));
    let exempted: Box<dyn Fn(Form) -> Checks> = Box::new(move |form| sample(declare(make()), form, false));
    let (cause, published) = (Some(cause), Some(published));
    let compare = Box::new(move |one_of| compared(&make(), one_of));
    Subject { class, cause, kind, published, check, exempted: Some(exempted), compare, seconds_max: None }
}

/// Of table 2: the serial histories of a test, on average, and how many tests of 100 passed and failed.
const MEASURED_THERE: [(&str, [u32; 3]); 18] = [
    ("Lazy Initialization", [60, 100, 0]),
    ("ManualResetEvent (Pre)", [828, 93, 7]),
    ("ManualResetEvent", [76, 100, 0]),
    ("SemaphoreSlim", [1511, 100, 0]),
    ("CountdownEvent", [410, 100, 0]),
    ("ConcurrentDictionary", [1678, 100, 0]),
    ("ConcurrentQueue (Pre)", [1680, 43, 57]),
    ("ConcurrentQueue", [1680, 100, 0]),
    ("ConcurrentLinkedList (Pre)", [1674, 80, 20]),
    ("ConcurrentStack", [1680, 100, 0]),
    ("BlockingCollection (Pre)", [850, 13, 87]),
    ("BlockingCollection", [259, 43, 57]),
    ("ConcurrentBag (Pre)", [1680, 75, 25]),
    ("ConcurrentBag", [1680, 87, 13]),
    ("TaskCompletionSource (Pre)", [1432, 65, 35]),
    ("TaskCompletionSource", [1209, 53, 47]),
    ("CancellationTokenSource", [1680, 100, 0]),
    ("Barrier", [1166, 22, 78]),
];

/// Classes that have causes there, of which our correct versions are not measured there.
const WITH_CAUSES_THERE: [&str; 2] = ["BlockingCollection", "TaskCompletionSource"];

/// The rows, in the order of table 2.
pub(super) fn subjects() -> Vec<Subject> {
    vec![
        correct("Lazy Initialization", classes::lazy_initialization),
        bug("ManualResetEvent (Pre)", 'A', (2, 3), || classes::manual_reset_event(true)),
        correct("ManualResetEvent", || classes::manual_reset_event(false)),
        correct("SemaphoreSlim", classes::semaphore),
        correct("CountdownEvent", classes::countdown_event),
        correct_and_timed("ConcurrentDictionary", classes::dictionary),
        bug("ConcurrentQueue (Pre)", 'B', (2, 2), || classes::queue(true)),
        correct_and_timed("ConcurrentQueue", || classes::queue(false)),
        bug("ConcurrentLinkedList (Pre)", 'C', (2, 2), || classes::linked_list(true)),
        correct("ConcurrentLinkedList", || classes::linked_list(false)),
        correct_and_timed("ConcurrentStack", classes::stack),
        bug("BlockingCollection (Pre)", 'D', (2, 2), || classes::blocking_collection(true, false, false)),
        correct("BlockingCollection", || classes::blocking_collection(false, false, false)),
        meant(
            "BlockingCollection",
            ('H', Kind::Nondeterministic),
            (2, 2),
            || {
                classes::blocking_collection(false, true, false)
                    .exempt_result("try_take()", Value::from(None::<u32>))
            },
            |scenario| scenario.exempt("count()"),
        ),
        meant(
            "BlockingCollection",
            ('I', Kind::Nondeterministic),
            (3, 2),
            || classes::blocking_collection(false, true, false).exempt("count()"),
            |scenario| scenario.exempt_result("try_take()", Value::from(None::<u32>)),
        ),
        meant(
            "BlockingCollection",
            ('K', Kind::Nonlinearizable),
            (2, 2),
            || classes::blocking_collection(false, false, true),
            |scenario| scenario.not_linearizable("cancel()"),
        ),
        bug("ConcurrentBag (Pre)", 'E', (2, 2), || {
            classes::bag(true, false).exempt_result("try_take()", Value::from(None::<u32>))
        }),
        meant(
            "ConcurrentBag",
            ('J', Kind::Nondeterministic),
            (2, 2),
            || classes::bag(false, true),
            |scenario| scenario.not_linearizable("try_take()"),
        ),
        bug("TaskCompletionSource (Pre)", 'F', (2, 2), || classes::completion_source(Error::LooksFirst)),
        bug("TaskCompletionSource", 'G', (2, 2), || classes::completion_source(Error::CompletesEarly)),
        correct("TaskCompletionSource", || classes::completion_source(Error::None)),
        correct("CancellationTokenSource", classes::cancellation_source),
        meant("Barrier", ('L', Kind::Nonlinearizable), (2, 2), classes::barrier, |scenario| {
            scenario.not_linearizable("signal_and_wait()")
        }),
    ]
}

impl Subject {
    /// What the class is called, and the cause of its failures.
    pub(super) fn name(&self) -> (&'static str, Option<char>) {
        (self.class, self.cause)
    }

    /// Compares one of so many of its tests with the naive twin.
    pub(super) fn compare(&self, one_of: usize) -> Compared {
        (self.compare)(one_of)
    }

    /// Checks the sample.
    pub(super) fn row(&self, form: Form) -> Row {
        let checks = (self.check)(form);
        let exempted = self.exempted.as_ref().map(|check| check(form).failed == 0);
        Row {
            class: self.class,
            cause: self.cause,
            kind: self.kind,
            published: self.published,
            checks,
            exempted,
            seconds_max: self.seconds_max,
        }
    }
}

impl Row {
    fn dimension(&self) -> Option<(usize, usize)> {
        self.checks.failure.as_ref().map(|check| check.matrix.dimension())
    }

    fn histories(&self) -> u64 {
        self.checks.serial_histories / self.checks.checked.max(1)
    }

    /// Of phase 1 of a test, on average.
    fn serial_seconds(&self) -> f64 {
        self.checks.serial_seconds / self.checks.checked.max(1) as f64
    }

    /// Of table 2: serial histories on average, and how many of 100 tests passed and failed. Its rows are classes, whatever their causes are; those
    /// that we add are not there.
    fn measured_there(&self) -> Option<[u32; 3]> {
        if self.kind == Kind::Correct && WITH_CAUSES_THERE.contains(&self.class) {
            return None;
        }
        MEASURED_THERE.iter().find(|(class, _)| *class == self.class).map(|(_, measured)| *measured)
    }

    fn open(&self) -> u64 {
        self.checks.checked - self.checks.passed - self.checks.failed
    }

    pub(super) fn json(&self) -> serde_json::Value {
        json!({
            "class": self.class,
            "cause": self.cause,
            "kind": self.kind.word(),
            "found": self.checks.failed > 0,
            "dimension": self.dimension().map(times),
            "published_dimension": self.published.map(times),
            "histories": self.histories(),
            "pass": self.checks.passed,
            "fail": self.checks.failed,
            "open": self.open(),
            "exempted": self.exempted,
            "races": self.checks.racy,
            "unserializable": self.checks.unserializable,
            "unserializable_pass": self.checks.unserializable_passed,
            "serial_seconds": self.serial_seconds(),
            "seconds": self.checks.seconds,
        })
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let yes = |is_so: bool| if is_so { "yes" } else { "no" }.to_owned();
        let dimension = |dimension: Option<(usize, usize)>| dimension.map(times).unwrap_or_default();
        let measured = self.measured_there();
        vec![
            self.class.to_owned(),
            self.cause.map(String::from).unwrap_or_default(),
            self.kind.word().to_owned(),
            yes(self.checks.failed > 0),
            dimension(self.dimension()),
            dimension(self.published),
            self.histories().to_string(),
            self.checks.passed.to_string(),
            self.checks.failed.to_string(),
            self.open().to_string(),
            measured.map(|[histories, ..]| histories.to_string()).unwrap_or_default(),
            measured.map(|[_, pass, fail]| format!("{pass}, {fail}")).unwrap_or_default(),
            self.exempted.map(yes).unwrap_or_default(),
            self.checks.racy.to_string(),
            self.checks.unserializable.to_string(),
            self.checks.unserializable_passed.to_string(),
            format!("{:.3}", self.checks.seconds),
        ]
    }

    /// What is not as it should be.
    fn mistake(&self) -> Option<String> {
        let (class, failed) = (self.class, self.checks.failed > 0);
        let cause = self.cause.map(String::from).unwrap_or_default();
        if let Some(seconds_max) = self.seconds_max.filter(|max| self.checks.seconds > *max) {
            let seconds = self.checks.seconds;
            return Some(format!("{class}: {seconds:.1} s, more than {seconds_max} s"));
        }
        if self.open() > 0 && self.seconds_max.is_some() {
            return Some(format!("{class}: {} tests are open", self.open()));
        }
        if self.kind == Kind::Correct {
            return failed.then(|| format!("{class}: a test fails, and nothing is wrong"));
        }
        let (Some((threads, calls)), Some(published)) = (self.dimension(), self.published) else {
            return Some(format!("{class}: cause {cause} is not found"));
        };
        if threads > published.0 || calls > published.1 {
            return Some(format!("{class}: cause {cause} takes {threads}x{calls}, more than the paper has"));
        }
        (self.exempted == Some(false))
            .then(|| format!("{class}: cause {cause} is declared, and a test fails"))
    }
}

fn times((threads, calls): (usize, usize)) -> String {
    format!("{threads}x{calls}")
}

/// All errors are found, by tests no larger than the paper's, and nothing else is.
///
/// # Errors
/// What is not so, a line each.
pub(super) fn check(rows: &[Row]) -> Outcome {
    let mistakes: Vec<_> = rows.iter().filter_map(Row::mistake).collect();
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thirteen_classes_and_twelve_causes() {
        let mut classes: Vec<_> = subjects().iter().map(|one| one.class.replace(" (Pre)", "")).collect();
        classes.sort_unstable();
        classes.dedup();
        assert_eq!(classes.len(), 13);
        let mut causes: Vec<_> = subjects().iter().filter_map(|one| one.cause).collect();
        causes.sort_unstable();
        assert_eq!(causes, ('A'..='L').collect::<Vec<_>>());
    }
}
