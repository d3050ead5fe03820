//! What a run goes by: the builder's calls, then the environment, then the defaults.

use super::builder::Chosen;
use super::environment::{self, Lookup, SettingError, source};
use super::watchdog::Patience;
use super::{Builder, ContractLevel, EngineKind, Histories, SeqCstOrder, Strategy, replay};
use crate::contract::ContractOptions;
use crate::engine::random::Sampling;
use crate::engine::{Limits, MemoryClasses};
use crate::memory_model::MemoryModel;
use crate::record::Schedule;
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
    pub(super) contract: ContractOptions,
    /// How many executions are drawn, and how.
    pub(super) runs: u64,
    pub(super) strategy: Strategy,
    pub(super) seed: u64,
    /// Whether a run that would hold does not, if there is a note about it.
    pub(super) is_strict: bool,
    /// The one execution to run again.
    pub(super) replay: Option<Schedule>,
    pub(super) stop_at_first: bool,
    /// Whether a failing test is made smaller.
    pub(super) shrinks: bool,
    /// Whether a test that passes says so past the harness.
    pub(super) is_verbose: bool,
    /// Whether a fault is not printed at once where the run goes on.
    pub(super) is_quiet: bool,
    /// How long a run may stand still.
    pub(super) patience: Patience,
}

impl Settings {
    /// The executions that are drawn.
    pub(super) fn sampling(&self) -> Sampling {
        Sampling { runs: self.runs, seed: self.seed, strategy: self.strategy }
    }
}

/// Reads the settings: an explicit call of the builder, else the variable `CDSSPEC_…`, else under loom the variable `LOOM_…`,
/// else the default. A variable that an earlier one overrides is not read.
///
/// # Errors
/// A variable that cannot be read, an engine or a memory model that does not exist, or a setting that the engine does not have.
pub(super) fn resolve(builder: &Builder, lookup: Lookup<'_>) -> Result<Settings, SettingError> {
    let mut chosen = builder.chosen.clone();
    chosen.complete(lookup)?;
    environment::check_notes(lookup)?;
    let engine = engine(builder, &chosen)?;
    if engine == EngineKind::Loom {
        chosen.complete_from_loom(lookup)?;
    }
    let replay = replay::read(builder, &chosen)?;
    let (engine, memory_model) = match &replay {
        None => (engine, memory_model(builder, &chosen)?),
        Some(schedule) => replay::engine(schedule),
    };
    refuse_unsupported(engine, memory_model, &chosen)?;
    refuse_sampling(engine, &builder.chosen)?;
    Ok(Settings {
        engine,
        memory_model,
        limits: limits(builder, &chosen),
        histories: chosen.histories.unwrap_or(Histories::All),
        histories_max: chosen.histories_max.unwrap_or(HISTORIES_MAX),
        sc_order: chosen.sc_order.unwrap_or_default(),
        contract: ContractOptions {
            by_invocation: chosen.contract_invocations.unwrap_or(false),
            level: chosen.contract_level.unwrap_or(ContractLevel::Axiom),
            finds_all: chosen.contract_continue.unwrap_or(false),
            is_sc: memory_model == MemoryModel::Sc,
        },
        runs: chosen.runs.unwrap_or(RUNS),
        strategy: chosen.strategy.unwrap_or_default(),
        seed: chosen.seed.unwrap_or(0),
        // A search wants to know what the program comes to, as far as that can be told.
        is_strict: chosen.strict.unwrap_or(false) && !builder.is_quiet,
        stop_at_first: chosen.stop_at_first.unwrap_or(true),
        shrinks: chosen.shrink.unwrap_or(true),
        replay,
        is_verbose: chosen.verbose.unwrap_or(false),
        is_quiet: builder.is_quiet,
        patience: patience(&chosen),
    })
}

/// What bounds the exploration, and what else is explored.
fn limits(builder: &Builder, chosen: &Chosen) -> Limits {
    let default = Limits::default();
    Limits {
        executions_max: chosen.executions_max,
        duration_max: chosen.duration_max,
        preemptions_max: chosen.preemptions_max,
        branches_max: chosen.branches_max.unwrap_or(default.branches_max),
        recording_max: chosen.recording_max.unwrap_or(default.recording_max),
        stack_bytes: chosen.stack_bytes.unwrap_or(default.stack_bytes),
        has_call_clock: chosen.call_clock.unwrap_or(default.has_call_clock),
        has_spurious_failures: chosen.spurious_failures.unwrap_or(default.has_spurious_failures),
        has_spurious_wakeups: chosen.spurious_wakeups.unwrap_or(default.has_spurious_wakeups),
        loop_rounds_max: chosen.loop_rounds_max,
        assumes_spins: chosen.spin_assume.unwrap_or(default.assumes_spins),
        counts_handles: builder.counts_handles,
        is_serial: builder.is_serial,
        memory: MemoryClasses {
            uninitialised: chosen.uninitialised.unwrap_or(default.memory.uninitialised),
            freed: chosen.freed.unwrap_or(default.memory.freed),
            leaks: chosen.leaks.unwrap_or(default.memory.leaks),
            reclaims_leaks: builder.reclaims_leaks,
            objects: builder.tracks_objects,
        },
        contract_level: chosen.contract_level.unwrap_or(default.contract_level),
    }
}

/// How long a run may stand still. Zero is for ever.
fn patience(chosen: &Chosen) -> Patience {
    let is_some = |patience: &Duration| !patience.is_zero();
    Patience {
        before_telling: Some(chosen.watchdog.unwrap_or(PATIENCE)).filter(is_some),
        before_exit: chosen.watchdog_exit.filter(is_some),
    }
}

/// A setting that means nothing to the engine is a mistake.
fn refuse_unsupported(
    engine: EngineKind,
    memory_model: MemoryModel,
    chosen: &Chosen,
) -> Result<(), SettingError> {
    if engine == EngineKind::Rc11 && chosen.preemptions_max.is_some() {
        return Err(SettingError::Unsupported { setting: "preemptions_max", engine: "rc11", other: "loom" });
    }
    if engine == EngineKind::Random && chosen.preemptions_max.is_some() {
        return Err(SettingError::Unsupported {
            setting: "preemptions_max",
            engine: "random",
            other: "loom",
        });
    }
    if engine == EngineKind::Random && chosen.loop_rounds_max.is_some() {
        return Err(SettingError::Unsupported {
            setting: "loop_rounds_max",
            engine: "random",
            other: "rc11",
        });
    }
    if engine == EngineKind::Random && chosen.spin_assume == Some(true) {
        return Err(SettingError::Unsupported { setting: "spin_assume", engine: "random", other: "rc11" });
    }
    if engine == EngineKind::Loom && chosen.spin_assume == Some(true) {
        return Err(SettingError::Unsupported { setting: "spin_assume", engine: "loom", other: "rc11" });
    }
    if engine == EngineKind::Loom && memory_model != MemoryModel::default() {
        return Err(SettingError::Unsupported { setting: "memory_model", engine: "loom", other: "rc11" });
    }
    Ok(())
}

/// Nor is one that a call of the builder or a test sets. Variables are for all tests of a process, whichever engine each has.
fn refuse_sampling(engine: EngineKind, chosen: &Chosen) -> Result<(), SettingError> {
    let given = [("runs", chosen.runs.is_some()), ("strategy", chosen.strategy.is_some())];
    match given.into_iter().find(|&(_, is_given)| is_given && engine != EngineKind::Random) {
        Some((setting, _)) => {
            let engine = if engine == EngineKind::Loom { "loom" } else { "rc11" };
            Err(SettingError::Unsupported { setting, engine, other: "random" })
        }
        None => Ok(()),
    }
}

/// The engine that is meant; the default one is resolved, so that its own variables are read.
fn engine(builder: &Builder, chosen: &Chosen) -> Result<EngineKind, SettingError> {
    match chosen.engine.as_deref() {
        None | Some("default") => Ok(DEFAULT_ENGINE),
        Some("rc11") => Ok(EngineKind::Rc11),
        Some("random") => Ok(EngineKind::Random),
        Some("loom") => Ok(EngineKind::Loom),
        Some(name) => Err(SettingError::UnknownEngine {
            name: name.to_owned(),
            source: source(builder.chosen.engine.is_some(), "Builder::engine", "CDSSPEC_ENGINE"),
        }),
    }
}

/// The memory model that is meant.
fn memory_model(builder: &Builder, chosen: &Chosen) -> Result<MemoryModel, SettingError> {
    let Some(name) = chosen.memory_model.as_deref() else { return Ok(MemoryModel::default()) };
    MemoryModel::by_name(name).ok_or_else(|| SettingError::UnknownMemoryModel {
        name: name.to_owned(),
        source: source(
            builder.chosen.memory_model.is_some(),
            "Builder::memory_model",
            "CDSSPEC_MEMORY_MODEL",
        ),
    })
}

/// Whether a run that is set up like this is one of this engine.
#[cfg(feature = "example")]
pub(crate) fn is_run_by(builder: &Builder, kind: EngineKind) -> bool {
    let lookup = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let mut chosen = builder.chosen.clone();
    chosen.complete(&lookup).and_then(|()| engine(builder, &chosen)) == Ok(kind)
}

/// rc11 explores everything; `--cfg loom` asks for loom, unless it asks for loom's API.
const DEFAULT_ENGINE: EngineKind = if cfg!(all(loom, feature = "loom", not(feature = "loom-api"))) {
    EngineKind::Loom
} else {
    EngineKind::Rc11
};

/// As many as take a second or so.
const RUNS: u64 = 10_000;

/// Operations are microseconds apart; whoever waits so long for one looks for the reason.
const PATIENCE: Duration = Duration::from_secs(10);

/// A check of one execution that takes longer than this is better told to.
const HISTORIES_MAX: u64 = 1_000_000;
