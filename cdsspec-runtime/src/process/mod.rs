//! What the process has once, whichever run uses it: the standard error output, the panic hook, and the signals that end it.

mod bug;
#[cfg(unix)]
mod crash;
#[cfg(not(unix))]
#[path = "no_crash.rs"]
mod crash;
mod kept;
mod layout;
mod profile;
mod silence;
mod stderr;

pub(crate) use bug::{Bug, has_bug, note_caught, panic_count, watch as watch_for_bugs};
pub(crate) use crash::{Crash, during as during_run};
pub(crate) use kept::{keep, kept_file, kept_path};
pub(crate) use layout::{COLUMNS, columns, width, wrap};
pub(crate) use profile::{PROFILE_NOTE_VARIABLE, note_slow_run};
pub(crate) use silence::silently;
pub(crate) use stderr::{write_line, write_note};
