//! Circles that are still there.

/// Of the macros.
pub(super) const MACROS: &[&[&str]] = &[
    &[
        "expand/call.rs",
        "expand/fallback.rs",
        "expand/instance.rs",
        "expand/marker.rs",
        "expand/mod.rs",
        "expand/plain.rs",
        "expand/record.rs",
        "expand/rule.rs",
        "expand/shared.rs",
        "expand/specification.rs",
        "expand/state.rs",
        "expand/step.rs",
    ],
    &[
        "model/clause.rs",
        "model/free.rs",
        "model/index.rs",
        "model/label.rs",
        "model/method.rs",
        "model/mod.rs",
        "model/rule.rs",
        "model/state.rs",
        "model/undeclared.rs",
    ],
    &["parse/body.rs", "parse/statement.rs"],
];

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
