//! std as std documents it: spurious wake-ups, statics, panics that are results, ends of threads, names.
#![allow(clippy::duplicate_mod, reason = "programs are compiled for std and for cdsspec")]

mod ends;
mod panics;
mod readers;
mod stacks;
mod statics;
mod table;
mod wakeups;
mod weak;

use cdsspec::{Builder, Outcome, Verdict};

/// Explores every execution.
fn check(program: impl Fn() + Send + Sync + 'static) -> Outcome {
    Builder::new().stop_at_first(false).check(program)
}

/// Explores every execution; the verdict, and how many executions were complete.
#[track_caller]
fn assert_outcome(program: impl Fn() + Send + Sync + 'static, verdict: Verdict, complete_executions: u64) {
    let outcome = check(program);
    // Those that are delayed by rounds of a loop that waits aside.
    let complete = outcome.complete_executions - outcome.delayed_executions;
    assert_eq!((outcome.verdict, complete), (verdict, complete_executions), "{outcome}");
}
