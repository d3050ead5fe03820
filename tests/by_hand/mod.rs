//! One thread of a program, run without an engine: operations are named fences.

#![allow(dead_code, reason = "each test uses some of it")]

use cdsspec_runtime::heap::Progress;
use cdsspec_runtime::port::{Execution, Notice, Operation, Port, Reply, Request, enter, with};
use cdsspec_runtime::record::{
    LocationId, MethodCall, OperationForm, OperationName, Orders, Place, Recorder, Recording, Spelling,
    ThreadId, ValueKind,
};
use cdsspec_runtime::specification::{Broken, Concurrent, Specification, Step, StepMode};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// Runs a program of one thread, and looks at what it recorded.
pub(crate) fn record<R>(program: impl FnOnce(), look: impl FnOnce(&Recording) -> R) -> R {
    let recorder = Rc::new(RefCell::new(Recorder::new()));
    let execution =
        Execution::new(Rc::new(OneThread { is_unobserved: Cell::new(false) }), Rc::clone(&recorder));
    execution.begin();
    enter(&execution, program);
    let recorder = recorder.borrow();
    look(recorder.recording())
}

/// An operation with this name.
pub(crate) fn op(name: &'static str) {
    with(|execution| {
        // A name lives for ever.
        let spelling = Box::leak(Box::new(Spelling { text: name, form: OperationForm::Fence }));
        let place = Place::here(OperationName::new(spelling), Orders::One(Ordering::Acquire));
        execution.recorder().borrow_mut().fence(ThreadId::new(0), place, Ordering::Acquire);
    });
}

/// An operation with this name, and a value.
pub(crate) fn value<T>(name: &'static str, value: T) -> T {
    op(name);
    value
}

/// The names of the operations that are ordering points of the first call; after `!`, the mistakes.
pub(crate) fn points(recording: &Recording) -> String {
    let points = recording.calls.first().map_or(&[][..], |call| &call.points);
    let mut names: Vec<&str> =
        points.iter().map(|point| recording.operation(point.operation).place.name.spelling()).collect();
    if !recording.errors.is_empty() {
        names.push("!");
    }
    names.join(" ")
}

struct OneThread {
    is_unobserved: Cell<bool>,
}

impl Port for OneThread {
    fn perform(&self, request: Request) -> Reply {
        match request.operation {
            Operation::Tick => Reply::NotDone,
            _ => unreachable!("tests record their operations themselves"),
        }
    }

    fn note(&self, _notice: Notice<'_>) {}

    fn thread(&self) -> ThreadId {
        ThreadId::new(0)
    }

    fn progress(&self) -> Progress {
        Progress { thread: self.thread(), position: 0, sequence: 0, is_observed: false, is_in_round: false }
    }

    fn is_unobserved(&self) -> bool {
        self.is_unobserved.get()
    }

    fn unobserved(&self, f: &mut dyn FnMut()) {
        self.is_unobserved.set(true);
        f();
        self.is_unobserved.set(false);
    }

    fn new_location(&self, _kind: ValueKind, _initial: u64) -> LocationId {
        unreachable!("operations are fences")
    }

    fn peek(&self, _location: LocationId) -> u64 {
        unreachable!("operations are fences")
    }

    fn refuse(&self, message: &str) {
        panic!("{message}");
    }
}

/// The registered specification of this name that stands in the file of the caller: others may have one of that name.
#[track_caller]
pub(crate) fn specification(name: &str) -> &'static Specification {
    let file = Location::caller().file();
    let is_meant = |one: &&Specification| (one.name, one.source.file) == (name, file);
    cdsspec::registry().into_iter().find(is_meant).expect("it is registered")
}

/// A call as a report shows it.
pub(crate) fn call_text(specification: &Specification, call: &MethodCall) -> String {
    let method = specification.method(call.method);
    let arguments = (method.values.render_arguments)(&*call.values).join(", ");
    let returned = (method.values.render_return)(&*call.values);
    let returned = returned.map(|value| format!(" -> {value}")).unwrap_or_default();
    format!("{}({arguments}){returned}", method.name)
}

/// Runs a call of a program on a state, with no other concurrent.
pub(crate) fn step(
    specification: &Specification,
    state: &mut dyn Any,
    call: &MethodCall,
    mode: StepMode,
) -> Result<(), Broken> {
    let mut step = Step::new(state, &*call.values, Concurrent::new(&[]), mode);
    (specification.method(call.method).step)(&mut step)
}
