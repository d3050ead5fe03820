//! Limits, and what to do about them.

use crate::record::{Limit, LimitKind};

/// `limit 5`, `branches_max = 1000`.
pub(super) fn text(limit: &Limit) -> String {
    match limit.kind {
        LimitKind::Executions => format!("limit {}", limit.value),
        _ => limit.to_string(),
    }
}

/// The same, of an exploration that has stopped there. If it had started again, the executions before that are not among those that it
/// counts, but they reached the limit with them: `limit 5, 2 of them before it started again`.
pub(super) fn reached(limit: &Limit, executions: u64) -> String {
    let text = text(limit);
    match limit.value.checked_sub(executions) {
        Some(before @ 1..) if limit.kind == LimitKind::Executions => {
            format!("{text}, {before} of them before it started again")
        }
        _ => text,
    }
}

/// How to go on.
pub(super) fn remedy(kind: LimitKind) -> String {
    let raise = |method: &str| {
        let variable = kind.name().to_uppercase();
        format!("raise it with `Builder::{method}` or CDSSPEC_{variable}, or make the program smaller")
    };
    match kind {
        LimitKind::DurationMs => raise("duration_max"),
        LimitKind::Branches => format!(
            "{}; a loop that waits for another thread must call `hint::spin_loop` or `thread::yield_now`",
            raise(kind.name())
        ),
        LimitKind::LoopRounds => format!(
            "a thread went round a loop that has an effect in each round, or counts them: {}",
            raise(kind.name())
        ),
        LimitKind::Threads => {
            "the engine runs no more threads than that, the main thread included: start fewer".to_owned()
        }
        _ => raise(kind.name()),
    }
}
