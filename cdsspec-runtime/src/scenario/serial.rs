//! All serial executions of a matrix: each call is made when the one before has returned, in every order that keeps those of each thread.
//!
//! The threads hand a turn on: who has made a call chooses which thread makes its next one, and stores to the location that this one waits
//! at. So each call happens before the next, and the only choices that the engine explores are those of the orders
//! ([`Limits::is_serial`](crate::engine::Limits::is_serial)). A call that never returns leaves all threads waiting: the history is stuck.
//!
//! # Paper
//! Line-Up (PLDI 2010), sections 3.2 and 4.1: phase 1.

use super::builder::{Exemption, Scenario};
use super::kept::Kept;
use super::matrix::{Matrix, Slot};
use super::program::{Observer, Plan, join_all};
use super::value::Value;
use crate::engine::Program;
use crate::port::{Access, Operation, Request, WaitLoad, as_checker, with};
use crate::record::{LocationId, Orders, Place, SourceLocation, ValueKind, operation_name};
use crate::thread;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The calls of a serial execution in order, each with what it returned; `None` for one that did not.
#[derive(Default)]
pub(crate) struct SerialLog(Mutex<Vec<(Slot, Option<Value>)>>);

impl SerialLog {
    /// The calls of the execution that has just ended.
    pub(crate) fn calls(&self) -> Vec<(Slot, Option<Value>)> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Slot, Option<Value>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for SerialLog {
    fn begin(&self, _matrix: &Matrix) {
        as_checker(|| self.lock().clear());
    }

    fn invoke(&self, slot: Slot, exemption: &Exemption) -> bool {
        // A call that may fail for no reason may as well not have been made.
        let is_left_out =
            matches!(exemption, Exemption::Returned(_)) && choose(Step::ChooseToLeaveOut, slot, 2) == 1;
        let value = is_left_out.then_some(Value::Unmade);
        as_checker(|| self.lock().push((slot, value)));
        !is_left_out
    }

    fn note_return(&self, slot: Slot, value: Value) {
        as_checker(|| {
            if let Some(call) = self.lock().iter_mut().find(|(known, _)| *known == slot) {
                call.1 = Some(value);
            }
        });
    }
}

/// Whose turn it is.
struct Turns {
    /// Where the thread of a call waits for its turn, by slot.
    locations: Vec<Option<LocationId>>,
    /// The calls that each thread has still to make, the next one last.
    left: Mutex<Vec<Vec<Slot>>>,
}

impl Turns {
    fn new(matrix: &Matrix) -> Self {
        as_checker(|| {
            let columns = 0..matrix.columns.len();
            let left: Vec<Vec<Slot>> = columns
                .map(|column| {
                    let mut slots: Vec<_> = matrix.column_slots(column).map(|(slot, _)| slot).collect();
                    slots.reverse();
                    slots
                })
                .collect();
            let new = || with(|execution| execution.port().new_location(ValueKind::Internal, 0));
            let mut locations = vec![None; matrix.call_count()];
            left.iter().flatten().for_each(|slot| locations[slot.index()] = new());
            Self { locations, left: Mutex::new(left) }
        })
    }

    /// Waits until it is the turn of a call.
    fn wait(&self, slot: Slot) {
        let Some(access) = self.access(Step::Wait, slot, Ordering::Acquire) else { return };
        let wait = WaitLoad { operand: 1, function: |value, turn| value == turn };
        with(|execution| execution.port().wait_load(access, wait));
    }

    /// Chooses who makes the next call, if any is left; `after` is the call that was made last.
    fn hand_on(&self, after: Slot) {
        let lock = || self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let ready: Vec<usize> = as_checker(|| {
            let left = lock();
            (0..left.len()).filter(|&column| !left[column].is_empty()).collect()
        });
        if ready.is_empty() {
            return;
        }
        let column = ready[choose(Step::ChooseNext, after, ready.len())];
        as_checker(|| drop(ready));
        let Some(next) = lock()[column].pop() else { return };
        if let Some(access) = self.access(Step::HandOn, next, Ordering::Release) {
            with(|execution| execution.port().store(access, 1));
        }
    }

    fn access(&self, step: Step, slot: Slot, order: Ordering) -> Option<Access> {
        let location = self.locations[slot.index()]?;
        Some(Access { place: place(step, slot), location, order })
    }
}

/// What a thread does beside its calls.
#[derive(Clone, Copy)]
enum Step {
    Wait,
    HandOn,
    ChooseNext,
    ChooseToLeaveOut,
}

/// Each step stands at a place of its own, so that nobody takes a thread's calls for rounds of a loop.
fn place(step: Step, slot: Slot) -> Place {
    let name = match step {
        Step::Wait => operation_name!("waits for its turn"),
        Step::HandOn => operation_name!("hands its turn on"),
        Step::ChooseNext | Step::ChooseToLeaveOut => operation_name!("choose"),
    };
    let source = SourceLocation { file: file!(), line: slot.index() as u32 + 1, column: step as u32 + 1 };
    Place { source, name, orders: Orders::None }
}

fn choose(step: Step, slot: Slot, count: usize) -> usize {
    if count <= 1 {
        return 0;
    }
    let request = Request { place: place(step, slot), operation: Operation::Choose { count } };
    with(|execution| execution.port().perform(request).value()).unwrap_or(0) as usize
}

impl<T: Send + Sync + 'static> Scenario<T> {
    /// The program of all serial executions of a matrix, whose calls are noted in `log`: for an engine that goes by
    /// [`Limits::is_serial`](crate::engine::Limits::is_serial).
    pub(crate) fn serial_program(&self, matrix: &Matrix, log: &Arc<SerialLog>) -> Program {
        let plan = Arc::new(Plan { scenario: self.clone(), matrix: matrix.clone() });
        let log = log.clone();
        Arc::new(move || {
            log.begin(&plan.matrix);
            let object = Arc::new((plan.scenario.make)());
            let mut kept = Kept::default();
            plan.call((&object, &mut kept), plan.initial_calls().into_iter(), &*log);
            let turns = as_checker(|| Arc::new(Turns::new(&plan.matrix)));
            let mut handles = Vec::new();
            for column in 0..plan.matrix.columns.len() {
                let (plan, object, log, turns) = (plan.clone(), object.clone(), log.clone(), turns.clone());
                handles.push(thread::spawn(move || {
                    let mut kept = Kept::default();
                    for (slot, entry) in Plan::<T>::owned(plan.matrix.column_slots(column)) {
                        turns.wait(slot);
                        plan.call((&object, &mut kept), std::iter::once((slot, entry)), &*log);
                        turns.hand_on(slot);
                    }
                    kept.keep();
                }));
            }
            turns.hand_on(Slot::new(plan.matrix.call_count()));
            join_all(handles);
            let last = Plan::<T>::owned(plan.matrix.last_slots());
            plan.call((&object, &mut kept), last.into_iter(), &*log);
        })
    }
}
