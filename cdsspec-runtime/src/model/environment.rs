//! The environment variables, one for every setting.

use crate::port::NOTE_VARIABLE;
use crate::process::PROFILE_NOTE_VARIABLE;
use crate::record::Place;
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Looks a variable up: the environment, or a table in tests.
pub(super) type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Values of one kind: their form in words, and how they are read.
pub(super) struct Kind<T> {
    form: &'static str,
    parse: fn(&str) -> Option<T>,
}

/// The value of a variable, where it is set.
///
/// # Errors
/// If the value does not have the form expected.
pub(super) fn read<T>(
    variable: &'static str,
    kind: &Kind<T>,
    lookup: Lookup<'_>,
) -> Result<Option<T>, SettingError> {
    let Some(value) = lookup(variable) else { return Ok(None) };
    match (kind.parse)(value.trim()) {
        Some(parsed) => Ok(Some(parsed)),
        None => Err(SettingError::Malformed { variable, value, form: kind.form }),
    }
}

/// Who named something: the builder, or the variable of this name.
pub(super) fn source(is_by_builder: bool, method: &'static str, variable: &'static str) -> &'static str {
    if is_by_builder { method } else { variable }
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
    /// A variable that is not set, beside one that is.
    Missing { variable: &'static str, beside: &'static str },
    /// A number of machines that is another than the environment's.
    OtherTotal { given: usize, found: usize, variable: &'static str },
    /// A setting that needs what is not compiled in.
    MissingFeature { setting: &'static str, feature: &'static str },
    /// An execution to run again that cannot be read.
    NoSchedule { value: String, source: &'static str, is_missing: bool },
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
                let ours: Vec<_> = names().collect();
                write!(f, "the environment variable {name} is no setting: those are {}", ours.join(", "))
            }
            Self::UnknownEngine { name, source } => {
                write!(
                    f,
                    "{source} names the engine {name:?}: expected `default`, `rc11`, `random` or `loom`"
                )
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
            Self::Missing { variable, beside } => {
                write!(
                    f,
                    "the environment variable {beside} is set, and {variable} is not: set both, or CDSSPEC_SHARD (`1/1` is all tests)"
                )
            }
            Self::OtherTotal { given, found, variable } => {
                write!(
                    f,
                    "CDSSPEC_SHARDS is {given}, and {variable} says that there are {found}: leave one of them out"
                )
            }
            Self::MissingFeature { setting, feature } => {
                write!(f, "`{setting}` is not compiled in: enable the feature `{feature}` of cdsspec")
            }
            Self::NoSchedule { value, is_missing: true, source } => {
                write!(f, "{source} is {value:?}: there is no such file, which the failing run writes")
            }
            Self::NoSchedule { value, source, .. } => {
                write!(
                    f,
                    "{source} is {value:?}: expected what the row `replay` of a report says, or the path of a file with that"
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

/// The kinds of settings, by their names in the vocabulary.
macro_rules! kinds {
    ($($kind:ident: $type:ty = $form:literal, $parse:expr;)*) => {$(
        #[expect(non_upper_case_globals, reason = "the name is the vocabulary's")]
        pub(super) const $kind: Kind<$type> = Kind { form: $form, parse: $parse };
    )*};
}

kinds! {
    Name: Cow<'static, str> = "a name", |text| Some(Cow::Owned(text.to_owned()));
    Count: u64 = "a whole number", number;
    Size: usize = "a whole number", number;
    Bytes: usize = "a whole number of bytes", number;
    Milliseconds: Duration = "a whole number of milliseconds", |text| number(text).map(Duration::from_millis);
    Switch: bool = "`1`, `0`, `true` or `false`", switch;
    Path: PathBuf = "a path", |text| (!text.is_empty()).then(|| PathBuf::from(text));
    Shard: super::Shard = "`i/n`, from `1/n` to `n/n`", |text| text.parse().ok();
    Histories: super::Histories = "`all`, or `random:N` with N above 0", histories;
    SeqCstOrder: super::SeqCstOrder = "`total` or `partial`", sc_order;
    Strategy: super::Strategy = "`uniform`, `pos`, or `pct:N` with N above 0", super::Strategy::by_name;
    ContractLevel: super::ContractLevel = "`default`, `audit` or `axiom`", super::ContractLevel::by_name;
}

/// The kinds of loom's variables.
pub(super) mod loom {
    pub(in crate::model) use super::{Count, Size};
    use super::{Duration, Kind, number};

    #[expect(non_upper_case_globals, reason = "the name is the vocabulary's")]
    pub(in crate::model) const Milliseconds: Kind<Duration> =
        Kind { form: "a whole number of seconds", parse: |text| number(text).map(Duration::from_secs) };
}

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

fn histories(text: &str) -> Option<super::Histories> {
    use super::Histories;
    match text.split_once(':') {
        None => (text == "all").then_some(Histories::All),
        Some((word, count)) => {
            let count = count.parse().ok().filter(|&count| count > 0)?;
            (word == "random").then_some(Histories::Random(count))
        }
    }
}

fn sc_order(text: &str) -> Option<super::SeqCstOrder> {
    use super::SeqCstOrder;
    match text {
        "total" => Some(SeqCstOrder::Total),
        "partial" => Some(SeqCstOrder::Partial),
        _ => None,
    }
}

/// What our variables begin with.
const PREFIX: &str = "CDSSPEC_";

/// Refuses variables that begin as ours do and are none: a misspelt limit is not ignored.
///
/// # Errors
/// The first of them, by name.
pub(super) fn refuse_unknown(names: impl Iterator<Item = String>) -> Result<(), SettingError> {
    let unknown =
        names.filter(|name| name.starts_with(PREFIX) && !self::names().any(|known| known == name)).min();
    unknown.map_or(Ok(()), |name| Err(SettingError::UnknownVariable { name }))
}

/// The variables that are no settings of a run.
const NOTES: [&str; 2] = [NOTE_VARIABLE, PROFILE_NOTE_VARIABLE];

/// The variables of contracts at run time, on real threads: nothing here reads them, and they may be set for all that a build runs.
const OF_REAL_THREADS: [&str; 2] = ["CDSSPEC_CONTRACTS", "CDSSPEC_CONTRACTS_FOREIGN"];

/// Whoever reads these cannot say that they are malformed.
///
/// # Errors
/// If one is.
pub(super) fn check_notes(lookup: Lookup<'_>) -> Result<(), SettingError> {
    NOTES.iter().try_for_each(|&variable| read(variable, &Switch, lookup).map(|_| ()))
}

/// The names of all our variables.
fn names() -> impl Iterator<Item = &'static str> {
    let settings = cdsspec_vocabulary::SETTINGS.iter().chain(cdsspec_vocabulary::SEARCH_SETTINGS);
    settings.map(|setting| setting.variable).chain(NOTES).chain(OF_REAL_THREADS)
}
