//! Whether calls end that are declared to wait for nobody, wherever the other threads stand still.
//!
//! # The argument
//! A call is obstruction-free if it ends whenever its thread runs alone from any point on. A point is a prefix of an execution graph: a set of its events
//! that is closed under program order and reads-from. Let `t` be the thread, and `n` say how many events each other thread has in the prefix. Consider the program in which
//! each other thread stands still before its next event when it has done `n` of them. Its graphs are those of the test in which these threads have no more events;
//! a memory model that is prefix-closed has the same among them. So
//!
//! - if `t` runs alone from the prefix and does not end, the prefix with what `t` did since is a graph of that program, and `t` is stuck in it: it waits, or goes round
//!   a loop, and no thread that could change that goes on;
//! - if a graph of that program ends with `t` stuck, the graph itself is a point of the test from which `t` runs alone and does not end.
//!
//! That program is one like any other, so the engine explores each of its graphs once, and tells the waits and loops that have no end from those that another execution
//! ends. All `n` that have a prefix are tried, each once: beginning with none, `n` is raised by one for each thread that stood still in some execution. Take a prefix in an order that extends program
//! order and reads-from: each of its beginnings is closed, and under its own `n` the thread of the next event stands still before it, so that the next `n` is tried.
//!
//! A call of an execution in which nobody stands still is looked at in the same way: whoever waits there waits for threads that cannot go on.
//!
//! Steps of a call are its operations; of one that is nonblocking those from a point on: behind the last one that another thread has read from. The rounds of loops that are left out have none. A call that goes round one of these until another thread does something is stuck where
//! that thread stands still.
//!
//! The threads that calls start themselves go on while others stand still.

use super::phase::{Judged, judge};
use crate::engine::Visitor;
use crate::record::{Ending, Operation, Place, ReachedBound, Recording, ThreadId, WaitReason, WaitingThread};
use crate::scenario::{ConcurrentLog, Guarantee, LoggedCall, Slot};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A call that does not end as it was declared to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StuckCall {
    /// The call.
    pub call: Slot,
    /// How many operations it has done.
    pub steps: u64,
    /// How many it was to do at most, if it did more; `None`: it waits for others.
    pub steps_max: Option<u64>,
    /// Where it waits.
    pub place: Option<Place>,
    /// The column of the thread that it waits for, from 0: which stored last where it looks, else the one that stands still. `None` if there is no such one.
    pub waits_for: Option<usize>,
    /// Who stands still, by columns, and before which operation.
    pub still: Vec<(usize, Place)>,
}

/// What is declared of the calls of a matrix, and which column makes them, by their slots.
pub(super) type Declared = Vec<(Guarantee, Option<usize>)>;

/// Looks for calls that are stuck.
pub(super) struct ProgressPhase {
    log: Arc<ConcurrentLog>,
    declared: Declared,
    pub(super) executions: u64,
    pub(super) reached: Vec<ReachedBound>,
    pub(super) cut: Option<Ending>,
    pub(super) stuck: Option<StuckCall>,
    /// The columns that stood still in some execution.
    pub(super) stood_still: BTreeSet<usize>,
}

impl ProgressPhase {
    pub(super) fn new(log: Arc<ConcurrentLog>, declared: Declared) -> Self {
        Self {
            log,
            declared,
            executions: 0,
            reached: Vec::new(),
            cut: None,
            stuck: None,
            stood_still: BTreeSet::new(),
        }
    }

    fn look_at(&mut self, recording: &Recording) {
        let calls = self.log.calls();
        let waiting: &[WaitingThread] = match &recording.ending {
            Ending::Blocked(waiting) => waiting,
            _ => &[],
        };
        let column_of = |thread: ThreadId| {
            let mut made = calls.iter().zip(&self.declared);
            made.find_map(|(call, (_, column))| {
                column.filter(|_| call.as_ref().is_some_and(|call| call.thread == thread))
            })
        };
        let stands_still = |waiting: &&WaitingThread| waiting.reason == WaitReason::StandsStill;
        let still: Vec<(usize, Place)> = waiting
            .iter()
            .filter(stands_still)
            .filter_map(|waiting| Some((column_of(waiting.thread)?, waiting.place)))
            .collect();
        self.stood_still.extend(still.iter().map(|(column, _)| *column));
        for (index, call) in calls.iter().enumerate() {
            let Some(call) = call else { continue };
            let (steps_max, begin) = match self.declared[index].0 {
                Guarantee::Unknown => continue,
                Guarantee::Nonblocking(steps) => (steps, last_read_by_others(recording, call.thread)),
                Guarantee::WaitFree(steps) => (steps, 0),
            };
            let steps = step_count(recording, call, begin);
            let waits = waiting
                .iter()
                .find(|waiting| waiting.thread == call.thread && !stands_still(waiting))
                .filter(|_| call.response.is_none());
            if waits.is_none() && steps <= steps_max {
                continue;
            }
            let whom = waits.and_then(|waits| awaited(recording, waits)).and_then(column_of);
            let only = || if let [(column, _)] = still[..] { Some(column) } else { None };
            self.stuck = Some(StuckCall {
                call: Slot::new(index),
                steps,
                steps_max: waits.is_none().then_some(steps_max),
                place: waits.map(|waits| waits.place),
                waits_for: waits.and_then(|_| whom.or_else(only)),
                still,
            });
            return;
        }
    }
}

/// The position of a thread's last operation that another thread depends on: a prefix with all that others did has it, and need have no more of the thread.
fn last_read_by_others(recording: &Recording, thread: ThreadId) -> u32 {
    let read = |operation: &Operation| {
        let store = operation.read.filter(|_| operation.thread != thread)?;
        let maker = recording.operation(recording.store(store).operation?);
        (maker.thread == thread).then_some(maker.position)
    };
    recording.operations.iter().filter_map(read).max().unwrap_or(0)
}

/// How many operations a call has done behind this position of its thread.
fn step_count(recording: &Recording, call: &LoggedCall, begin: u32) -> u64 {
    let last = call.response.as_ref().map_or(u32::MAX, |(moment, _)| moment.position);
    let is_its = |operation: &&Operation| {
        let position = operation.position;
        operation.thread == call.thread && position > call.invocation.position.max(begin) && position <= last
    };
    recording.operations.iter().filter(is_its).count() as u64
}

/// The thread that made the newest store where a thread waits, but for that itself.
fn awaited(recording: &Recording, waits: &WaitingThread) -> Option<ThreadId> {
    if let WaitReason::Join(thread) = waits.reason {
        return Some(thread);
    }
    let looked_at = || {
        let mut own = recording.operations.iter().rev().filter(|operation| operation.thread == waits.thread);
        own.find_map(|operation| operation.location.filter(|_| operation.read.is_some()))
    };
    let location = waits.location.or_else(looked_at)?;
    let order = recording.modification_order.as_ref()?.get(location.index())?;
    let mut makers = order.iter().rev().map(|&store| {
        recording.store(store).operation.map(|operation| recording.operation(operation).thread)
    });
    // A thread that waits in a swap stores as well.
    makers.find(|maker| *maker != Some(waits.thread)).flatten()
}

impl Visitor for ProgressPhase {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        self.executions += 1;
        match judge(recording) {
            Judged::ByProduct(reached) => {
                self.reached.extend(reached.filter(|reached| !self.reached.contains(reached)));
                self.look_at(recording);
            }
            Judged::Ended => self.look_at(recording),
            Judged::Cut => {
                // A call may have no end; what has a fault of its own is that.
                if matches!(recording.ending, Ending::Limit(_)) {
                    self.look_at(recording);
                }
                self.cut = Some(recording.ending.clone());
            }
        }
        let is_over = self.cut.is_some() || self.stuck.is_some();
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn restart(&mut self) {
        *self = Self::new(self.log.clone(), std::mem::take(&mut self.declared));
    }
}
