//! Records method calls: which object, which calls are internal, and the ordering points (CDSSpec, section 4.2).

use super::call_stack::Frame;
use super::objects::Kind;
use super::{
    Annotation, CallId, FieldId, MethodCall, MethodId, Moment, Object, ObjectId, OperationId, OrderingPoint,
    Recorder, SeenField, SpecificationError, SpecificationErrorKind, StatementId, ThreadId,
};
use crate::specification::Specification;
use std::any::Any;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A call that begins.
pub struct CallEntry {
    /// The specification of the object.
    pub specification: &'static Specification,
    /// The method.
    pub method: MethodId,
    /// Where the object is.
    pub address: usize,
    /// Its size in bytes.
    pub size: usize,
    /// The instrumented fields that were found in it, by address.
    pub fields: Vec<SeenField>,
    /// The arguments, as the macro records them.
    pub values: Box<dyn Any>,
    /// The tick of the call clock, where there is one.
    pub tick: Option<u64>,
}

/// What the end of a call is told by.
#[derive(Clone, Copy, Debug)]
pub struct CallTicket {
    thread: ThreadId,
    depth: usize,
}

impl Recorder {
    /// A call begins.
    pub fn enter_call(&mut self, thread: ThreadId, entry: CallEntry) -> CallTicket {
        let kind = Kind { specification: entry.specification, size: entry.size };
        let (object, is_told) = self.objects.resolve(kind, entry.address, &entry.fields);
        self.note_new_object(entry.specification);
        let memory = entry.address..entry.address.saturating_add(entry.size);
        let outer = self.stacks[thread.index()]
            .frames
            .iter()
            .filter_map(|frame| frame.call)
            .find(|call| self.recording.calls[call.index()].object == object);
        let call = outer.unwrap_or_else(|| self.new_call(thread, object, entry));
        let frame =
            Frame { call: Some(call), is_internal: outer.is_some(), memory, is_told, potential: Vec::new() };
        self.push_frame(thread, frame)
    }

    /// A call that no specification is about begins: it is not recorded, and ordering point annotations in it mean nothing.
    pub fn enter_unspecified_call(&mut self, thread: ThreadId) -> CallTicket {
        let frame =
            Frame { call: None, is_internal: true, memory: 0..0, is_told: true, potential: Vec::new() };
        self.push_frame(thread, frame)
    }

    fn push_frame(&mut self, thread: ThreadId, frame: Frame) -> CallTicket {
        let stack = &mut self.stacks[thread.index()].frames;
        stack.push(frame);
        CallTicket { thread, depth: stack.len() }
    }

    /// Takes the record of a call out, for its return value to be added; `None` for an internal call.
    pub fn take_values(&mut self, ticket: CallTicket) -> Option<Rc<dyn Any>> {
        let frame = self.stacks.get(ticket.thread.index())?.frames.get(ticket.depth - 1)?;
        let call = frame.call.filter(|_| !frame.is_internal)?;
        Some(std::mem::replace(&mut self.recording.calls[call.index()].values, Rc::new(())))
    }

    /// A call returns, with its completed record; does nothing more for an internal call.
    pub fn finish_call(&mut self, ticket: CallTicket, values: Option<Rc<dyn Any>>) {
        let Some(frame) = self.pop(ticket) else { return };
        let (Some(values), Some(call)) = (values, frame.call) else { return };
        let response = self.moment(ticket.thread, None);
        let call = &mut self.recording.calls[call.index()];
        call.values = values;
        call.response = Some(response);
    }

    /// A call is left by a panic, or its execution is cut: it stays pending.
    pub fn abandon_call(&mut self, ticket: CallTicket) {
        self.pop(ticket);
    }

    /// An annotated statement begins; `None` if no call has begun in this execution, so that nothing is recorded.
    pub fn begin_statement(&mut self, thread: ThreadId) -> Option<StatementId> {
        let operation_count = self.recording.operations.len();
        self.stacks.get_mut(thread.index())?.statements.begin(operation_count)
    }

    /// It ends: its annotations have run, or it was left.
    pub fn end_statement(&mut self, thread: ThreadId, statement: StatementId) {
        if let Some(stack) = self.stacks.get_mut(thread.index()) {
            stack.statements.end(statement);
        }
    }

    /// The condition of an annotation ends, which began as a statement does: it may have run no operation, since that would be the last one.
    pub fn end_condition(
        &mut self,
        thread: ThreadId,
        annotation: Annotation,
        condition: StatementId,
        marker: &'static str,
    ) {
        let Some(stack) = self.stacks.get(thread.index()) else { return };
        let is_in_call = stack.frames.last().is_some_and(|frame| frame.call.is_some());
        let Some(condition) = stack.statements.get(condition).filter(|_| is_in_call) else { return };
        if self.last_written_operation(thread).is_some_and(|operation| condition.has(operation)) {
            self.note_mistake(thread, annotation, SpecificationErrorKind::ConditionWithOperation { marker });
        }
    }

    /// A fence of the program is left out, and so is the ordering point that it would have been.
    pub fn leave_fence_out(&mut self, thread: ThreadId) {
        if let Some(stack) = self.stacks.get_mut(thread.index()) {
            stack.statements.excuse();
        }
    }

    /// `op_define`: the operation before is an ordering point.
    pub fn op_define(&mut self, thread: ThreadId, annotation: impl Into<Annotation>) {
        let annotation = annotation.into();
        if let Some((call, operation)) = self.marked(thread, annotation, "op_define") {
            self.add_point(call, operation, annotation);
        }
    }

    /// `op_clear`: forgets the ordering points of this call so far, potential ones too.
    pub fn op_clear(&mut self, thread: ThreadId, annotation: impl Into<Annotation>) {
        let Some(call) = self.current_call(thread, annotation.into(), "op_clear") else { return };
        self.recording.calls[call.index()].points.clear();
        for frame in self.stacks[thread.index()].frames.iter_mut().filter(|frame| frame.call == Some(call)) {
            frame.potential.clear();
        }
    }

    /// `op_clear_define`: `op_clear`, then `op_define`.
    pub fn op_clear_define(&mut self, thread: ThreadId, annotation: impl Into<Annotation>) {
        let annotation = annotation.into();
        if let Some((call, operation)) = self.marked(thread, annotation, "op_clear_define") {
            self.op_clear(thread, annotation);
            self.add_point(call, operation, annotation);
        }
    }

    /// `potential_op`: the operation before may turn out to be an ordering point.
    pub fn potential_op(&mut self, thread: ThreadId, annotation: impl Into<Annotation>, label: &'static str) {
        let Some((call, operation)) = self.marked(thread, annotation.into(), "potential_op") else { return };
        let frames = &mut self.stacks[thread.index()].frames;
        if let Some(frame) = frames.iter_mut().find(|frame| frame.call == Some(call)) {
            frame.potential.retain(|(known, _)| *known != label);
            frame.potential.push((label, operation));
        }
    }

    /// `op_check`: the most recent potential ordering point with this label is one. `marked` are the labels that
    /// annotations of the program mark; it is asked only where the call has marked none of this name.
    pub fn op_check(
        &mut self,
        thread: ThreadId,
        annotation: impl Into<Annotation>,
        label: &'static str,
        marked: impl FnOnce() -> &'static BTreeSet<&'static str>,
    ) {
        let annotation = annotation.into();
        let Some(call) = self.current_call(thread, annotation, "op_check") else { return };
        let frames = &self.stacks[thread.index()].frames;
        let found = frames.iter().find(|frame| frame.call == Some(call)).and_then(|frame| {
            frame.potential.iter().find(|(known, _)| *known == label).map(|(_, operation)| *operation)
        });
        if let Some(operation) = found {
            return self.add_point(call, operation, annotation);
        }
        let marked = marked();
        if !marked.contains(label) {
            let nearest = cdsspec_vocabulary::nearest(label, marked.iter().copied());
            self.note_mistake(thread, annotation, SpecificationErrorKind::LabelUnknown { label, nearest });
        }
    }

    /// Whether a method call has begun.
    pub(crate) fn has_calls(&self) -> bool {
        !self.recording.calls.is_empty()
    }

    /// A thread uses a field at an address: it may lie inside the objects of the calls that it is in.
    pub fn touch(&mut self, thread: ThreadId, address: usize, field: FieldId) {
        // A recorder that is not in use knows no threads.
        let depths = self.stacks.get(thread.index()).map_or(0, |stack| stack.frames.len());
        for depth in 0..depths {
            let frame = &mut self.stacks[thread.index()].frames[depth];
            let Some(call) = frame.call.filter(|_| frame.memory.contains(&address)) else { continue };
            let is_told = std::mem::replace(&mut frame.is_told, true);
            let places = (frame.memory.start, address);
            let object = self.recording.calls[call.index()].object;
            let touched = self.objects.touch(object, places, field, is_told);
            if touched != object {
                self.note_new_object(self.recording.specification(object));
                self.move_calls(call, object, touched);
            }
        }
    }

    /// A call is about another object than its address made it seem; so are the earlier ones there, if nothing else told of theirs.
    fn move_calls(&mut self, call: CallId, from: ObjectId, to: ObjectId) {
        let is_all = self.objects.is_without_fields(from);
        let calls = &mut self.recording.calls;
        for moved in calls.iter_mut().filter(|one| one.id == call || is_all && one.object == from) {
            moved.object = to;
        }
    }

    /// Notes an object of this specification, if one was not known before.
    fn note_new_object(&mut self, specification: &'static Specification) {
        if self.objects.len() > self.recording.objects.len() {
            self.recording.objects.push(Object { specification });
        }
    }

    fn new_call(&mut self, thread: ThreadId, object: ObjectId, entry: CallEntry) -> CallId {
        let id = CallId::new(self.recording.calls.len());
        let invocation = self.moment(thread, entry.tick);
        self.recording.calls.push(MethodCall {
            id,
            object,
            method: entry.method,
            thread,
            invocation,
            response: None,
            values: entry.values.into(),
            points: Vec::new(),
        });
        id
    }

    /// The point that a thread is at, between two of its operations.
    pub(crate) fn moment(&self, thread: ThreadId, tick: Option<u64>) -> Moment {
        Moment { position: self.position(thread), operation_count: self.recording.operations.len(), tick }
    }

    fn pop(&mut self, ticket: CallTicket) -> Option<Frame> {
        let stack = &mut self.stacks.get_mut(ticket.thread.index())?.frames;
        if stack.len() < ticket.depth {
            return None;
        }
        stack.drain(ticket.depth - 1..).next()
    }

    fn note_mistake(&mut self, thread: ThreadId, annotation: Annotation, kind: SpecificationErrorKind) {
        self.note_error(SpecificationError { kind, marker: annotation.source, thread });
    }

    fn current_call(
        &mut self,
        thread: ThreadId,
        annotation: Annotation,
        marker: &'static str,
    ) -> Option<CallId> {
        let frame = self.stacks[thread.index()].frames.last();
        let (is_outside, call) = (frame.is_none(), frame.and_then(|frame| frame.call));
        if is_outside {
            self.note_mistake(thread, annotation, SpecificationErrorKind::MarkerOutsideCall { marker });
        }
        call
    }

    /// The current call, and the last operation in it; of an annotated statement, in that.
    fn marked(
        &mut self,
        thread: ThreadId,
        annotation: Annotation,
        marker: &'static str,
    ) -> Option<(CallId, OperationId)> {
        let call = self.current_call(thread, annotation, marker)?;
        let statement =
            annotation.statement.and_then(|statement| self.stacks[thread.index()].statements.get(statement));
        let begin = self.recording.call(call).invocation.position;
        let last = self
            .last_written_operation(thread)
            .filter(|id| self.recording.operation(*id).position > begin)
            .filter(|id| statement.is_none_or(|statement| statement.has(*id)));
        if last.is_none() {
            let kind = match statement {
                Some(statement) if statement.is_excused() => return None,
                Some(_) => SpecificationErrorKind::StatementWithoutOperation { marker },
                None => SpecificationErrorKind::MarkerWithoutOperation { marker },
            };
            self.note_mistake(thread, annotation, kind);
        }
        Some((call, last?))
    }

    /// The last operation of a thread that is written in the program.
    fn last_written_operation(&self, thread: ThreadId) -> Option<OperationId> {
        let last = self.last_operation(thread)?;
        let is_written = |id: &OperationId| {
            let operation = self.recording.operation(*id);
            operation.thread == thread && !operation.place.is_added_fence()
        };
        (0..=last.index()).rev().map(OperationId::new).find(is_written)
    }

    fn add_point(&mut self, call: CallId, operation: OperationId, annotation: Annotation) {
        let points = &mut self.recording.calls[call.index()].points;
        if !points.iter().any(|point| point.operation == operation) {
            points.push(OrderingPoint { operation, marker: annotation.source });
        }
    }
}
