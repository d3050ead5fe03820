//! How a run is set up.

use super::environment::{self, Lookup, SettingError, refuse_unknown};
use super::identity::Identity;
use super::{ContractLevel, Outcome, SeqCstOrder, bound, remedy, replay, run, setting, visit};
use crate::engine::random::Strategy;
use crate::engine::{Engine, Exploration, Program, Visitor};
use crate::history::Histories;
use crate::memory_model::MemoryModel;
use crate::port::{OrderTable, Overrides, PlaceLog};
use crate::{process, report};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

impl From<MemoryModel> for Cow<'static, str> {
    fn from(model: MemoryModel) -> Self {
        Cow::Borrowed(model.name())
    }
}

/// The type that a setting of some kind is kept in.
macro_rules! kept {
    (Name) => { Cow<'static, str> };
    (Count) => { u64 };
    (Size) => { usize };
    (Bytes) => { usize };
    (Milliseconds) => { Duration };
    (Switch) => { bool };
    ($other:ident) => { $other };
}

/// The type in which the caller gives it.
macro_rules! given {
    (Name) => { impl Into<Cow<'static, str>> };
    ($other:ident) => { kept!($other) };
}

/// What a caller gave, as it is kept.
macro_rules! keep {
    (Name $value:ident) => {
        $value.into()
    };
    ($other:ident $value:ident) => {
        $value
    };
}

/// A value that was chosen for a setting, whatever its kind.
pub(crate) enum ChosenValue {
    /// The name of one of several things.
    Name(String),
    /// A number of things, or of bytes.
    Number(u64),
    /// A time.
    Milliseconds(u128),
    /// On or off.
    Switch(bool),
    /// Which histories.
    Histories(Histories),
    /// Which orders.
    SeqCstOrder(SeqCstOrder),
    /// Which conditions.
    ContractLevel(ContractLevel),
    /// How executions are drawn.
    Strategy(Strategy),
}

/// A value that is kept, as one of any kind.
macro_rules! any_value {
    (Name $value:ident) => {
        ChosenValue::Name($value.clone().into_owned())
    };
    (Count $value:ident) => {
        ChosenValue::Number(*$value)
    };
    (Size $value:ident) => {
        ChosenValue::Number(*$value as u64)
    };
    (Bytes $value:ident) => {
        ChosenValue::Number(*$value as u64)
    };
    (Milliseconds $value:ident) => {
        ChosenValue::Milliseconds($value.as_millis())
    };
    ($kind:ident $value:ident) => {
        ChosenValue::$kind(*$value)
    };
}

/// The settings that are in the vocabulary: a field and a method each.
macro_rules! settings {
    ($(
        $(#[$text:meta])*
        $name:ident: $kind:ident $variable:literal $(loom $loom:literal)? $default:literal;
    )*) => {
        /// What was chosen, by the builder or by the environment.
        #[derive(Clone, Debug, Default)]
        pub(super) struct Chosen {
            $(pub(super) $name: Option<kept!($kind)>,)*
        }

        impl Chosen {
            /// Takes what was not chosen from the environment: from our own variables.
            ///
            /// # Errors
            /// A variable that cannot be read.
            pub(super) fn complete(&mut self, lookup: Lookup<'_>) -> Result<(), SettingError> {
                $(if self.$name.is_none() {
                    self.$name = environment::read($variable, &environment::$kind, lookup)?;
                })*
                Ok(())
            }

            /// The same, from loom's.
            ///
            /// # Errors
            /// A variable that cannot be read.
            pub(super) fn complete_from_loom(&mut self, lookup: Lookup<'_>) -> Result<(), SettingError> {
                $($(if self.$name.is_none() {
                    self.$name = environment::read($loom, &environment::loom::$kind, lookup)?;
                })?)*
                Ok(())
            }
        }

        /// Sets up a run.
        ///
        /// Each setting is taken from the call of the builder, else from its environment variable `CDSSPEC_…`, else, under loom, from
        /// loom's own variable, else it has its default. Times are in milliseconds, but for `LOOM_MAX_DURATION`, which is in seconds.
        ///
        /// | setting | variable | loom's variable | default |
        /// |---|---|---|---|
        $(#[doc = concat!(
            "| [`", stringify!($name), "`](Self::", stringify!($name), ") | `", $variable, "` | ", $("`", $loom, "` ",)? "| ", $default, " |"
        )])*
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
            pub(super) chosen: Chosen,
            pub(super) reclaims_leaks: bool,
            pub(super) tracks_objects: bool,
            pub(super) counts_handles: bool,
            pub(super) is_serial: bool,
            pub(super) overrides: Overrides,
            pub(super) place_log: Option<PlaceLog>,
            pub(super) allows_unreached: bool,
            pub(super) is_quiet: bool,
            pub(super) number: Option<usize>,
        }

        impl Builder {
            /// The settings that were chosen by calls, by their names.
            pub(crate) fn chosen(&self) -> Vec<(&'static str, ChosenValue)> {
                let all = [$((stringify!($name), self.chosen.$name.as_ref().map(|value| any_value!($kind value)))),*];
                all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
            }

            $($(#[$text])*
            pub fn $name(mut self, value: given!($kind)) -> Self {
                self.chosen.$name = Some(keep!($kind value));
                self
            })*
        }
    };
}

cdsspec_vocabulary::settings!(settings);

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

    /// An object that is left when an execution ends is the verdict `leak`, with or without the allocator: an [`Arc`](crate::sync::Arc) that was made in it,
    /// and what is [`Tracked`](crate::port::Tracked). One that a static keeps counts as well, so this is not what [`leaks`](Self::leaks) asks for, but for
    /// loom's users, who are used to it.
    pub fn tracks_objects(mut self) -> Self {
        self.tracks_objects = true;
        self
    }

    /// Makes every change of the count of an `Arc` an operation: for tests, which compare the two.
    #[doc(hidden)]
    pub fn counts_handles(mut self) -> Self {
        self.counts_handles = true;
        self
    }

    /// The program runs its threads one after the other itself: [`Limits::is_serial`](crate::engine::Limits::is_serial). Bounds on
    /// preemptions and executions mean nothing to it.
    pub(crate) fn serial(mut self) -> Self {
        self.is_serial = true;
        self.chosen.preemptions_max = None;
        // As many as there are orders.
        self.chosen.executions_max = Some(u64::MAX);
        self
    }

    /// Nothing fails or wakes up spuriously, unless that was asked for.
    pub(crate) fn without_spurious(mut self) -> Self {
        self.chosen.spurious_failures.get_or_insert(false);
        self.chosen.spurious_wakeups.get_or_insert(false);
        self
    }

    /// Memory orders other than those written, by place. A place that no operation reaches is a mistake: `inconclusive`, unless a fault
    /// was found.
    pub fn order_overrides(mut self, overrides: Overrides) -> Self {
        self.overrides = overrides;
        self
    }

    /// A place of the overrides that no operation reaches is no mistake: for searches, which take their places from runs with other orders.
    #[cfg(feature = "weaken")]
    pub(crate) fn allow_unreached(mut self) -> Self {
        self.allows_unreached = true;
        self
    }

    /// A run that goes on after a fault does not print it at once: for searches, in which most runs find one.
    pub(crate) fn quiet(mut self) -> Self {
        self.is_quiet = true;
        self
    }

    /// Whether a failing test is made smaller; not if a setting cannot be used.
    pub(super) fn shrinks(&self) -> bool {
        self.settings().is_ok_and(|settings| settings.shrinks)
    }

    /// Whether a test that passes says so past the harness; not if a setting cannot be used.
    pub(super) fn is_verbose(&self) -> bool {
        self.settings().is_ok_and(|settings| settings.is_verbose)
    }

    /// The same within the limits of another one, where these are set.
    #[cfg(feature = "localize")]
    pub(crate) fn within_limits_of(mut self, other: &Self) -> Self {
        let limits = &other.chosen;
        self.chosen.executions_max = limits.executions_max;
        self.chosen.duration_max = limits.duration_max;
        self.chosen.branches_max = limits.branches_max;
        self.chosen.recording_max = limits.recording_max;
        self
    }

    /// No more executions than that, and than were chosen.
    pub(super) fn at_most(mut self, executions: u64) -> Self {
        let chosen = self.settings().ok().and_then(|settings| settings.limits.executions_max);
        self.chosen.executions_max = Some(chosen.unwrap_or(u64::MAX).min(executions));
        self
    }

    fn settings(&self) -> Result<setting::Settings, SettingError> {
        setting::resolve(self, &|name| {
            std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
        })
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

    /// Explores, and leaves it to `visitor` to look at the executions. How that ended, and the bounds of the run, a phrase each.
    ///
    /// # Errors
    /// A setting that cannot be used, in words.
    ///
    /// # Panics
    /// As [`check`](Self::check) does.
    pub(crate) fn visit(
        self,
        program: Program,
        visitor: Rc<RefCell<dyn Visitor>>,
    ) -> Result<(Exploration, Vec<String>), String> {
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        let lookup = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        let identity = self.identity();
        let set_up = refuse_unknown(names).and_then(|()| {
            let settings = setting::resolve(&self, &lookup)?;
            run::refuse_nesting()?;
            Ok((run::make_engine(&settings)?, settings))
        });
        let (engine, settings) = set_up.map_err(|error| error.to_string())?;
        let explored =
            process::watch_for_bugs(|| visit::visit(&*engine, &settings, &identity, program, visitor));
        let explored = explored.unwrap_or_else(|bug| panic_over(&bug, &identity, &*engine));
        Ok((explored, report::bound_texts(&bound::bounds(&*engine, &settings))))
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

    /// All that decides what a program comes to, to be compared with that of another run.
    pub(crate) fn set_up(&self) -> impl fmt::Debug {
        (self.settings(), self.overrides.clone())
    }

    fn identity(&self) -> Identity {
        let thread = std::thread::current().name().map(str::to_owned);
        Identity {
            number: self.number,
            program: self.name.clone().or_else(|| thread.clone()).unwrap_or_else(|| "program".to_owned()),
            // The test harness names its threads after the tests.
            test: thread.filter(|name| name != "main"),
            overrides: String::new(),
        }
    }

    /// The same as [`check`](Self::check), with the environment as an argument.
    pub(super) fn check_with(mut self, program: Program, lookup: Lookup<'_>) -> Outcome {
        self.number = if self.is_quiet { None } else { replay::next_number() };
        let identity = self.identity();
        let engine = setting::resolve(&self, lookup).and_then(|settings| {
            run::refuse_nesting()?;
            Ok((run::make_engine(&settings)?, settings))
        });
        match engine {
            Ok((engine, settings)) => {
                let named = identity.clone();
                let outcome = process::watch_for_bugs(|| match self.order_table() {
                    None if self.is_quiet || self.allows_unreached => {
                        run::run(&*engine, &settings, identity, program)
                    }
                    None => remedy::run_written(&*engine, &settings, identity, program),
                    Some(table) => run::run_ordered(&*engine, &settings, identity, program, &table),
                });
                outcome.unwrap_or_else(|bug| panic_over(&bug, &named, &*engine))
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

/// # Panics
/// Always: over a mistake of our own, with what to send.
fn panic_over(bug: &process::Bug, identity: &Identity, engine: &dyn Engine) -> ! {
    let test = identity.test.as_deref();
    panic!("{}", report::bug(bug, &identity.program, test, engine.name(), process::columns()))
}
