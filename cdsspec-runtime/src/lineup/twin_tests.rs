//! Phase 2 in real time against a naive twin, which goes through every interleaving of the operations of each execution by itself.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::history::Made;
use super::phase::results_of;
use super::{Boundary, LineUp, ObservationSet, Precedence};
use crate::check::Verdict;
use crate::engine::Visitor;
use crate::model::{Builder, MemoryModel};
use crate::record::{Ending, OperationKind, Recording, StoreId};
use crate::scenario::{ConcurrentLog, LoggedCall, Matrix, Scenario, Slot};
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

/// Looks at each execution.
struct Twin {
    log: Arc<ConcurrentLog>,
    observations: ObservationSet,
    interleavings: u64,
    is_refuted: bool,
}

impl Visitor for Twin {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        if matches!(recording.ending, Ending::ByProduct { .. }) {
            return ControlFlow::Continue(());
        }
        assert!(matches!(recording.ending, Ending::Complete), "nothing blocks: {:?}", recording.ending);
        let calls = self.log.calls();
        let mut run = Interleaving::new(recording);
        let mut orders = Vec::new();
        run.go_on(&mut |order| orders.push(order.to_vec()));
        assert!(!orders.is_empty(), "an execution under Sc has an interleaving");
        for order in &orders {
            self.interleavings += 1;
            let time = boundaries_in(recording, &calls, order);
            self.is_refuted |= !has_witness(&time, &calls, &self.observations);
        }
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        (self.interleavings, self.is_refuted) = (0, false);
    }
}

/// An interleaving of the operations of an execution, as far as it goes.
struct Interleaving<'a> {
    recording: &'a Recording,
    /// The newest store of each location.
    newest: Vec<StoreId>,
    /// Of each thread, how many operations were done.
    done: Vec<u32>,
    order: Vec<usize>,
}

impl<'a> Interleaving<'a> {
    fn new(recording: &'a Recording) -> Self {
        Self {
            recording,
            newest: recording.locations.iter().map(|location| location.initial).collect(),
            done: vec![0; recording.threads.len()],
            order: Vec::new(),
        }
    }

    /// Whether an operation can be the next one: of its thread, reading the newest store, and storing next to the one before it.
    fn may_be_next(&self, index: usize) -> bool {
        let operation = &self.recording.operations[index];
        let thread = operation.thread.index();
        let is_started = self.recording.threads[thread]
            .created_by
            .is_none_or(|creator| self.order.contains(&creator.index()));
        let newest = operation.location.map(|location| self.newest[location.index()]);
        let reads_newest = operation.read.is_none() || operation.read == newest;
        let stores_next = operation.written.is_none_or(|written| {
            let all = self.recording.modification_order.as_ref().expect("it is asked for");
            let order = all.iter().find(|order| order.contains(&written)).expect("each store is in one");
            let place = order.iter().position(|store| *store == written);
            place.and_then(|place| place.checked_sub(1)).map(|before| order[before]) == newest
        });
        let is_joined = match operation.kind {
            OperationKind::Join(ended) => {
                let all = self.recording.operations.iter().filter(|other| other.thread == ended).count();
                self.done[ended.index()] as usize == all
            }
            _ => true,
        };
        self.done[thread] + 1 == operation.position && is_started && reads_newest && stores_next && is_joined
    }

    fn go_on(&mut self, found: &mut dyn FnMut(&[usize])) {
        if self.order.len() == self.recording.operations.len() {
            return found(&self.order);
        }
        for index in 0..self.recording.operations.len() {
            if !self.may_be_next(index) {
                continue;
            }
            let operation = &self.recording.operations[index];
            let (newest, thread) = (self.newest.clone(), operation.thread.index());
            if let (Some(location), Some(written)) = (operation.location, operation.written) {
                self.newest[location.index()] = written;
            }
            self.done[thread] += 1;
            self.order.push(index);
            self.go_on(found);
            self.order.pop();
            self.done[thread] -= 1;
            self.newest = newest;
        }
    }
}

/// The invocations just before, and the returns just after, the operations of their calls. Each call has some.
fn boundaries_in(recording: &Recording, calls: &[Option<LoggedCall>], order: &[usize]) -> Vec<Boundary> {
    let mut time = Vec::new();
    for &index in order {
        let operation = &recording.operations[index];
        let of_thread = |call: &LoggedCall| call.thread == operation.thread;
        for (slot, call) in calls.iter().enumerate() {
            let Some(call) = call.as_ref().filter(|call| of_thread(call)) else { continue };
            if call.invocation.position + 1 == operation.position {
                time.push(Boundary::Invocation(Slot::new(slot)));
            }
        }
        for (slot, call) in calls.iter().enumerate() {
            let Some(call) = call.as_ref().filter(|call| of_thread(call)) else { continue };
            let (response, _) = call.response.as_ref().expect("nothing blocks");
            assert!(response.position > call.invocation.position, "each call has an operation");
            if response.position == operation.position {
                time.push(Boundary::Return(Slot::new(slot)));
            }
        }
    }
    time
}

fn has_witness(time: &[Boundary], calls: &[Option<LoggedCall>], observations: &ObservationSet) -> bool {
    let results = results_of(calls);
    let at = |boundary: Boundary| time.iter().position(|other| *other == boundary).expect("all are there");
    observations.histories().iter().any(|history| {
        let has_results = history.calls.iter().all(|(slot, value)| {
            matches!((&results[slot.index()], value), (Made::Returned(one), Some(other)) if one == other)
        });
        let keeps = |(index, (later, _)): (usize, &(Slot, _))| {
            let before = history.calls[..index].iter();
            before
                .map(|(earlier, _)| *earlier)
                .all(|earlier| at(Boundary::Return(*later)) > at(Boundary::Invocation(earlier)))
        };
        has_results && history.calls.iter().enumerate().all(keeps)
    })
}

/// The verdicts of Line-Up and of the twin on all matrices of 2×2: how many are refuted, of how many, and how many interleavings the twin
/// looked at.
fn judge<T: Send + Sync + 'static>(scenario: &Scenario<T>) -> (u32, u32, u64) {
    let lineup = LineUp::new(scenario.clone()).precedence(Precedence::RealTime);
    let (mut refuted, mut count, mut interleavings) = (0, 0, 0);
    for matrix in scenario.matrices(2, 2) {
        let twin = twin(scenario, &matrix, &lineup);
        let check = lineup.check(&matrix);
        assert_eq!(check.verdict == Verdict::Violated, twin.is_refuted, "{check}");
        refuted += u32::from(twin.is_refuted);
        count += 1;
        interleavings += twin.interleavings;
    }
    (refuted, count, interleavings)
}

fn twin<T: Send + Sync + 'static>(scenario: &Scenario<T>, matrix: &Matrix, lineup: &LineUp<T>) -> Twin {
    let log = Arc::new(ConcurrentLog::default());
    let program = scenario.noted_program(matrix, &log);
    let observations = lineup.observe(matrix).expect("it has no fault");
    let twin = Twin { log: log.clone(), observations, interleavings: 0, is_refuted: false };
    let twin = Rc::new(RefCell::new(twin));
    let builder = Builder::new().memory_model(MemoryModel::Sc).without_spurious();
    builder.visit(program, twin.clone()).expect("the settings are right");
    let empty = Twin { log, observations: ObservationSet::default(), interleavings: 0, is_refuted: false };
    twin.replace(empty)
}

#[derive(Default)]
struct Lossy(AtomicU32);

#[derive(Default)]
struct Locked(Mutex<u32>);

#[test]
fn a_lossy_counter_is_refuted_on_the_same_matrices() {
    let scenario = Scenario::new(Lossy::default)
        .op("inc()", |counter| counter.0.store(counter.0.load(SeqCst) + 1, SeqCst).into())
        .op("add(2)", |counter| {
            counter.0.fetch_add(2, SeqCst);
            ().into()
        })
        .op("get()", |counter| counter.0.load(SeqCst).into());
    let (refuted, count, interleavings) = judge(&scenario);
    assert_eq!((refuted, count), (12, 45));
    assert!(interleavings > 100, "{interleavings}");
}

#[test]
fn a_locked_register_is_refuted_on_none() {
    let scenario = Scenario::new(Locked::default)
        .op("set(1)", |register| std::mem::replace(&mut *register.0.lock().unwrap(), 1).into())
        .op("set(2)", |register| std::mem::replace(&mut *register.0.lock().unwrap(), 2).into());
    let (refuted, count, _) = judge(&scenario);
    assert_eq!((refuted, count), (0, 10));
}
