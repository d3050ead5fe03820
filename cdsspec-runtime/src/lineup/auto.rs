//! Many finite tests of one structure.

use super::check::LineUp;
use super::checks::Checks;
use super::gathered::Gathered;
use super::result::SearchResult;
use super::source::{Size, Tests};
use super::text::part;
use crate::model::SearchSettings;
use crate::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

impl<T: Send + Sync + 'static> LineUp<T> {
    /// Checks the tests of one's own, and all of 1, 2, … up to `size_max` threads with as many calls, of as many invocations, the first of the scenario, until one
    /// fails. That one is made as small as possible.
    ///
    /// # Paper
    /// `AutoCheck(X)`: Line-Up, figure 6, which does not end where nothing fails.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn auto_check(&self, size_max: usize) -> Checks {
        let tests = format!(
            "all of up to {size_max} threads with as many calls, of the first {size_max} invocations"
        );
        self.check_sizes(tests, (1..=size_max).map(|size| (size, size, size)).collect())
    }

    /// Checks the tests of one's own, and all of so many threads with so many calls each, until one fails. That one is made as small as possible.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn check_every(&self, threads: usize, calls: usize) -> Checks {
        let tests = format!("all of {threads} threads with {calls} calls each");
        self.check_sizes(tests, vec![(threads, calls, usize::MAX)])
    }

    fn check_sizes(&self, tests: String, sizes: Vec<Size>) -> Checks {
        self.search(tests, || Tests::of_sizes(&self.scenario, sizes))
    }

    /// Checks the tests of one's own, and `count` of so many threads with so many calls each, drawn uniformly from `seed`, until one fails. That one is made
    /// as small as possible.
    ///
    /// # Paper
    /// `RandomCheck(X, I, i, j, n)`: Line-Up, figure 8.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn random_check(&self, threads: usize, calls: usize, count: u64, seed: u64) -> Checks {
        let tests = format!("{count} of {threads} threads with {calls} calls each, drawn from seed {seed}");
        self.search(tests, || {
            Tests::of_sample(&self.scenario, self.scenario.sample(threads, calls, count, seed))
        })
    }

    /// Checks those of the tests that are of this machine's part, and writes down what they came to.
    fn search<'a>(&'a self, tests: String, source: impl FnOnce() -> Tests<'a, T>) -> Checks {
        let begin = Instant::now();
        let mut checks = Checks::new(self.scenario.title(), tests);
        let settings = match self.search.resolve() {
            Ok(settings) => settings,
            Err(error) => {
                checks.limit = Some(error);
                checks.conclude(None);
                return checks;
            }
        };
        checks.shard = settings.shard;
        let mut gathered = self.run_tests(&settings, Gathered::new(checks, self.stops), source());
        gathered.checks.conclude(gathered.total);
        if self.shrinks {
            let failure = gathered.checks.failure.take();
            gathered.checks.failure = failure.map(|check| Box::new(self.smallest(*check)));
        }
        if let Some(path) = &settings.results {
            let Gathered { checks, results, total, .. } = &mut gathered;
            let results = std::mem::take(results);
            let result = SearchResult::new(checks, results, *total, self.set_up_words(), self.stops);
            if let Err(error) = result.add_to(path) {
                checks.fail_to_write(error);
            }
        }
        let mut checks = gathered.checks;
        if checks.holds() && !checks.shard.is_whole() {
            // A harness keeps back what a test prints that passes.
            process::write_note(&format!("cdsspec: note: {}: {}", checks.title, part(checks.shard)));
        }
        checks.seconds = begin.elapsed().as_secs_f64();
        checks
    }

    /// Checks tests on several OS threads. What they come to does not depend on how many: tests are begun in order, each by itself, and what
    /// stands behind the first one that fails is forgotten. All that an exploration has beside its program is of its OS thread.
    fn run_tests(&self, settings: &SearchSettings, gathered: Gathered, tests: Tests<'_, T>) -> Gathered {
        let source = Mutex::new((tests, 0));
        let gathered = Mutex::new(gathered);
        let has_ended = AtomicBool::new(false);
        let next = || {
            let (tests, begun) = &mut *lock(&source);
            let placed = tests.find(|placed| settings.shard.has(placed.place))?;
            *begun += 1;
            Some((*begun - 1, placed))
        };
        let work = || {
            while !has_ended.load(Ordering::Relaxed) {
                let Some((turn, placed)) = next() else { return };
                let check = self.check(&placed.matrix);
                has_ended.fetch_or(self.stops && check.verdict.is_fault(), Ordering::Relaxed);
                lock(&gathered).add(turn, placed, check);
            }
        };
        // Reports name the test by its thread.
        let name = std::thread::current().name().map(str::to_owned);
        let worker = || name.iter().cloned().fold(std::thread::Builder::new(), std::thread::Builder::name);
        std::thread::scope(|scope| {
            // A thread that the system does not give is one that does not help.
            let others: Vec<_> =
                (1..settings.jobs).filter_map(|_| worker().spawn_scoped(scope, work).ok()).collect();
            work();
            for other in others {
                if let Err(payload) = other.join() {
                    std::panic::resume_unwind(payload);
                }
            }
        });
        let (tests, _) = source.into_inner().unwrap_or_else(PoisonError::into_inner);
        let gathered = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        gathered.ended(&tests)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
