//! The programs by which orders are judged.

use super::deadline::{Deadline, Timer};
use super::pool::Pool;
use super::progress::Teller;
use crate::model::{Builder, Outcome};
use crate::port::Overrides;
use std::sync::Arc;
use std::time::Duration;

/// How a program is run: with a builder that says how.
pub(super) type Run = Arc<dyn Fn(Builder) -> Outcome + Send + Sync>;

/// A program and its name.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) name: String,
    pub(super) run: Run,
}

/// Programs that hold, by which the memory orders of what they use are judged; and how far to go.
///
/// ```
/// # use cdsspec_runtime::{sync::atomic::{AtomicU32, Ordering}, thread};
/// # use cdsspec_runtime::weaken::{Programs, weaken};
/// fn count__count() {
///     let counter = AtomicU32::new(0);
///     thread::scope(|scope| {
///         scope.spawn(|| counter.fetch_add(1, Ordering::SeqCst));
///         counter.fetch_add(1, Ordering::SeqCst);
///     });
///     assert_eq!(counter.load(Ordering::Relaxed), 2);
/// }
///
/// let injections = weaken(Programs::new("counter").program("count__count", count__count));
/// assert_eq!(injections.found_count(), 0, "SeqCst is more than it needs:\n{injections}");
/// ```
#[derive(Clone)]
#[must_use = "programs do nothing until they are weakened or advised on"]
pub struct Programs {
    pub(super) name: String,
    pub(super) programs: Vec<Program>,
    pub(super) jobs: Option<usize>,
    pub(super) executions_max: Option<u64>,
    pub(super) duration_max: Option<Duration>,
    pub(super) uninitialised: Option<bool>,
    pub(super) freed: Option<bool>,
    pub(super) classifies: bool,
    pub(super) base: Overrides,
    pub(super) has_progress: bool,
    /// The time, for `duration_max`.
    pub(super) clock: Option<Timer>,
}

impl Programs {
    /// No programs, of a structure called so.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            programs: Vec::new(),
            jobs: None,
            executions_max: None,
            duration_max: None,
            uninitialised: None,
            freed: None,
            classifies: false,
            base: Overrides::new(),
            has_progress: true,
            clock: None,
        }
    }

    /// Adds a program.
    pub fn program(self, name: impl Into<String>, program: impl Fn() + Send + Sync + 'static) -> Self {
        let program = Arc::new(program);
        self.run(name, move |builder| {
            let program = program.clone();
            builder.check(move || program())
        })
    }

    /// Adds a program that sets up its run itself, from the builder that it is given.
    pub fn run(
        mut self,
        name: impl Into<String>,
        run: impl Fn(Builder) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        self.programs.push(Program { name: name.into(), run: Arc::new(run) });
        self
    }

    /// How many OS threads to use; by default as many as there are cores. Nothing but the time that it takes depends on it.
    pub fn jobs(mut self, count: usize) -> Self {
        self.jobs = Some(count.max(1));
        self
    }

    /// How many executions to explore in one run, at most. What a limit leaves open is neither found nor a survivor.
    pub fn executions_max(mut self, count: u64) -> Self {
        self.executions_max = Some(count);
        self
    }

    /// How long all may take: a run that is not over by then is given up, and what it was about is not reached, and counted.
    pub fn duration_max(mut self, duration: Duration) -> Self {
        self.duration_max = Some(duration);
        self
    }

    /// Begins from these orders instead of those written, as if the source had them: `Overrides::relaxed()` asks what a structure needs that has
    /// no orders at all, and [`advise`](super::advise) finds them; with a single place it asks for one that is, say, `SeqCst`.
    /// Places are those of a [`PlaceLog`](crate::port::PlaceLog).
    ///
    /// ```
    /// # use cdsspec_runtime::{sync::atomic::{AtomicU32, Ordering}, thread, cell::UnsafeCell};
    /// # use cdsspec_runtime::{port::Overrides, weaken::{Goal, Programs, advise}};
    /// fn set__get() {
    ///     let (data, flag) = (AtomicU32::new(0), AtomicU32::new(0));
    ///     thread::scope(|scope| {
    ///         scope.spawn(|| {
    ///             data.store(1, Ordering::Relaxed);
    ///             flag.store(1, Ordering::Release);
    ///         });
    ///         assert!(flag.load(Ordering::Acquire) == 0 || data.load(Ordering::Relaxed) == 1);
    ///     });
    /// }
    ///
    /// let programs = Programs::new("flag").program("set__get", set__get).orders(Overrides::relaxed());
    /// let advice = advise(programs);
    /// assert!(matches!(advice.goal, Goal::Strengthen));
    /// assert_eq!(advice.changes().count(), 2, "Release and Acquire:\n{advice}");
    /// assert!(advice.patch.is_empty(), "as it is written:\n{advice}");
    /// ```
    pub fn orders(mut self, orders: Overrides) -> Self {
        self.base = orders;
        self
    }

    /// Whether uses of uninitialised memory are looked for, which they are by default: without, the specification alone has to find what
    /// they show ([`Builder::uninitialised`], `CDSSPEC_UNINITIALISED`).
    pub fn uninitialised(mut self, is_on: bool) -> Self {
        self.uninitialised = Some(is_on);
        self
    }

    /// The same of uses of freed memory ([`Builder::freed`], `CDSSPEC_FREED`).
    pub fn freed(mut self, is_on: bool) -> Self {
        self.freed = Some(is_on);
        self
    }

    /// Whether [`weaken`](fn@super::weaken) goes on after what it has found, for the class as in figure 8 of the CDSSpec paper: built-in if
    /// any execution of any program shows it so, else inadmissible, else violated, else blocked; of up to 10,000 executions of each program,
    /// and until both a built-in finding and another one are seen. Off by default: then the class is that of the first finding.
    pub fn classify(mut self, is_on: bool) -> Self {
        self.classifies = is_on;
        self
    }

    /// Whether to show on the standard error output how far it is, once it takes longer than a second: a bar on a terminal, else a line
    /// a second. On by default.
    pub fn progress(mut self, is_on: bool) -> Self {
        self.has_progress = is_on;
        self
    }

    /// How the runs of all that is asked for are done; `asked` names it.
    pub(super) fn pool(&self, asked: &str) -> Pool {
        let jobs = self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let clock = self.clock.clone().unwrap_or_else(Timer::new);
        Pool {
            jobs,
            deadline: Deadline::new(clock, self.duration_max),
            title: format!("{}: {asked}", self.name),
            teller: Teller::new(self.has_progress),
        }
    }
}

impl<N: Into<String>, F: Fn() + Send + Sync + 'static, const COUNT: usize> From<[(N, F); COUNT]>
    for Programs
{
    fn from(programs: [(N, F); COUNT]) -> Self {
        programs.into_iter().collect()
    }
}

impl<N: Into<String>, F: Fn() + Send + Sync + 'static> From<Vec<(N, F)>> for Programs {
    fn from(programs: Vec<(N, F)>) -> Self {
        programs.into_iter().collect()
    }
}

impl<N: Into<String>, F: Fn() + Send + Sync + 'static> FromIterator<(N, F)> for Programs {
    fn from_iter<I: IntoIterator<Item = (N, F)>>(programs: I) -> Self {
        programs.into_iter().fold(Self::new("programs"), |all, (name, program)| all.program(name, program))
    }
}
