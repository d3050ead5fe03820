//! `Barrier`.

use super::target::Target;
use crate::port::{LocationHint, Update, WaitLoad, here};
use crate::record::{Orders, operation_name};
use std::fmt;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// std's `Barrier`, instrumented.
///
/// In an execution it is a word: how many threads have come, and above them how often the barrier has opened.
pub struct Barrier {
    hint: LocationHint,
    thread_count: usize,
    outside: std::sync::Barrier,
}

/// Bits for the threads that have come.
const COUNT_BITS: u32 = 32;

/// std's `BarrierWaitResult`: whether the thread was the last to come.
pub struct BarrierWaitResult(bool);

impl Barrier {
    /// A barrier that opens when `n` threads have come.
    pub const fn new(n: usize) -> Self {
        Self { hint: LocationHint::new(), thread_count: n, outside: std::sync::Barrier::new(n) }
    }

    /// Waits until as many threads have come as the barrier waits for. It is then closed again.
    #[inline(always)]
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let place = here(operation_name!("wait"), Orders::None);
        let target = Target::internal(&self.hint);
        let come = Update { operand: self.thread_count as u64, function: come };
        let Some(old) = target.access(place, AcqRel, |port, access| port.update(access, come)) else {
            return BarrierWaitResult(self.outside.wait().is_leader());
        };
        let opened = come.apply(old) >> COUNT_BITS;
        let is_leader = opened != old >> COUNT_BITS;
        if !is_leader {
            let open = WaitLoad { operand: opened, function: |word, opened| word >> COUNT_BITS != opened };
            target.access(place, Acquire, |port, access| port.wait_load(access, open));
        }
        BarrierWaitResult(is_leader)
    }
}

/// One more thread has come.
fn come(word: u64, thread_count: u64) -> u64 {
    let count = word & ((1 << COUNT_BITS) - 1);
    if count + 1 < thread_count { word + 1 } else { ((word >> COUNT_BITS) + 1) << COUNT_BITS }
}

impl BarrierWaitResult {
    /// Whether the thread was the last to come, of those that went on together.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.0
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barrier").finish_non_exhaustive()
    }
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult").field("is_leader", &self.is_leader()).finish()
    }
}
