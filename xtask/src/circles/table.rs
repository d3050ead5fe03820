//! Circles that are still there.

/// Of the macros.
pub(super) const MACROS: &[&[&str]] = &[];

/// Of the runtime. What opens that of `run`: `Head` and `Rounds` (`rounds.rs`) and `Spin` (`spin.rs`) in a file of data of their own, with the two
/// numbers of `loops.rs`.
pub(super) const RUNTIME: &[&[&str]] = &[&[
    "run/loops.rs",
    "run/now.rs",
    "run/port.rs",
    "run/recording.rs",
    "run/replay.rs",
    "run/rounds.rs",
    "run/spin.rs",
    "run/state.rs",
    "run/thread_run.rs",
]];
