//! What a run goes by: the builder's calls, then the environment, then the defaults.

use super::environment::{self as variable, Lookup, SettingError, Variable};
use super::watchdog::Patience;
use super::{Builder, EngineKind, Histories, SeqCstOrder};
use crate::engine::{Limits, MemoryClasses};
use crate::memory_model::MemoryModel;
use std::time::Duration;

/// Everything that a run goes by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Settings {
    pub(super) engine: EngineKind,
    pub(super) memory_model: MemoryModel,
    pub(super) limits: Limits,
    pub(super) histories: Histories,
    pub(super) histories_max: u64,
    pub(super) sc_order: SeqCstOrder,
    pub(super) seed: u64,
    /// Whether a run that would hold does not, if there is a note about it.
    pub(super) is_strict: bool,
    pub(super) stop_at_first: bool,
    /// Whether a fault is not printed at once where the run goes on.
    pub(super) is_quiet: bool,
    /// How long a run may stand still.
    pub(super) patience: Patience,
}

/// Reads the settings: an explicit call of the builder, else the variable `CDSSPEC_…`, else under loom the variable `LOOM_…`,
/// else the default. A variable that an earlier one overrides is not read.
///
/// # Errors
/// A variable that cannot be read, or an engine that does not exist.
pub(super) fn resolve(builder: &Builder, lookup: Lookup<'_>) -> Result<Settings, SettingError> {
    let engine = engine(builder, lookup)?;
    let is_loom = engine == EngineKind::Loom;
    let memory_model = memory_model(builder, lookup)?;
    let default = Limits::default();
    let limits = Limits {
        executions_max: first(
            builder.executions_max,
            &[Some(variable::EXECUTIONS_MAX), is_loom.then_some(variable::LOOM_MAX_PERMUTATIONS)],
            lookup,
        )?,
        duration_max: first(
            builder.duration_max,
            &[Some(variable::DURATION_MAX_MS), is_loom.then_some(variable::LOOM_MAX_DURATION)],
            lookup,
        )?,
        preemptions_max: first(
            builder.preemptions_max,
            &[Some(variable::PREEMPTIONS_MAX), is_loom.then_some(variable::LOOM_MAX_PREEMPTIONS)],
            lookup,
        )?,
        branches_max: first(
            builder.branches_max,
            &[Some(variable::BRANCHES_MAX), is_loom.then_some(variable::LOOM_MAX_BRANCHES)],
            lookup,
        )?
        .unwrap_or(default.branches_max),
        recording_max: first(builder.recording_max, &[Some(variable::RECORDING_MAX)], lookup)?
            .unwrap_or(default.recording_max),
        stack_bytes: first(builder.stack_bytes, &[Some(variable::STACK_BYTES)], lookup)?
            .unwrap_or(default.stack_bytes),
        has_call_clock: first(builder.call_clock, &[Some(variable::CALL_CLOCK)], lookup)?
            .unwrap_or(default.has_call_clock),
        has_spurious_failures: first(
            builder.spurious_failures,
            &[Some(variable::SPURIOUS_FAILURES)],
            lookup,
        )?
        .unwrap_or(default.has_spurious_failures),
        has_spurious_wakeups: first(builder.spurious_wakeups, &[Some(variable::SPURIOUS_WAKEUPS)], lookup)?
            .unwrap_or(default.has_spurious_wakeups),
        loop_rounds_max: first(builder.loop_rounds_max, &[Some(variable::LOOP_ROUNDS_MAX)], lookup)?,
        counts_handles: builder.counts_handles,
        memory: memory(builder, lookup)?,
    };
    if engine == EngineKind::Rc11 && limits.preemptions_max.is_some() {
        return Err(SettingError::Unsupported { setting: "preemptions_max", engine: "rc11", other: "loom" });
    }
    if is_loom && memory_model != MemoryModel::default() {
        return Err(SettingError::Unsupported { setting: "memory_model", engine: "loom", other: "rc11" });
    }
    Ok(Settings {
        engine,
        memory_model,
        limits,
        histories: first(builder.histories, &[Some(variable::HISTORIES)], lookup)?.unwrap_or(Histories::All),
        histories_max: first(builder.histories_max, &[Some(variable::HISTORIES_MAX)], lookup)?
            .unwrap_or(HISTORIES_MAX),
        sc_order: first(builder.sc_order, &[Some(variable::SC_ORDER)], lookup)?.unwrap_or_default(),
        seed: first(builder.seed, &[Some(variable::SEED)], lookup)?.unwrap_or(0),
        // A search wants to know what the program comes to, as far as that can be told.
        is_strict: is_strict(builder, lookup)? && !builder.is_quiet,
        stop_at_first: first(builder.stop_at_first, &[Some(variable::STOP_AT_FIRST)], lookup)?
            .unwrap_or(true),
        is_quiet: builder.is_quiet,
        patience: patience(builder, lookup)?,
    })
}

fn is_strict(builder: &Builder, lookup: Lookup<'_>) -> Result<bool, SettingError> {
    // Whoever reads these cannot say that they are malformed.
    variable::OUTSIDE_NOTE.read(lookup)?;
    variable::PROFILE_NOTE.read(lookup)?;
    Ok(first(builder.strict, &[Some(variable::STRICT)], lookup)?.unwrap_or(false))
}

/// How long a run may stand still. Zero is for ever.
fn patience(builder: &Builder, lookup: Lookup<'_>) -> Result<Patience, SettingError> {
    let tell = first(builder.watchdog, &[Some(variable::WATCHDOG_MS)], lookup)?.unwrap_or(PATIENCE);
    let exit = first(builder.watchdog_exit, &[Some(variable::WATCHDOG_EXIT_MS)], lookup)?;
    let is_some = |patience: &Duration| !patience.is_zero();
    Ok(Patience { before_telling: Some(tell).filter(is_some), before_exit: exit.filter(is_some) })
}

/// What to look for in the heap.
fn memory(builder: &Builder, lookup: Lookup<'_>) -> Result<MemoryClasses, SettingError> {
    let default = MemoryClasses::default();
    Ok(MemoryClasses {
        uninitialised: first(builder.uninitialised, &[Some(variable::UNINITIALISED)], lookup)?
            .unwrap_or(default.uninitialised),
        freed: first(builder.freed, &[Some(variable::FREED)], lookup)?.unwrap_or(default.freed),
        reclaims_leaks: builder.reclaims_leaks,
        leaks: first(builder.leaks, &[Some(variable::LEAKS)], lookup)?.unwrap_or(default.leaks),
    })
}

/// The explicit value, else that of the first variable that is set.
fn first<T>(
    explicit: Option<T>,
    variables: &[Option<Variable<T>>],
    lookup: Lookup<'_>,
) -> Result<Option<T>, SettingError> {
    if explicit.is_some() {
        return Ok(explicit);
    }
    for variable in variables.iter().flatten() {
        if let Some(value) = variable.read(lookup)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The engine that is meant; the default one is resolved, so that its own variables are read.
fn engine(builder: &Builder, lookup: Lookup<'_>) -> Result<EngineKind, SettingError> {
    let (name, source) = match &builder.engine {
        Some(name) => (name.to_string(), "Builder::engine"),
        None => match variable::ENGINE.read(lookup)? {
            Some(name) => (name, variable::ENGINE.name),
            None => return Ok(DEFAULT_ENGINE),
        },
    };
    match name.as_str() {
        "default" => Ok(DEFAULT_ENGINE),
        "rc11" => Ok(EngineKind::Rc11),
        "loom" => Ok(EngineKind::Loom),
        _ => Err(SettingError::UnknownEngine { name, source }),
    }
}

/// The memory model that is meant.
fn memory_model(builder: &Builder, lookup: Lookup<'_>) -> Result<MemoryModel, SettingError> {
    let (name, source) = match &builder.memory_model {
        Some(name) => (name.to_string(), "Builder::memory_model"),
        None => match variable::MEMORY_MODEL.read(lookup)? {
            Some(name) => (name, variable::MEMORY_MODEL.name),
            None => return Ok(MemoryModel::default()),
        },
    };
    MemoryModel::by_name(&name).ok_or(SettingError::UnknownMemoryModel { name, source })
}

/// Whether a run that is set up like this is one of loom.
#[cfg(feature = "example")]
pub(crate) fn is_loom(builder: &Builder) -> bool {
    let lookup = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    engine(builder, &lookup) == Ok(EngineKind::Loom)
}

/// rc11 explores everything; `--cfg loom` asks for loom.
const DEFAULT_ENGINE: EngineKind = if cfg!(loom) { EngineKind::Loom } else { EngineKind::Rc11 };

/// Operations are microseconds apart; whoever waits so long for one looks for the reason.
const PATIENCE: Duration = Duration::from_secs(10);

/// A check of one execution that takes longer than this is better told to.
const HISTORIES_MAX: u64 = 1_000_000;
