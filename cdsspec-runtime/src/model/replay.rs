//! One execution that is to be run again: read from what a report says, or from a file with that.

use super::builder::Chosen;
use super::environment::{SettingError, source};
use super::{Builder, EngineKind};
use crate::engine::random::Strategy;
use crate::memory_model::MemoryModel;
use crate::process;
use crate::record::{Course, Schedule};
use std::cell::Cell;
use std::fs;

/// The execution to run again, if it is one of the program that is about to be checked: the builder says so, or the variable names the number of the program. A search
/// runs many programs, and none of them again.
///
/// # Errors
/// A text that is no schedule, and no path of a file with one.
pub(super) fn read(builder: &Builder, chosen: &Chosen) -> Result<Option<Schedule>, SettingError> {
    let Some(value) = chosen.replay.as_deref().map(str::trim) else { return Ok(None) };
    if builder.is_quiet || value.is_empty() {
        return Ok(None);
    }
    let is_by_builder = builder.chosen.replay.is_some();
    let kept = || fs::read_to_string(process::kept_path(value)?).ok()?.trim().parse().ok();
    let read = || fs::read_to_string(value).ok()?.trim().parse().ok();
    let schedule = value.parse().ok().or_else(kept).or_else(read).filter(is_known);
    let schedule: Schedule = schedule.ok_or_else(|| SettingError::NoSchedule {
        value: value.to_owned(),
        is_missing: process::kept_path(value).is_some_and(|path| !path.is_file()),
        source: source(is_by_builder, "Builder::replay", "CDSSPEC_REPLAY"),
    })?;
    let is_meant = is_by_builder || builder.number == Some(schedule.program);
    Ok(is_meant.then_some(schedule))
}

/// Whether the names in it are those of something.
fn is_known(schedule: &Schedule) -> bool {
    let has_strategy = match &schedule.course {
        Course::Steps(_) => true,
        Course::Drawn(drawn) => Strategy::by_name(&drawn.strategy).is_some(),
    };
    has_strategy && MemoryModel::by_name(&schedule.memory_model).is_some()
}

/// Who can run it; its names are known.
pub(super) fn engine(schedule: &Schedule) -> (EngineKind, MemoryModel) {
    let model = MemoryModel::by_name(&schedule.memory_model).unwrap_or_default();
    let kind = match schedule.course {
        Course::Steps(_) => EngineKind::Rc11,
        Course::Drawn(_) => EngineKind::Random,
    };
    (kind, model)
}

thread_local! {
    /// How many programs this OS thread has checked. A test harness runs each test on one of its own, which has its name.
    static CHECKED: Cell<usize> = const { Cell::new(0) };
}

/// The number of a program that is about to be checked. `None` on an OS thread without a name: it may be one of several that share the work, and another one the next time.
pub(super) fn next_number() -> Option<usize> {
    std::thread::current().name()?;
    CHECKED.set(CHECKED.get() + 1);
    Some(CHECKED.get())
}
