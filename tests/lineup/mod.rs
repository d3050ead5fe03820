//! Line-Up on the examples of its paper.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

mod counter;
mod event;
mod examples;
mod explored;
mod observations;
mod page;
mod pasted;
mod progress;
mod queue;
mod settled;
mod split;

use cdsspec::Verdict;
use cdsspec::lineup::{Check, Checks, LineUp, Precedence};

/// Both ways to say which call precedes which.
const PRECEDENCES: [Precedence; 2] = [Precedence::HappensBefore, Precedence::RealTime];

/// What a sample of 3×3 comes to: its verdict, and the smallest failing test.
fn smallest<T: Send + Sync + 'static>(lineup: &LineUp<T>, count: u64) -> (Checks, Check) {
    let checks = lineup.random_check(3, 3, count, 1);
    assert_eq!(checks.verdict, Verdict::Violated, "{checks}");
    let check = *checks.failure.clone().expect("it failed");
    (checks, check)
}
