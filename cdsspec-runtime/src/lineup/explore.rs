//! Programs that write themselves, in one line.

use super::check::{Against, LineUp};
use super::checks::Checks;
use crate::model::Builder;
use crate::scenario::Scenario;

/// A type that says what can be invoked on it: `#[cdsspec::scenarios]` on an impl implements it.
pub trait Invoked: Sized + Send + Sync + 'static {
    /// The scenario with what can be invoked.
    fn invoked(scenario: Scenario<Self>) -> Scenario<Self>;
}

/// Explores all tests of two threads with two calls each, of a type that says what can be invoked on it: against its specification, if it has
/// one, and else by [Line-Up](LineUp).
///
/// # Panics
/// With the report, unless all of them hold.
#[track_caller]
pub fn explore<T: Invoked>(make: impl Fn() -> T + Send + Sync + 'static) {
    Explore::new(make).run().assert_holds();
}

/// Explores the tests of a structure, against its specification, if it has one, and else by [Line-Up](LineUp).
///
/// By default all of two threads with two calls each.
#[derive(Debug)]
#[must_use = "it does nothing until it is run"]
pub struct Explore<T> {
    lineup: LineUp<T>,
    threads: usize,
    calls: usize,
    sample: Option<(u64, u64)>,
}

impl<T: Send + Sync + 'static> Explore<T> {
    /// Objects that are made so, of a type that says what can be invoked on it.
    pub fn new(make: impl Fn() -> T + Send + Sync + 'static) -> Self
    where
        T: Invoked,
    {
        Self::of(T::invoked(Scenario::new(make)))
    }

    /// The tests of a scenario.
    pub fn of(scenario: Scenario<T>) -> Self {
        let mut lineup = LineUp::new(scenario);
        if lineup.is_specified() {
            lineup.against = Against::Specification;
        }
        Self { lineup, threads: 2, calls: 2, sample: None }
    }

    /// How many threads a test has.
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }

    /// How many calls each thread makes.
    pub fn calls(mut self, count: usize) -> Self {
        self.calls = count;
        self
    }

    /// Not all tests, but so many, drawn from this seed.
    pub fn sample(mut self, count: u64, seed: u64) -> Self {
        self.sample = Some((count, seed));
        self
    }

    /// How many tests are checked at a time: [`LineUp::jobs`].
    pub fn jobs(self, count: usize) -> Self {
        self.line_up(|lineup| lineup.jobs(count))
    }

    /// Sets up how tests are checked: [`LineUp`].
    pub fn line_up(mut self, set: impl FnOnce(LineUp<T>) -> LineUp<T>) -> Self {
        self.lineup = set(self.lineup);
        self
    }

    /// Sets up each exploration, as [`LineUp::set_up`] does.
    pub fn set_up(self, set: impl FnOnce(Builder) -> Builder) -> Self {
        self.line_up(|lineup| lineup.set_up(set))
    }

    /// Whether tests are checked against a specification.
    pub fn is_specified(&self) -> bool {
        self.lineup.against == Against::Specification
    }

    /// Checks the tests, until one fails.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn run(&self) -> Checks {
        match self.sample {
            None => self.lineup.check_every(self.threads, self.calls),
            Some((count, seed)) => self.lineup.random_check(self.threads, self.calls, count, seed),
        }
    }
}

impl<T: Send + Sync + 'static> LineUp<T> {
    /// Whether some call is recorded against a specification: each is made once, alone.
    fn is_specified(&self) -> bool {
        self.scenario.invocations().any(|name| {
            let matrix = self.scenario.matrix([[name]]);
            let builder = Builder::new().quiet().executions_max(1);
            let outcome = builder.check(self.scenario.program(&matrix));
            outcome.details().coverage.counts.calls > 0
        })
    }
}
