//! Matrices on real threads, outside of any execution, where instrumented types are std's.
//!
//! # Paper
//! Version B of CGVT: what VeriTrace records.

use super::judge::{TimedCall, label};
use crate::scenario::{Caller, Entry, Matrix, Scenario};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs a matrix, and records its calls. A tick of the clock is an invocation or a return: a call that another one saw return before it began has the later tick. So the order is that of a
/// monotonic clock, without two moments that are the same.
///
/// # Panics
/// If a call does.
pub(super) fn run<T: Send + Sync + 'static>(scenario: &Scenario<T>, matrix: &Matrix) -> Vec<TimedCall> {
    let clock = AtomicU64::new(0);
    let tick = || clock.fetch_add(1, Ordering::SeqCst);
    let caller = scenario.caller();
    let object = caller.make();
    let timed = |label: u32, entries: &[Entry]| -> Vec<TimedCall> {
        let mut calls = Vec::with_capacity(entries.len());
        caller.call_each(&object, entries, |entry, call| {
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
    };
    let mut all = timed(0, &matrix.initial);
    let barrier = Barrier::new(matrix.columns.len());
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0u16..)
            .zip(&matrix.columns)
            .map(|(column, entries)| {
                let (barrier, timed) = (&barrier, &timed);
                scope.spawn(move || {
                    barrier.wait();
                    timed(label(Caller::Column(column)), entries)
                })
            })
            .collect();
        for handle in handles {
            match handle.join() {
                Ok(calls) => all.extend(calls),
                Err(payload) => std::panic::resume_unwind(payload),
            }
        }
    });
    all.extend(timed(0, &matrix.last));
    all
}
