//! Executions of one shape have one verdict: each shape is checked once.

use super::execution::{check_cycle, check_objects, contract_findings};
use super::total::free_calls;
use super::{CheckOptions, ExecutionCheck, check_execution};
use crate::history::Table;
use crate::record::{CallId, Ending, MethodCall, MethodId, ObjectId, Recording, ThreadId};
use crate::relation::OrderRelation;
use crate::specification::{KeySupport, Specification};
use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Checks executions, and remembers what came of each shape.
///
/// The shape of an execution is all that its check looks at: the objects' specifications; the calls of each thread in turn, each
/// with object, method, recorded values, whether it is pending, whether it has ordering points, and whether the total orders of the
/// SeqCst operations order it in several ways; and the order r of each object. In which order the calls of different threads were invoked is no part of it: that depends on how the engine ran. Shapes are
/// compared, not only their hashes. Remembered are executions that ended complete, without a cycle, a mistake
/// of a specification or a fault of memory, and whose recorded values can all be compared; others are checked each time.
pub struct ShapeMemo {
    options: CheckOptions,
    shapes: Table<(Shape, Rc<ExecutionCheck>)>,
}

/// What the check of an execution came to, and whether it had to be made.
#[derive(Clone, Debug)]
pub struct ShapeCheck {
    /// The check. Its ids are those of the first execution of the shape.
    pub check: Rc<ExecutionCheck>,
    /// Whether no execution of this shape was seen before. True of all that are not remembered.
    pub is_new: bool,
}

struct Shape {
    objects: Vec<&'static Specification>,
    calls: Vec<ShapeCall>,
    /// Over the calls in this order.
    order: Vec<usize>,
}

/// An execution, in the terms of a shape.
struct View<'a> {
    recording: &'a Recording,
    /// The calls of each thread in turn.
    calls: Vec<&'a MethodCall>,
    /// The objects, as they come up in these calls; then those without a call.
    objects: Vec<ObjectId>,
    order: Vec<usize>,
    /// The free calls, ascending.
    free: Vec<CallId>,
}

struct ShapeCall {
    outline: Outline,
    key: KeySupport,
    values: Rc<dyn Any>,
}

/// A call without its values.
#[derive(PartialEq, Eq, Hash)]
struct Outline {
    /// Its number among the objects of the view.
    object: usize,
    method: MethodId,
    thread: ThreadId,
    is_pending: bool,
    has_points: bool,
    /// Whether the total orders of the SeqCst operations order it in several ways, and that matters.
    is_free: bool,
}

impl ShapeMemo {
    /// Remembers nothing yet.
    pub fn new(options: CheckOptions) -> Self {
        Self { options, shapes: Table::default() }
    }

    /// How many shapes are remembered.
    pub fn shape_count(&self) -> usize {
        self.shapes.len()
    }

    /// Forgets all shapes.
    pub fn clear(&mut self) {
        self.shapes = Table::default();
    }

    /// Checks an execution, unless one of its shape was checked. Cost, if it was: that of [`OrderRelation::of_objects`], and a hash and a
    /// comparison of the calls and values.
    pub fn check(&mut self, recording: &Recording) -> ShapeCheck {
        let is_new = |check| ShapeCheck { check: Rc::new(check), is_new: true };
        let is_sound = recording.errors.is_empty() && recording.memory_faults.is_empty();
        if !matches!(recording.ending, Ending::Complete) || !is_sound {
            return is_new(check_execution(recording, &self.options));
        }
        // A shape says nothing of contracts.
        if !contract_findings(recording, &self.options).is_empty() {
            return is_new(check_execution(recording, &self.options));
        }
        let relations = match OrderRelation::of_objects(recording) {
            Ok(relations) => relations,
            Err(cycle) => return is_new(check_cycle(Vec::new(), cycle, &self.options)),
        };
        let view = View::of(recording, &relations, &self.options);
        let Some(hash) = view.hash() else {
            return is_new(check_objects(recording, &relations, Vec::new(), &self.options));
        };
        if let Some((_, check)) = self.shapes.find(hash, |(shape, _)| shape.is_of(&view)) {
            return ShapeCheck { check: Rc::clone(check), is_new: false };
        }
        let check = Rc::new(check_objects(recording, &relations, Vec::new(), &self.options));
        if let Some(shape) = Shape::of(view) {
            self.shapes.insert(hash, (shape, Rc::clone(&check)));
        }
        ShapeCheck { check, is_new: true }
    }
}

impl<'a> View<'a> {
    /// Cost: O(calls²).
    fn of(recording: &'a Recording, relations: &[OrderRelation], options: &CheckOptions) -> Self {
        let mut calls: Vec<&MethodCall> = recording.calls.iter().collect();
        // The sort is stable: those of one thread stay in order of invocation.
        calls.sort_by_key(|call| call.thread);
        let mut objects = Vec::with_capacity(recording.objects.len());
        let without_calls = (0..recording.objects.len()).map(ObjectId::new);
        for object in calls.iter().map(|call| call.object).chain(without_calls) {
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
        let order = OrderRelation::words_of(relations, &calls);
        let of_object = |(index, relation)| free_calls(recording, (ObjectId::new(index), relation), options);
        let mut free: Vec<CallId> = relations.iter().enumerate().flat_map(of_object).collect();
        free.sort_unstable();
        Self { recording, calls, objects, order, free }
    }

    fn outlines(&self) -> impl Iterator<Item = Outline> {
        self.calls.iter().map(|call| Outline {
            object: self.objects.iter().position(|&object| object == call.object).expect("all are there"),
            method: call.method,
            thread: call.thread,
            is_pending: call.is_pending(),
            has_points: !call.points.is_empty(),
            is_free: self.free.binary_search(&call.id).is_ok(),
        })
    }

    fn specifications(&self) -> impl Iterator<Item = &'static Specification> {
        self.objects.iter().map(|&object| self.recording.specification(object))
    }

    fn value_key(&self, call: &MethodCall) -> Option<KeySupport> {
        self.recording.specification(call.object).method(call.method).values.key
    }

    /// A hash of the shape; `None` if some recorded value cannot be compared.
    fn hash(&self) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        self.order.hash(&mut hasher);
        for (call, outline) in self.calls.iter().zip(self.outlines()) {
            let key = self.value_key(call)?;
            outline.hash(&mut hasher);
            let hash_values = || (key.hash)(&*call.values, &mut hasher);
            catch_unwind(AssertUnwindSafe(hash_values)).ok()?;
        }
        Some(hasher.finish())
    }
}

impl Shape {
    fn of(view: View<'_>) -> Option<Self> {
        let calls = view.calls.iter().zip(view.outlines()).map(|(call, outline)| {
            Some(ShapeCall { outline, key: view.value_key(call)?, values: Rc::clone(&call.values) })
        });
        Some(Self {
            objects: view.specifications().collect(),
            calls: calls.collect::<Option<_>>()?,
            order: view.order,
        })
    }

    /// Whether it is the shape of this execution.
    fn is_of(&self, view: &View<'_>) -> bool {
        let mut objects = self.objects.iter().zip(view.specifications());
        let mut calls = self.calls.iter().zip(view.calls.iter().zip(view.outlines()));
        self.objects.len() == view.objects.len()
            && self.calls.len() == view.calls.len()
            && self.order == view.order
            && objects.all(|(mine, theirs)| std::ptr::eq(*mine, theirs))
            && calls.all(|(mine, (call, outline))| mine.is_of(call, &outline))
    }
}

impl ShapeCall {
    fn is_of(&self, call: &MethodCall, outline: &Outline) -> bool {
        // A panic of the user's `Eq` says no: then the execution is checked.
        let is_equal = || (self.key.is_equal)(&*self.values, &*call.values);
        self.outline == *outline && catch_unwind(AssertUnwindSafe(is_equal)).unwrap_or(false)
    }
}
