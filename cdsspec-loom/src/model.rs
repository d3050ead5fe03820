//! Runs programs.

use crate::lazy_static;
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::model::{self as runtime, EngineKind, Outcome};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

const MAX_BRANCHES: usize = 1_000;

/// What ours has by default, since it counts every operation.
const BRANCHES_MAX: usize = 10_000;

/// loom's `Builder`.
#[derive(Debug)]
#[non_exhaustive]
pub struct Builder {
    /// Not looked at: there may be any number of threads.
    pub max_threads: usize,
    /// How many operations one execution may have: this many, and 10,000 at least, unless it is below loom's default, 1,000. (loom counts
    /// fewer things.)
    pub max_branches: usize,
    /// How many executions are explored at most. By default what `LOOM_MAX_PERMUTATIONS` says.
    pub max_permutations: Option<usize>,
    /// How long is explored at most. By default what `LOOM_MAX_DURATION` says, in seconds.
    pub max_duration: Option<Duration>,
    /// Not looked at: executions with more preemptions are explored as well.
    pub preemption_bound: Option<usize>,
    /// Refused: a run comes to the same execution each time, and its report shows it.
    pub checkpoint_file: Option<PathBuf>,
    /// Not looked at.
    pub checkpoint_interval: usize,
    /// Not looked at: all of a program is explored.
    pub expect_explicit_explore: bool,
    /// Not looked at: reports have locations.
    pub location: bool,
    /// Whether what a program that holds came to is printed: a line to standard error. By default if `LOOM_LOG` is set.
    pub log: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

/// The value of a variable of loom's.
///
/// # Panics
/// If it is no value of this type.
fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("invalid value for `{name}`")))
}

impl Builder {
    /// What `LOOM_…` variables say, and loom's defaults.
    ///
    /// # Panics
    /// If a variable has no value of its type.
    pub fn new() -> Self {
        Self {
            max_threads: crate::MAX_THREADS,
            max_branches: variable("LOOM_MAX_BRANCHES").unwrap_or(MAX_BRANCHES),
            max_permutations: variable("LOOM_MAX_PERMUTATIONS"),
            max_duration: variable("LOOM_MAX_DURATION").map(Duration::from_secs),
            preemption_bound: variable("LOOM_MAX_PREEMPTIONS"),
            checkpoint_file: variable("LOOM_CHECKPOINT_FILE"),
            checkpoint_interval: variable("LOOM_CHECKPOINT_INTERVAL").unwrap_or(20_000),
            expect_explicit_explore: false,
            location: std::env::var_os("LOOM_LOCATION").is_some(),
            log: std::env::var_os("LOOM_LOG").is_some(),
        }
    }

    /// Sets the file of checkpoints, which [`check`](Self::check) refuses.
    pub fn checkpoint_file(&mut self, file: &str) -> &mut Self {
        self.checkpoint_file = Some(file.into());
        self
    }

    /// Explores every execution of the program. What comes to `max_permutations` or `max_duration` passes, as under loom, and a note on the standard
    /// error output of the process says so.
    ///
    /// # Panics
    /// With the report, if one of them has a fault. If a checkpoint file is set.
    #[track_caller]
    pub fn check<F>(&self, program: F)
    where
        F: Fn() + Sync + Send + 'static,
    {
        assert!(
            self.checkpoint_file.is_none(),
            "there are no checkpoints (`LOOM_CHECKPOINT_FILE`, `Builder::checkpoint_file`): a run comes to the same execution each \
             time, and its report shows it"
        );
        let outcome = self.set_up().check(move || lazy_static::during(&program));
        outcome.tell_notes();
        if self.log {
            log(&outcome);
        }
        if self.is_asked_for(&outcome) {
            tell_limit(&outcome);
        } else {
            outcome.assert_holds();
        }
    }

    fn set_up(&self) -> runtime::Builder {
        // A number below loom's own default is there to be reached.
        let branches_max = if self.max_branches < MAX_BRANCHES {
            self.max_branches
        } else {
            self.max_branches.max(BRANCHES_MAX)
        };
        let mut builder = runtime::Builder::new().branches_max(branches_max).leaks(true).tracks_objects();
        // `--cfg loom` means this crate, and not the engine loom.
        if std::env::var_os("CDSSPEC_ENGINE").is_none() {
            builder = builder.engine(EngineKind::Rc11);
        }
        if let Some(executions) = self.max_permutations {
            builder = builder.executions_max(executions as u64);
        }
        if let Some(duration) = self.max_duration {
            builder = builder.duration_max(duration);
        }
        builder
    }

    /// Whether the exploration ended at a limit that the user has set, and that loom takes for a pass.
    fn is_asked_for(&self, outcome: &Outcome) -> bool {
        let is_limit = |name: &str| outcome.limit.as_deref().is_some_and(|limit| limit.starts_with(name));
        let is_ours = self.max_permutations.is_some() && is_limit("executions_max")
            || self.max_duration.is_some() && is_limit("duration_max");
        outcome.verdict == Verdict::Inconclusive && is_ours
    }
}

/// Says past the harness that a pass is none of all executions.
fn tell_limit(outcome: &Outcome) {
    let headline = outcome.report().lines().next().unwrap_or_default();
    let line = format!(
        "cdsspec: note: {}: {headline}; other executions were not explored, and it passes, as under loom\n",
        outcome.name
    );
    drop(std::io::stderr().lock().write_all(line.as_bytes()));
}

fn log(outcome: &Outcome) {
    eprintln!("{}: {} after {} executions", outcome.name, outcome.verdict, outcome.executions);
}

/// Explores every execution of the program.
///
/// # Panics
/// With the report, if one of them has a fault.
#[track_caller]
pub fn model<F>(program: F)
where
    F: Fn() + Sync + Send + 'static,
{
    Builder::new().check(program);
}
