//! How a run is set up.

use super::environment::{Lookup, refuse_unknown};
use super::{Outcome, SeqCstOrder, run, setting};
use crate::engine::Program;
use crate::history::Histories;
use crate::memory_model::MemoryModel;
use crate::port::{OrderTable, Overrides, PlaceLog};
use crate::{process, report};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// An engine to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EngineKind {
    /// The best one that is compiled in.
    Default,
    /// Every execution of the C11 model, each once.
    Rc11,
    /// loom, behind the feature `loom`.
    Loom,
}

impl From<EngineKind> for Cow<'static, str> {
    fn from(kind: EngineKind) -> Self {
        Cow::Borrowed(match kind {
            EngineKind::Default => "default",
            EngineKind::Rc11 => "rc11",
            EngineKind::Loom => "loom",
        })
    }
}

impl From<MemoryModel> for Cow<'static, str> {
    fn from(model: MemoryModel) -> Self {
        Cow::Borrowed(model.name())
    }
}

/// Sets up a run.
///
/// Each setting is taken from the call of the builder, else from its environment variable `CDSSPEC_…`, else, under loom, from
/// loom's own variable, else it has its default.
///
/// | setting | variable | loom's variable | default |
/// |---|---|---|---|
/// | [`engine`](Self::engine) | `CDSSPEC_ENGINE` | | `default` |
/// | [`memory_model`](Self::memory_model) | `CDSSPEC_MEMORY_MODEL`: `rc11`, `sc`, `tso`, `pso` | | `rc11` |
/// | [`executions_max`](Self::executions_max) | `CDSSPEC_EXECUTIONS_MAX` | `LOOM_MAX_PERMUTATIONS` | no limit |
/// | [`watchdog`](Self::watchdog) | `CDSSPEC_WATCHDOG_MS` | | 10 s |
/// | [`watchdog_exit`](Self::watchdog_exit) | `CDSSPEC_WATCHDOG_EXIT_MS` | | never |
/// | [`duration_max`](Self::duration_max) | `CDSSPEC_DURATION_MAX_MS` | `LOOM_MAX_DURATION`, in seconds | no limit |
/// | [`preemptions_max`](Self::preemptions_max) | `CDSSPEC_PREEMPTIONS_MAX` | `LOOM_MAX_PREEMPTIONS` | no bound |
/// | [`branches_max`](Self::branches_max) | `CDSSPEC_BRANCHES_MAX` | `LOOM_MAX_BRANCHES` | 10,000 |
/// | [`recording_max`](Self::recording_max) | `CDSSPEC_RECORDING_MAX` | | 100,000 |
/// | [`histories_max`](Self::histories_max) | `CDSSPEC_HISTORIES_MAX` | | 1,000,000 |
/// | [`histories`](Self::histories) | `CDSSPEC_HISTORIES`: `all`, `random:N` | | all |
/// | [`sc_order`](Self::sc_order) | `CDSSPEC_SC_ORDER`: `total`, `partial` | | total |
/// | [`seed`](Self::seed) | `CDSSPEC_SEED` | | 0 |
/// | [`call_clock`](Self::call_clock) | `CDSSPEC_CALL_CLOCK`: `1`, `0` | | on |
/// | [`strict`](Self::strict) | `CDSSPEC_STRICT`: `1`, `0` | | off |
/// | [`stop_at_first`](Self::stop_at_first) | `CDSSPEC_STOP_AT_FIRST`: `1`, `0` | | on |
/// | [`spurious_failures`](Self::spurious_failures) | `CDSSPEC_SPURIOUS_FAILURES`: `1`, `0` | | on |
/// | [`spurious_wakeups`](Self::spurious_wakeups) | `CDSSPEC_SPURIOUS_WAKEUPS`: `1`, `0` | | on |
/// | [`loop_rounds_max`](Self::loop_rounds_max) | `CDSSPEC_LOOP_ROUNDS_MAX` | | as many as are cheap, up to 128 |
/// | [`uninitialised`](Self::uninitialised) | `CDSSPEC_UNINITIALISED`: `1`, `0` | | on |
/// | [`freed`](Self::freed) | `CDSSPEC_FREED`: `1`, `0` | | on |
/// | [`leaks`](Self::leaks) | `CDSSPEC_LEAKS`: `1`, `0` | | off |
/// | [`stack_bytes`](Self::stack_bytes) | `CDSSPEC_STACK_BYTES` | | 256 KiB |
///
/// And `CDSSPEC_OUTSIDE_NOTE=0` switches the note off that a test prints which uses instrumented types outside of any model,
/// `CDSSPEC_PROFILE_NOTE=0` the one that a long run prints where the engine is built without optimisation.
///
/// A variable that cannot be read is an `inconclusive` outcome that names it, and how it is written. So is one that begins with `CDSSPEC_`
/// and is none of these: no limit is ignored because it was misspelt.
#[derive(Clone, Debug, Default)]
#[must_use = "a builder does nothing until `check` or `model` is called"]
pub struct Builder {
    pub(super) name: Option<String>,
    pub(super) engine: Option<Cow<'static, str>>,
    pub(super) memory_model: Option<Cow<'static, str>>,
    pub(super) executions_max: Option<u64>,
    pub(super) duration_max: Option<Duration>,
    pub(super) watchdog: Option<Duration>,
    pub(super) watchdog_exit: Option<Duration>,
    pub(super) preemptions_max: Option<usize>,
    pub(super) branches_max: Option<usize>,
    pub(super) recording_max: Option<usize>,
    pub(super) histories_max: Option<u64>,
    pub(super) histories: Option<Histories>,
    pub(super) sc_order: Option<SeqCstOrder>,
    pub(super) seed: Option<u64>,
    pub(super) call_clock: Option<bool>,
    pub(super) strict: Option<bool>,
    pub(super) stop_at_first: Option<bool>,
    pub(super) spurious_failures: Option<bool>,
    pub(super) spurious_wakeups: Option<bool>,
    pub(super) loop_rounds_max: Option<usize>,
    pub(super) uninitialised: Option<bool>,
    pub(super) freed: Option<bool>,
    pub(super) leaks: Option<bool>,
    pub(super) reclaims_leaks: bool,
    pub(super) counts_handles: bool,
    pub(super) stack_bytes: Option<usize>,
    pub(super) overrides: Overrides,
    pub(super) place_log: Option<PlaceLog>,
    pub(super) allows_unreached: bool,
    pub(super) is_quiet: bool,
}

impl Builder {
    /// A run with nothing set.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the program is called in reports. By default the name of the OS thread, which is that of the test.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Which engine runs the program: an [`EngineKind`], or its name.
    pub fn engine(mut self, engine: impl Into<Cow<'static, str>>) -> Self {
        self.engine = Some(engine.into());
        self
    }

    /// Which executions there are: a [`MemoryModel`], or its name. RC11 if nothing says otherwise: the language's own model, which covers
    /// every compiler and machine, but for load buffering. The others say what a kind of machine does, as if the compiler changed nothing: an
    /// error that is found under `Sc` has nothing to do with memory orders, and what holds under `Tso` alone must not be ported from x86.
    /// Only the engine rc11 has others.
    pub fn memory_model(mut self, memory_model: impl Into<Cow<'static, str>>) -> Self {
        self.memory_model = Some(memory_model.into());
        self
    }

    /// How many executions to explore, at most. Reached: `inconclusive`, unless a fault was found. Those count that were explored before
    /// the exploration had to start again, which [`Outcome::executions`](super::Outcome::executions) leaves out.
    pub fn executions_max(mut self, count: u64) -> Self {
        self.executions_max = Some(count);
        self
    }

    /// How long to explore, at most. Reached: `inconclusive`, unless a fault was found.
    pub fn duration_max(mut self, duration: Duration) -> Self {
        self.duration_max = Some(duration);
        self
    }

    /// How long the program may stand still before what each of its threads did last is printed to stderr; zero: that is never printed. A
    /// lock of std that a thread holds while another one runs cannot be seen, and blocks the run for ever.
    pub fn watchdog(mut self, patience: Duration) -> Self {
        self.watchdog = Some(patience);
        self
    }

    /// How long the program may stand still before the process is ended, with exit code 101; zero: for ever, which is the default. What
    /// each thread did last is printed to stderr first. Nothing but the end of the process can end such a run.
    pub fn watchdog_exit(mut self, patience: Duration) -> Self {
        self.watchdog_exit = Some(patience);
        self
    }

    /// How many preemptions one execution may have: a bound on what is explored, so that the best verdict is `holds_within`.
    pub fn preemptions_max(mut self, count: usize) -> Self {
        self.preemptions_max = Some(count);
        self
    }

    /// How many operations one execution may have, spins included. An execution that has more is cut: `inconclusive`, unless
    /// a fault was found.
    pub fn branches_max(mut self, count: usize) -> Self {
        self.branches_max = Some(count);
        self
    }

    /// How many operations are recorded of one execution. An execution that has more is cut: `inconclusive`, unless a fault
    /// was found.
    pub fn recording_max(mut self, count: usize) -> Self {
        self.recording_max = Some(count);
        self
    }

    /// How many sequential histories and justifying subhistories of one execution are looked at. Reached: `inconclusive`, unless a fault was found.
    pub fn histories_max(mut self, count: u64) -> Self {
        self.histories_max = Some(count);
        self
    }

    /// Which sequential histories are checked: with a random choice the best verdict is `holds_within`.
    pub fn histories(mut self, histories: Histories) -> Self {
        self.histories = Some(histories);
        self
    }

    /// Which orders of the `SeqCst` operations executions are checked under. [`Total`](SeqCstOrder::Total): every total order that extends
    /// the partial one of RC11, as far as it matters to the specification. A fault under one is a fault, and an execution is inadmissible if it
    /// is so under all. [`Partial`](SeqCstOrder::Partial): the partial one itself; less is checked, so that the best verdict is `holds_within`.
    pub fn sc_order(mut self, order: SeqCstOrder) -> Self {
        self.sc_order = Some(order);
        self
    }

    /// The seed of everything that is random.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Whether each call begins with an operation on one hidden location. On loom it brings outcomes back that loom misses
    /// without it, at several times the executions.
    pub fn call_clock(mut self, is_on: bool) -> Self {
        self.call_clock = Some(is_on);
        self
    }

    /// Whether a run that would hold is `inconclusive` if there is a [`Note`](crate::check::Note) about it: it checked less than it seems
    /// to.
    pub fn strict(mut self, is_on: bool) -> Self {
        self.strict = Some(is_on);
        self
    }

    /// Whether the exploration ends at the first fault.
    pub fn stop_at_first(mut self, is_on: bool) -> Self {
        self.stop_at_first = Some(is_on);
        self
    }

    /// Whether a weak compare-exchange may fail spuriously, once per place and thread in an execution. rc11 models it, loom does not.
    pub fn spurious_failures(mut self, is_on: bool) -> Self {
        self.spurious_failures = Some(is_on);
        self
    }

    /// Whether a wait on a `Condvar` and `park` may end without a reason, once per place and thread in an execution. rc11 models it, loom
    /// does not. Programs that wait in a loop, as std asks for, have a few executions less without it.
    pub fn spurious_wakeups(mut self, is_on: bool) -> Self {
        self.spurious_wakeups = Some(is_on);
        self
    }

    /// How many rounds of one loop rc11 explores, for each place, thread and call, where they are not without effect: a loop that
    /// changes nothing from round to round is known to wait after a few. Loops that have more rounds are explored with a bound of 1, 2, 4
    /// and so on up to this one; if a thread reaches the last bound, the best verdict is `holds_within`, and the row `bounds` names the
    /// loop. By default the bound is raised up to 128, as long as the executions are few.
    pub fn loop_rounds_max(mut self, count: usize) -> Self {
        self.loop_rounds_max = Some(count);
        self
    }

    /// Whether a use of an object that is not ordered after the allocation of its memory, or after
    /// [`initialized`](crate::heap::initialized), is the verdict `uninitialised`. Seen only with
    /// [`allocator!`](macro@crate::allocator).
    pub fn uninitialised(mut self, is_on: bool) -> Self {
        self.uninitialised = Some(is_on);
        self
    }

    /// Whether a use of an object that is not ordered before the free of its memory, and a second free, are the verdict `freed`. Seen
    /// only with [`allocator!`](macro@crate::allocator).
    pub fn freed(mut self, is_on: bool) -> Self {
        self.freed = Some(is_on);
        self
    }

    /// Whether memory that the program never frees is the verdict `leak`: blocks with an instrumented object that was used, or that such an
    /// object pointed to, which are there when the execution is complete, and to which no pointer leads from a block that the program still
    /// has, or from an instrumented object that outlives the execution. What only memory from before the
    /// execution holds, such as a plain static, is not seen to be held. Seen only with [`allocator!`](macro@crate::allocator).
    pub fn leaks(mut self, is_on: bool) -> Self {
        self.leaks = Some(is_on);
        self
    }

    /// What an execution leaks is freed when it ends, so that a program that leaks can be explored for long: what [`leaks`](Self::leaks) reports. Without this they stay, and the report says
    /// how much they are.
    ///
    /// # Safety
    /// Nothing that outlives an execution may use what the execution left: no plain static, `std::thread_local!`, std thread, or variable
    /// that the program captures.
    pub unsafe fn reclaim_leaks(mut self) -> Self {
        self.reclaims_leaks = true;
        self
    }

    /// Makes every change of the count of an `Arc` an operation: for tests, which compare the two.
    #[doc(hidden)]
    pub fn counts_handles(mut self) -> Self {
        self.counts_handles = true;
        self
    }

    /// The stack of each thread of the program.
    pub fn stack_bytes(mut self, bytes: usize) -> Self {
        self.stack_bytes = Some(bytes);
        self
    }

    /// Memory orders other than those written, by place. A place that no operation reaches is a mistake: `inconclusive`, unless a fault
    /// was found.
    pub fn order_overrides(mut self, overrides: Overrides) -> Self {
        self.overrides = overrides;
        self
    }

    /// A place of the overrides that no operation reaches is no mistake: for searches, which take their places from runs with other orders.
    pub(crate) fn allow_unreached(mut self) -> Self {
        self.allows_unreached = true;
        self
    }

    /// A run that goes on after a fault does not print it at once: for searches, in which most runs find one.
    pub(crate) fn quiet(mut self) -> Self {
        self.is_quiet = true;
        self
    }

    /// Notes every place with memory orders that the run reaches.
    pub fn place_log(mut self, log: &PlaceLog) -> Self {
        self.place_log = Some(log.clone());
        self
    }

    /// Explores and checks. Never panics on account of the program or its specifications: whatever happens is a verdict.
    ///
    /// # Panics
    /// If the checker itself panicked, which is no verdict: with a text that begins `cdsspec bug:` and says what to send.
    pub fn check(self, program: impl Fn() + Send + Sync + 'static) -> Outcome {
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        match refuse_unknown(names) {
            Ok(()) => self.check_with(Arc::new(program), &|name| {
                std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
            }),
            Err(error) => Outcome::unusable(self.identity(), &error),
        }
    }

    /// Explores and checks.
    ///
    /// # Panics
    /// With the report, unless the verdict is `holds`, or `holds_within` bounds that the user set or the engine has.
    #[track_caller]
    pub fn model(self, program: impl Fn() + Send + Sync + 'static) {
        let outcome = self.check(program);
        outcome.tell_notes();
        outcome.assert_holds();
    }

    fn identity(&self) -> run::Identity {
        let thread = std::thread::current().name().map(str::to_owned);
        run::Identity {
            program: self.name.clone().or_else(|| thread.clone()).unwrap_or_else(|| "program".to_owned()),
            // The test harness names its threads after the tests.
            test: thread.filter(|name| name != "main"),
            overrides: String::new(),
        }
    }

    /// The same as [`check`](Self::check), with the environment as an argument.
    pub(super) fn check_with(self, program: Program, lookup: Lookup<'_>) -> Outcome {
        let identity = self.identity();
        let engine = setting::resolve(&self, lookup).and_then(|settings| {
            run::refuse_nesting()?;
            Ok((run::make_engine(settings.engine, settings.memory_model)?, settings))
        });
        match engine {
            Ok((engine, settings)) => {
                let named = identity.clone();
                let outcome = process::watch_for_bugs(|| match self.order_table() {
                    None if self.is_quiet || self.allows_unreached => {
                        run::run(&*engine, &settings, identity, program)
                    }
                    None => run::run_written(&*engine, &settings, identity, program),
                    Some(table) => run::run_ordered(&*engine, &settings, identity, program, &table),
                });
                outcome.unwrap_or_else(|bug| {
                    let test = named.test.as_deref();
                    panic!("{}", report::bug(&bug, &named.program, test, engine.name(), process::columns()))
                })
            }
            Err(error) => Outcome::unusable(identity, &error),
        }
    }

    /// The orders of the run, if anything is asked about them.
    fn order_table(&self) -> Option<Arc<OrderTable>> {
        if self.overrides.is_empty() && self.place_log.is_none() {
            return None;
        }
        let log = self.place_log.clone().unwrap_or_default();
        let table = OrderTable::new(self.overrides.clone(), log);
        Some(Arc::new(if self.allows_unreached { table.allow_unreached() } else { table }))
    }
}
