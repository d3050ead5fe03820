//! One execution that is to be run again: read from what a report says, or from a file with that.

use super::builder::Chosen;
use super::environment::{SettingError, source};
use super::{Builder, EngineKind};
use crate::memory_model::MemoryModel;
use crate::process;
use crate::record::{Course, Schedule};
use std::cell::Cell;
use std::fs;

/// The execution to run again, if one is. A search runs many programs, and none of them again.
///
/// # Errors
/// A text that is no schedule, and no path of a file with one.
pub(super) fn read(builder: &Builder, chosen: &Chosen) -> Result<Option<Schedule>, SettingError> {
    let Some(value) = chosen.replay.as_deref().map(str::trim) else { return Ok(None) };
    if builder.is_quiet || value.is_empty() {
        return Ok(None);
    }
    let kept = || fs::read_to_string(process::kept_path(value)?).ok()?.trim().parse().ok();
    let read = || fs::read_to_string(value).ok()?.trim().parse().ok();
    let schedule = value.parse().ok().or_else(kept).or_else(read);
    schedule.map(Some).ok_or_else(|| SettingError::NoSchedule {
        value: value.to_owned(),
        source: source(builder.chosen.replay.is_some(), "Builder::replay", "CDSSPEC_REPLAY"),
    })
}

/// Who can run it.
///
/// # Errors
/// A memory model that does not exist.
pub(super) fn engine(schedule: &Schedule) -> Result<(EngineKind, MemoryModel), SettingError> {
    let name = &schedule.memory_model;
    let model = MemoryModel::by_name(name)
        .ok_or_else(|| SettingError::UnknownMemoryModel { name: name.clone(), source: "CDSSPEC_REPLAY" })?;
    let kind = match schedule.course {
        Course::Steps(_) => EngineKind::Rc11,
        Course::Drawn(_) => EngineKind::Random,
    };
    Ok((kind, model))
}

thread_local! {
    /// How many programs this OS thread has checked. A test harness runs each test on one of its own.
    static CHECKED: Cell<usize> = const { Cell::new(0) };
}

/// The number of a program that is about to be checked.
pub(super) fn next_number() -> usize {
    CHECKED.set(CHECKED.get() + 1);
    CHECKED.get()
}
