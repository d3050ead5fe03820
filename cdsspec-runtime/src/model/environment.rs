//! The environment variables, one for every setting.

use super::{Histories, SeqCstOrder};
use crate::port::NOTE_VARIABLE;
use crate::process::PROFILE_NOTE_VARIABLE;
use crate::record::Place;
use std::fmt;
use std::time::Duration;

/// Looks a variable up: the environment, or a table in tests.
pub(super) type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A variable: its name, the form of its value in words, and how it is read.
pub(super) struct Variable<T> {
    pub(super) name: &'static str,
    pub(super) form: &'static str,
    pub(super) parse: fn(&str) -> Option<T>,
}

impl<T> Variable<T> {
    /// Its value, where it is set.
    ///
    /// # Errors
    /// If the value does not have the form expected.
    pub(super) fn read(&self, lookup: Lookup<'_>) -> Result<Option<T>, SettingError> {
        let Some(value) = lookup(self.name) else { return Ok(None) };
        match (self.parse)(value.trim()) {
            Some(parsed) => Ok(Some(parsed)),
            None => Err(SettingError::Malformed { variable: self.name, value, form: self.form }),
        }
    }
}

/// A setting that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SettingError {
    /// A variable that cannot be read.
    Malformed { variable: &'static str, value: String, form: &'static str },
    /// A variable that is none of ours, by its name.
    UnknownVariable { name: String },
    /// An engine that does not exist.
    UnknownEngine { name: String, source: &'static str },
    /// A memory model that does not exist.
    UnknownMemoryModel { name: String, source: &'static str },
    /// An engine that is not compiled in.
    #[cfg_attr(feature = "loom", expect(dead_code, reason = "loom is compiled in"))]
    MissingEngine { name: &'static str, feature: &'static str },
    /// A setting that means nothing to the engine.
    Unsupported { setting: &'static str, engine: &'static str, other: &'static str },
    /// An override of memory orders that nothing comes to.
    UnreachedPlace { place: Place },
    /// A model inside a model.
    Nested,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { variable, value, form } => {
                write!(f, "the environment variable {variable} is {value:?}: expected {form}")
            }
            Self::UnknownVariable { name } => {
                let ours: Vec<_> = NAMES.iter().copied().filter(|name| name.starts_with(PREFIX)).collect();
                write!(f, "the environment variable {name} is no setting: those are {}", ours.join(", "))
            }
            Self::UnknownEngine { name, source } => {
                write!(f, "{source} names the engine {name:?}: expected `default`, `rc11` or `loom`")
            }
            Self::UnknownMemoryModel { name, source } => {
                write!(f, "{source} names the memory model {name:?}: expected `rc11`, `sc`, `tso` or `pso`")
            }
            Self::MissingEngine { name, feature } => {
                write!(f, "the engine `{name}` is not compiled in: enable the feature `{feature}` of cdsspec")
            }
            Self::Unsupported { setting, engine, other } => {
                write!(
                    f,
                    "the engine `{engine}` has no {setting}: leave it out, or choose the engine `{other}`"
                )
            }
            Self::UnreachedPlace { place } => {
                write!(
                    f,
                    "an override names {place}, which no operation reached: name a place that the program reaches"
                )
            }
            Self::Nested => {
                write!(
                    f,
                    "a model was started inside another model: models do not nest, run them one after another"
                )
            }
        }
    }
}

const COUNT: &str = "a whole number";
const SWITCH: &str = "`1`, `0`, `true` or `false`";

fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

fn histories(text: &str) -> Option<Histories> {
    match text.split_once(':') {
        None => (text == "all").then_some(Histories::All),
        Some((word, count)) => {
            let count = count.parse().ok().filter(|&count| count > 0)?;
            (word == "random").then_some(Histories::Random(count))
        }
    }
}

fn sc_order(text: &str) -> Option<SeqCstOrder> {
    match text {
        "total" => Some(SeqCstOrder::Total),
        "partial" => Some(SeqCstOrder::Partial),
        _ => None,
    }
}

macro_rules! variables {
    ($($constant:ident: $type:ty = $name:expr, $form:expr, $parse:expr;)*) => {$(
        pub(super) const $constant: Variable<$type> = Variable { name: $name, form: $form, parse: $parse };
    )*

        /// All of them.
        const NAMES: &[&str] = &[$($name),*];
    };
}

/// What our variables begin with.
const PREFIX: &str = "CDSSPEC_";

/// Refuses variables that begin as ours do and are none: a misspelt limit is not ignored.
///
/// # Errors
/// The first of them, by name.
pub(super) fn refuse_unknown(names: impl Iterator<Item = String>) -> Result<(), SettingError> {
    let unknown = names.filter(|name| name.starts_with(PREFIX) && !NAMES.contains(&name.as_str())).min();
    unknown.map_or(Ok(()), |name| Err(SettingError::UnknownVariable { name }))
}

variables! {
    ENGINE: String = "CDSSPEC_ENGINE", "the name of an engine", |text| Some(text.to_owned());
    MEMORY_MODEL: String = "CDSSPEC_MEMORY_MODEL", "the name of a memory model", |text| Some(text.to_owned());
    EXECUTIONS_MAX: u64 = "CDSSPEC_EXECUTIONS_MAX", COUNT, number;
    DURATION_MAX_MS: Duration = "CDSSPEC_DURATION_MAX_MS", "a whole number of milliseconds",
        |text| number(text).map(Duration::from_millis);
    WATCHDOG_MS: Duration = "CDSSPEC_WATCHDOG_MS", "a whole number of milliseconds",
        |text| number(text).map(Duration::from_millis);
    WATCHDOG_EXIT_MS: Duration = "CDSSPEC_WATCHDOG_EXIT_MS", "a whole number of milliseconds",
        |text| number(text).map(Duration::from_millis);
    PREEMPTIONS_MAX: usize = "CDSSPEC_PREEMPTIONS_MAX", COUNT, number;
    BRANCHES_MAX: usize = "CDSSPEC_BRANCHES_MAX", COUNT, number;
    RECORDING_MAX: usize = "CDSSPEC_RECORDING_MAX", COUNT, number;
    HISTORIES_MAX: u64 = "CDSSPEC_HISTORIES_MAX", COUNT, number;
    HISTORIES: Histories = "CDSSPEC_HISTORIES", "`all`, or `random:N` with N above 0", histories;
    SC_ORDER: SeqCstOrder = "CDSSPEC_SC_ORDER", "`total` or `partial`", sc_order;
    SEED: u64 = "CDSSPEC_SEED", COUNT, number;
    CALL_CLOCK: bool = "CDSSPEC_CALL_CLOCK", SWITCH, switch;
    STRICT: bool = "CDSSPEC_STRICT", SWITCH, switch;
    STOP_AT_FIRST: bool = "CDSSPEC_STOP_AT_FIRST", SWITCH, switch;
    SPURIOUS_FAILURES: bool = "CDSSPEC_SPURIOUS_FAILURES", SWITCH, switch;
    SPURIOUS_WAKEUPS: bool = "CDSSPEC_SPURIOUS_WAKEUPS", SWITCH, switch;
    LOOP_ROUNDS_MAX: usize = "CDSSPEC_LOOP_ROUNDS_MAX", COUNT, number;
    UNINITIALISED: bool = "CDSSPEC_UNINITIALISED", SWITCH, switch;
    FREED: bool = "CDSSPEC_FREED", SWITCH, switch;
    LEAKS: bool = "CDSSPEC_LEAKS", SWITCH, switch;
    OUTSIDE_NOTE: bool = NOTE_VARIABLE, SWITCH, switch;
    PROFILE_NOTE: bool = PROFILE_NOTE_VARIABLE, SWITCH, switch;
    STACK_BYTES: usize = "CDSSPEC_STACK_BYTES", "a whole number of bytes", number;
    LOOM_MAX_PERMUTATIONS: u64 = "LOOM_MAX_PERMUTATIONS", COUNT, number;
    LOOM_MAX_DURATION: Duration = "LOOM_MAX_DURATION", "a whole number of seconds",
        |text| number(text).map(Duration::from_secs);
    LOOM_MAX_PREEMPTIONS: usize = "LOOM_MAX_PREEMPTIONS", COUNT, number;
    LOOM_MAX_BRANCHES: usize = "LOOM_MAX_BRANCHES", COUNT, number;
}
