//! Where a machine is.

use super::code::Code;
use super::queue::StoreQueue;
use super::{Bounds, OperationalModel};
use crate::syntax::{Litmus, LocationIndex, Registers};
use std::sync::atomic::Ordering;

/// A machine with a test in it.
pub(super) struct Program<'t> {
    pub(super) test: &'t Litmus,
    pub(super) codes: Vec<Code<'t>>,
    pub(super) model: OperationalModel,
    pub(super) bounds: Bounds,
}

/// All that decides what a machine may do from now on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    pub(super) threads: Vec<Thread>,
    /// What each location holds.
    pub(super) memory: Vec<i64>,
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Thread {
    /// The line that is next.
    pub(super) line: usize,
    pub(super) registers: Registers,
    pub(super) queue: StoreQueue,
    /// How many rounds of each loop have ended since it was entered.
    pub(super) rounds: Vec<usize>,
    /// Whether it is in a loop after the last round that there is.
    pub(super) is_stopped: bool,
    /// The orders of the compare-exchanges that have failed spuriously.
    pub(super) failed: Vec<(Ordering, Ordering)>,
}

/// How a machine stands that can take no step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// All threads have ended.
    Complete(String),
    /// A thread is in a loop after its last round.
    Cut,
    /// A thread waits for ever.
    Blocked,
}

impl<'t> Program<'t> {
    pub(super) fn new(test: &'t Litmus, model: OperationalModel, bounds: Bounds) -> Self {
        let codes = test.threads.iter().map(|code| Code::new(code)).collect();
        Self { test, codes, model, bounds }
    }

    pub(super) fn first_state(&self) -> State {
        let thread = |code: &Code<'_>| Thread {
            line: 0,
            registers: self.test.no_registers(),
            queue: StoreQueue::default(),
            rounds: vec![0; code.loop_count],
            is_stopped: false,
            failed: Vec::new(),
        };
        State {
            threads: self.codes.iter().map(thread).collect(),
            memory: self.test.locations.iter().map(|location| location.initial).collect(),
        }
    }

    /// How a state stands from which there is no step. All queues are empty there, since an entry can always leave.
    pub(super) fn end(&self, state: &State) -> End {
        let has_ended = |(thread, code): (&Thread, &Code<'_>)| thread.line == code.lines.len();
        if state.threads.iter().any(|thread| thread.is_stopped) {
            End::Cut
        } else if state.threads.iter().zip(&self.codes).all(has_ended) {
            let registers: Vec<Registers> =
                state.threads.iter().map(|thread| thread.registers.clone()).collect();
            End::Complete(self.test.outcome(&registers, &state.memory))
        } else {
            End::Blocked
        }
    }
}

impl State {
    /// What a thread sees at a location.
    pub(super) fn seen(&self, thread: usize, location: LocationIndex) -> i64 {
        self.threads[thread].queue.newest(location).unwrap_or(self.memory[location.0])
    }
}
