//! Records method calls: which object, which calls are internal, and the ordering points (CDSSpec, section 4.2).

use super::call::ObjectMemory;
use super::{
    CallId, LocationId, MethodCall, MethodId, Moment, Object, ObjectId, OperationId, OrderingPoint, Recorder,
    SourceLocation, SpecificationError, SpecificationErrorKind, ThreadId,
};
use crate::specification::Specification;
use std::any::Any;
use std::rc::Rc;

/// The calls that a thread is in, outermost first.
#[derive(Default)]
pub(super) struct CallStack(Vec<Frame>);

struct Frame {
    /// The call that operations and ordering points here count for: the outermost one on the same object.
    /// None in a call that is not specified, which swallows the annotations in it.
    call: Option<CallId>,
    is_internal: bool,
    /// Potential ordering points by label; the most recent one of each.
    potential: Vec<(&'static str, OperationId)>,
}

/// The memory of each object, in step with `Recording::objects`.
#[derive(Default)]
pub(super) struct CallTables {
    memories: Vec<ObjectMemory>,
}

impl CallTables {
    pub(super) fn clear(&mut self) {
        self.memories.clear();
    }
}

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
    /// A call begins. `is_fresh` tells of an address inside the object whether the location that was seen there is gone, a new
    /// one having been constructed in its place.
    pub fn enter_call(
        &mut self,
        thread: ThreadId,
        entry: CallEntry,
        is_fresh: &dyn Fn(usize) -> bool,
    ) -> CallTicket {
        let object = self.resolve_object(&entry, is_fresh);
        let outer = self.stacks[thread.index()]
            .0
            .iter()
            .filter_map(|frame| frame.call)
            .find(|call| self.recording.calls[call.index()].object == object);
        let call = outer.unwrap_or_else(|| self.new_call(thread, object, entry));
        let stack = &mut self.stacks[thread.index()].0;
        stack.push(Frame { call: Some(call), is_internal: outer.is_some(), potential: Vec::new() });
        CallTicket { thread, depth: stack.len() }
    }

    /// A call that no specification is about begins: it is not recorded, and ordering point annotations in it mean nothing.
    pub fn enter_unspecified_call(&mut self, thread: ThreadId) -> CallTicket {
        let stack = &mut self.stacks[thread.index()].0;
        stack.push(Frame { call: None, is_internal: true, potential: Vec::new() });
        CallTicket { thread, depth: stack.len() }
    }

    /// Takes the record of a call out, for its return value to be added; `None` for an internal call.
    pub fn take_values(&mut self, ticket: CallTicket) -> Option<Rc<dyn Any>> {
        let frame = self.stacks.get(ticket.thread.index())?.0.get(ticket.depth - 1)?;
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

    /// `op_define`: the operation before is an ordering point.
    pub fn op_define(&mut self, thread: ThreadId, marker: SourceLocation) {
        if let Some((call, operation)) = self.marked(thread, marker, "op_define") {
            self.add_point(call, operation, marker);
        }
    }

    /// `op_clear`: forgets the ordering points of this call so far, potential ones too.
    pub fn op_clear(&mut self, thread: ThreadId, marker: SourceLocation) {
        let Some(call) = self.current_call(thread, marker, "op_clear") else { return };
        self.recording.calls[call.index()].points.clear();
        for frame in self.stacks[thread.index()].0.iter_mut().filter(|frame| frame.call == Some(call)) {
            frame.potential.clear();
        }
    }

    /// `op_clear_define`: `op_clear`, then `op_define`.
    pub fn op_clear_define(&mut self, thread: ThreadId, marker: SourceLocation) {
        if let Some((call, operation)) = self.marked(thread, marker, "op_clear_define") {
            self.op_clear(thread, marker);
            self.add_point(call, operation, marker);
        }
    }

    /// `potential_op`: the operation before may turn out to be an ordering point.
    pub fn potential_op(&mut self, thread: ThreadId, marker: SourceLocation, label: &'static str) {
        let Some((call, operation)) = self.marked(thread, marker, "potential_op") else { return };
        let frames = &mut self.stacks[thread.index()].0;
        if let Some(frame) = frames.iter_mut().find(|frame| frame.call == Some(call)) {
            frame.potential.retain(|(known, _)| *known != label);
            frame.potential.push((label, operation));
        }
    }

    /// `op_check`: the most recent potential ordering point with this label is one.
    pub fn op_check(&mut self, thread: ThreadId, marker: SourceLocation, label: &'static str) {
        let Some(call) = self.current_call(thread, marker, "op_check") else { return };
        let frames = &self.stacks[thread.index()].0;
        let found = frames.iter().find(|frame| frame.call == Some(call)).and_then(|frame| {
            frame.potential.iter().find(|(known, _)| *known == label).map(|(_, operation)| *operation)
        });
        if let Some(operation) = found {
            self.add_point(call, operation, marker);
        }
    }

    /// Whether a method call has begun.
    pub(crate) fn has_calls(&self) -> bool {
        !self.recording.calls.is_empty()
    }

    /// A thread touches a location at an address: it may lie inside the object of a call.
    pub fn touch(&mut self, thread: ThreadId, address: usize, location: LocationId) {
        // A recorder that is not in use knows no threads.
        let depths = self.stacks.get(thread.index()).map_or(0, |stack| stack.0.len());
        for depth in 0..depths {
            let Some(call) = self.stacks[thread.index()].0[depth].call else { continue };
            let object = self.recording.calls[call.index()].object;
            let memory = &mut self.calls.memories[object.index()];
            let is_inside = (memory.address..memory.address + memory.size).contains(&address);
            if !is_inside || memory.members.contains(&(address, location)) {
                continue;
            }
            memory.members.retain(|(known, _)| *known != address);
            memory.members.push((address, location));
            self.merge_moved(object, location);
        }
    }

    /// An object that contains a location of another object of the same specification is that object, moved.
    fn merge_moved(&mut self, object: ObjectId, location: LocationId) {
        let specification = self.recording.objects[object.index()].specification;
        let original = (0..object.index()).find(|&index| {
            std::ptr::eq(self.recording.objects[index].specification, specification)
                && self.calls.memories[index].members.iter().any(|(_, member)| *member == location)
        });
        let Some(original) = original else { return };
        let moved = std::mem::take(&mut self.calls.memories[object.index()]);
        self.calls.memories[original] = moved;
        for call in self.recording.calls.iter_mut().filter(|call| call.object == object) {
            call.object = ObjectId::new(original);
        }
    }

    fn resolve_object(&mut self, entry: &CallEntry, is_fresh: &dyn Fn(usize) -> bool) -> ObjectId {
        // The last object at this address: earlier ones there are gone.
        let known = (0..self.recording.objects.len()).rev().find(|&index| {
            let memory = &self.calls.memories[index];
            std::ptr::eq(self.recording.objects[index].specification, entry.specification)
                && (memory.address, memory.size) == (entry.address, entry.size)
        });
        if let Some(index) = known
            && !self.calls.memories[index].members.iter().any(|(address, _)| is_fresh(*address))
        {
            return ObjectId::new(index);
        }
        self.recording.objects.push(Object { specification: entry.specification });
        self.calls.memories.push(ObjectMemory {
            address: entry.address,
            size: entry.size,
            members: Vec::new(),
        });
        ObjectId::new(self.recording.objects.len() - 1)
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

    fn moment(&self, thread: ThreadId, tick: Option<u64>) -> Moment {
        Moment { position: self.position(thread), operation_count: self.recording.operations.len(), tick }
    }

    fn pop(&mut self, ticket: CallTicket) -> Option<Frame> {
        let stack = &mut self.stacks.get_mut(ticket.thread.index())?.0;
        if stack.len() < ticket.depth {
            return None;
        }
        stack.drain(ticket.depth - 1..).next()
    }

    fn current_call(
        &mut self,
        thread: ThreadId,
        marker: SourceLocation,
        name: &'static str,
    ) -> Option<CallId> {
        let frame = self.stacks[thread.index()].0.last();
        let (is_outside, call) = (frame.is_none(), frame.and_then(|frame| frame.call));
        if is_outside {
            let kind = SpecificationErrorKind::MarkerOutsideCall { marker: name };
            self.note_error(SpecificationError { kind, marker, thread });
        }
        call
    }

    /// The current call, and the last operation in it.
    fn marked(
        &mut self,
        thread: ThreadId,
        marker: SourceLocation,
        name: &'static str,
    ) -> Option<(CallId, OperationId)> {
        let call = self.current_call(thread, marker, name)?;
        let begin = self.recording.call(call).invocation.position;
        let last =
            self.last_written_operation(thread).filter(|id| self.recording.operation(*id).position > begin);
        if last.is_none() {
            let kind = SpecificationErrorKind::MarkerWithoutOperation { marker: name };
            self.note_error(SpecificationError { kind, marker, thread });
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

    fn add_point(&mut self, call: CallId, operation: OperationId, marker: SourceLocation) {
        let points = &mut self.recording.calls[call.index()].points;
        if !points.iter().any(|point| point.operation == operation) {
            points.push(OrderingPoint { operation, marker });
        }
    }
}
