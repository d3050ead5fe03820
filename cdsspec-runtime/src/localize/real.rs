//! Matrices on real threads, outside of any execution, where instrumented types are std's.
//!
//! # Paper
//! Version B of CGVT: what VeriTrace records.

use super::judge::{TimedCall, label};
use crate::scenario::{Caller, Entry, Matrix, Scenario};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Barrier};
use std::time::Duration;

/// A call that does not return within this time does not return.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is said then.
pub(super) const UNENDED: &str = "a call on a real thread did not return within 5 seconds";

/// Runs a matrix, and records its calls; `None` if one does not return: its thread goes on for as long as the process does. A tick of the clock is an invocation or a return: a call that another one saw return before it
/// began has the later tick. So the order is that of a monotonic clock, without two moments that are the same.
///
/// # Panics
/// If a call does.
pub(super) fn run<T: Send + Sync + 'static>(
    scenario: &Scenario<T>,
    matrix: &Matrix,
) -> Option<Vec<TimedCall>> {
    let object = Arc::new(scenario.caller().make());
    let shared = Arc::new(Shared { scenario: scenario.clone(), object, clock: AtomicU64::new(0) });
    let columns = matrix.columns.len();
    let barrier = Arc::new(Barrier::new(columns));
    let mut all = shared.clone().on_thread(0, matrix.initial.clone(), None)()?;
    let waiting: Vec<_> = (0..)
        .zip(&matrix.columns)
        .map(|(column, entries)| {
            let label = label(Caller::Column(column));
            shared.clone().on_thread(label, entries.clone(), Some(barrier.clone()))
        })
        .collect();
    for wait in waiting {
        all.extend(wait()?);
    }
    all.extend(shared.on_thread(0, matrix.last.clone(), None)()?);
    Some(all)
}

/// What the threads of a run have in common.
struct Shared<T> {
    scenario: Scenario<T>,
    object: Arc<T>,
    clock: AtomicU64,
}

impl<T: Send + Sync + 'static> Shared<T> {
    /// Makes calls.
    fn call(&self, label: u32, entries: &[Entry]) -> Vec<TimedCall> {
        let tick = || self.clock.fetch_add(1, Ordering::SeqCst);
        let mut calls = Vec::with_capacity(entries.len());
        self.scenario.caller().call_each(&self.object, entries, |entry, call| {
            let invoked = tick();
            let value = call();
            calls.push((entry, value, invoked, tick()));
        });
        let timed = |(entry, value, invoked, returned): (&Entry, _, u64, u64)| TimedCall {
            thread: label,
            invocation: entry.invocation,
            name: entry.name.clone(),
            value,
            invoked,
            returned,
        };
        calls.into_iter().map(timed).collect()
    }

    /// Makes calls on a thread of their own, when all others of the barrier are there. What is handed back waits for them.
    fn on_thread(
        self: Arc<Self>,
        label: u32,
        entries: Vec<Entry>,
        barrier: Option<Arc<Barrier>>,
    ) -> impl FnOnce() -> Option<Vec<TimedCall>> {
        let (sender, receiver) = channel();
        let thread = std::thread::spawn(move || {
            if let Some(barrier) = barrier {
                barrier.wait();
            }
            // Nobody waits any more: then nobody needs them.
            let _unneeded = sender.send(self.call(label, &entries));
        });
        move || match receiver.recv_timeout(PATIENCE) {
            Ok(calls) => Some(calls),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Ok(()) => None,
                Err(payload) => std::panic::resume_unwind(payload),
            },
        }
    }
}
