//! What the calls of one concurrent execution did.

use super::builder::{Exemption, Guarantee, Scenario};
use super::matrix::{Entry, Matrix, Slot};
use super::program::{Observer, program};
use super::value::Value;
use crate::engine::Program;
use crate::port::{as_checker, note_boundary, note_position};
use crate::record::{Moment, ThreadId};
use std::sync::{Arc, Mutex, PoisonError};

/// A call that was made.
#[derive(Clone, Debug)]
pub(crate) struct LoggedCall {
    /// The thread of the recording that made it.
    pub(crate) thread: ThreadId,
    /// When it was invoked.
    pub(crate) invocation: Moment,
    /// When it returned, and what; `None` while it is pending.
    pub(crate) response: Option<(Moment, Value)>,
}

/// The calls of the execution that runs, or has just ended, by their slots; `None` for one that was not made.
#[derive(Default)]
pub(crate) struct ConcurrentLog(Mutex<Vec<Option<LoggedCall>>>);

impl ConcurrentLog {
    /// The calls of the execution that has just ended.
    pub(crate) fn calls(&self) -> Vec<Option<LoggedCall>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Notes the calls of a matrix.
pub(super) struct Noting {
    log: Arc<ConcurrentLog>,
    /// After how many events each thread stands still; `None`: nobody does.
    still_after: Option<Vec<Option<usize>>>,
    /// Whether nobody orders calls, or counts all that they do.
    is_of_positions: bool,
}

impl Noting {
    /// Notes calls in a log, in time.
    pub(super) fn of(log: &Arc<ConcurrentLog>) -> Self {
        Self { log: log.clone(), still_after: None, is_of_positions: false }
    }

    fn boundary(&self) -> Option<(ThreadId, Moment)> {
        if self.is_of_positions { note_position() } else { note_boundary() }
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Option<LoggedCall>>)) {
        as_checker(|| change(&mut self.log.0.lock().unwrap_or_else(PoisonError::into_inner)));
    }
}

impl Observer for Noting {
    fn begin(&self, matrix: &Matrix) {
        self.change(|calls| {
            calls.clear();
            calls.resize(matrix.call_count(), None);
        });
    }

    fn invoke(&self, slot: Slot, _exemption: &Exemption) -> bool {
        if let Some((thread, invocation)) = self.boundary() {
            let call = LoggedCall { thread, invocation, response: None };
            self.change(|calls| calls[slot.index()] = Some(call));
        }
        true
    }

    fn still_after(&self, column: usize) -> Option<usize> {
        self.still_after.as_ref()?.get(column).copied().flatten()
    }

    fn note_return(&self, slot: Slot, value: Value) {
        if let Some((_, response)) = self.boundary() {
            self.change(|calls| {
                if let Some(call) = &mut calls[slot.index()] {
                    call.response = Some((response, value));
                }
            });
        }
    }
}

impl<T: Send + Sync + 'static> Scenario<T> {
    /// The program that a matrix is, whose calls are noted in `log`.
    pub(crate) fn noted_program(&self, matrix: &Matrix, log: &Arc<ConcurrentLog>) -> Program {
        program(self, matrix, Arc::new(Noting::of(log)))
    }

    /// The same program for an engine that records nothing: of its calls it is known who makes them, and how many steps of its thread are before them.
    #[cfg(any(test, feature = "twin"))]
    pub(crate) fn positioned_program(&self, matrix: &Matrix, log: &Arc<ConcurrentLog>) -> Program {
        let noting = Noting { log: log.clone(), still_after: None, is_of_positions: true };
        program(self, matrix, Arc::new(noting))
    }

    /// The same program, whose threads stand still after so many events; `None`: they do not. Of its calls nothing is known but who makes them, and how many
    /// events of its thread are before it: their order is not recorded, unless some call is declared to be wait-free. Then rounds that fail in vain are all
    /// there, as where calls are ordered: they are steps.
    pub(crate) fn halting_program(
        &self,
        matrix: &Matrix,
        log: &Arc<ConcurrentLog>,
        still_after: Vec<Option<usize>>,
    ) -> Program {
        let is_wait_free = |entry: &Entry| matches!(self.progress(entry.invocation), Guarantee::WaitFree(_));
        let noting = Noting {
            log: log.clone(),
            still_after: Some(still_after),
            is_of_positions: !matrix.calls().any(|(_, _, entry)| is_wait_free(entry)),
        };
        program(self, matrix, Arc::new(noting))
    }
}
