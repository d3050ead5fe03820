//! What annotated methods run: the boundaries of a call, and its ordering points (CDSSpec, section 5.1).
//!
//! Generated code and the `op_…!` macros call these. Outside an execution they do nothing.

use super::object::seen_fields;
use super::{Effect, Notice, with};
use crate::record::{
    Annotation, CallEntry, CallTicket, MethodId, Moment, SourceLocation, StatementId, ThreadId,
};
use crate::specification::{
    ObjectExtent, Specification, expected_steps, expected_steps_of_text, marked_labels,
};
use std::any::Any;
use std::rc::Rc;

/// A call that is running. Dropped without [`finish`](Self::finish), as by a panic, it leaves the call pending.
pub struct Call(Option<CallTicket>);

impl Call {
    /// A call of the method with index `method` begins, on the object that is there. `values` records the arguments.
    pub fn enter(
        specification: fn() -> &'static Specification,
        method: usize,
        object: ObjectExtent,
        values: impl FnOnce() -> Box<dyn Any>,
    ) -> Self {
        let ticket = with(|execution| {
            let port = execution.port();
            if port.is_unobserved() || execution.is_looking() {
                return None;
            }
            port.note(Notice::Effect(Effect::Call));
            let tick = port.tick();
            port.note(Notice::Recording);
            port.note(Notice::CallBegin(&|| expected_steps(specification(), MethodId::new(method))));
            let mut values = Some(values);
            let mut recorded: Option<Box<dyn Any>> = None;
            port.unobserved(&mut || recorded = values.take().map(|values| values()));
            let entry = CallEntry {
                specification: specification(),
                method: MethodId::new(method),
                address: object.address.addr(),
                size: object.size,
                fields: seen_fields(execution, object),
                values: recorded?,
                tick,
            };
            Some(execution.recorder().borrow_mut().enter_call(port.thread(), entry))
        });
        Self(ticket.flatten())
    }

    /// A call that no specification is about begins, as of another instance of a generic type than the specified one.
    pub fn unspecified() -> Self {
        let ticket = with(|execution| {
            execution.census().note_unspecified_call();
            let port = execution.port();
            if port.is_unobserved() || execution.is_looking() {
                return None;
            }
            port.note(Notice::Effect(Effect::Call));
            // The annotations in it are about no call; the recorder has to know of it, to let them pass.
            port.note(Notice::Recording);
            Some(execution.recorder().borrow_mut().enter_unspecified_call(port.thread()))
        });
        Self(ticket.flatten())
    }

    /// The call returns: `complete` adds what is known only now to its record `V`.
    ///
    /// # Panics
    /// If `V` is not the type that `enter` was given: a bug of the macro.
    pub fn finish<V: 'static>(mut self, complete: impl FnOnce(&mut V)) {
        let Some(ticket) = self.0.take() else { return };
        with(|execution| {
            let port = execution.port();
            if port.is_unobserved() {
                return execution.recorder().borrow_mut().abandon_call(ticket);
            }
            port.note(Notice::Effect(Effect::Call));
            // The values are taken out, so that clones of the user's types may use instrumented objects.
            let values = execution.recorder().borrow_mut().take_values(ticket);
            let values = values.map(|mut values| {
                let record = Rc::get_mut(&mut values)
                    .expect("cdsspec bug: nobody shares the record of a running call");
                let record = record.downcast_mut().expect("cdsspec bug: the record of a method has one type");
                let mut complete = Some(complete);
                port.unobserved(&mut || {
                    if let Some(complete) = complete.take() {
                        complete(record);
                    }
                });
                values
            });
            port.note(Notice::CallEnd);
            execution.recorder().borrow_mut().finish_call(ticket, values);
        });
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if let Some(ticket) = self.0.take() {
            with(|execution| {
                execution.port().note(Notice::CallEnd);
                execution.recorder().borrow_mut().abandon_call(ticket);
            });
        }
    }
}

/// All annotated calls that the program is to make are these, as a scenario writes them, on a type of this name.
pub(crate) fn plan_calls<'a, C: Iterator<Item = &'a str>>(owner: &str, calls: impl Fn() -> C) {
    let expected = || calls().map(|call| expected_steps_of_text(owner, call)).fold(0, u64::saturating_add);
    with(|execution| execution.port().note(Notice::Planned(&expected)));
}

/// A call that is recorded elsewhere begins or returns: who makes it, and at which point. `None` outside of an execution, and where nobody
/// observes operations.
pub(crate) fn note_boundary() -> Option<(ThreadId, Moment)> {
    let boundary = with(|execution| {
        let port = execution.port();
        if port.is_unobserved() {
            return None;
        }
        port.note(Notice::Effect(Effect::Call));
        port.note(Notice::Recording);
        let thread = port.thread();
        Some((thread, execution.recorder().borrow().moment(thread, None)))
    });
    boundary.flatten()
}

/// The same, of a call that nobody orders against others: nothing need be recorded, so that more rounds of loops are left out. The moment has the
/// thread's position alone.
pub(crate) fn note_position() -> Option<(ThreadId, Moment)> {
    let boundary = with(|execution| {
        let port = execution.port();
        let position = (!port.is_unobserved()).then(|| port.progress().position)?;
        Some((port.thread(), Moment { position, operation_count: 0, tick: None }))
    });
    boundary.flatten()
}

/// The running thread does so many events more, and then stands still for the rest of the execution.
pub(crate) fn stand_still_after(event_count: usize) {
    with(|execution| execution.port().note(Notice::StandStillAfter(event_count)));
}

/// The threads that the running one creates from here on keep to a guide, if the engine draws executions. It goes on first itself, until it waits for them.
#[cfg(feature = "localize")]
pub(crate) fn follow(guide: &std::sync::Arc<super::Guide>) {
    with(|execution| execution.port().note(Notice::Follow(guide)));
}

/// A method that is not annotated begins, of an annotated type of this name. Outside an execution it does nothing.
pub fn note_beside(name: &'static str) {
    with(|execution| execution.census().note_used(name));
}

/// An ordering point annotation.
#[derive(Clone, Copy, Debug)]
pub enum Marker {
    /// `op_define`
    Define,
    /// `op_clear`
    Clear,
    /// `op_clear_define`
    ClearDefine,
    /// `potential_op(label)`
    Potential(&'static str),
    /// `op_check(label)`
    Check(&'static str),
}

/// Runs an ordering point annotation whose condition holds, in the macro form: it means the last operation of the call.
pub fn mark(marker: Marker, source: SourceLocation) {
    run(marker, source.into());
}

/// A statement with ordering point annotations, from before its value is computed until they have run. Dropped without that, as by a
/// panic, it marks nothing.
#[derive(Debug)]
pub struct Statement(Option<StatementId>);

impl Statement {
    /// The statement begins.
    pub fn begin() -> Self {
        let statement = with(|execution| {
            let port = execution.port();
            if port.is_unobserved() || execution.is_looking() {
                return None;
            }
            execution.recorder().borrow_mut().begin_statement(port.thread())
        });
        Self(statement.flatten())
    }

    /// Runs an annotation on it whose condition holds: it means the last operation of the statement.
    pub fn mark(&self, marker: Marker, source: SourceLocation) {
        run(marker, Annotation { source, statement: self.0 });
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        if let Some(statement) = self.0 {
            with(|execution| {
                let thread = execution.port().thread();
                execution.recorder().borrow_mut().end_statement(thread, statement);
            });
        }
    }
}

/// The condition of an ordering point annotation, while it runs.
#[derive(Debug)]
pub struct Condition(Statement);

impl Condition {
    /// It begins.
    pub fn begin() -> Self {
        Self(Statement::begin())
    }

    /// It has run, as that of the annotation of this name which stands there.
    pub fn end(self, marker: &'static str, source: SourceLocation) {
        let Some(condition) = self.0.0 else { return };
        with(|execution| {
            let port = execution.port();
            if !port.is_unobserved() {
                let mut recorder = execution.recorder().borrow_mut();
                recorder.end_condition(port.thread(), source.into(), condition, marker);
            }
        });
    }
}

fn run(marker: Marker, annotation: Annotation) {
    with(|execution| {
        let port = execution.port();
        if port.is_unobserved() || execution.is_looking() {
            return;
        }
        port.note(Notice::Effect(Effect::Marker));
        port.note(Notice::Recording);
        let thread = port.thread();
        let mut recorder = execution.recorder().borrow_mut();
        match marker {
            Marker::Define => recorder.op_define(thread, annotation),
            Marker::Clear => recorder.op_clear(thread, annotation),
            Marker::ClearDefine => recorder.op_clear_define(thread, annotation),
            Marker::Potential(label) => recorder.potential_op(thread, annotation, label),
            Marker::Check(label) => {
                recorder.op_check(thread, annotation, label, marked_labels);
            }
        }
    });
}
