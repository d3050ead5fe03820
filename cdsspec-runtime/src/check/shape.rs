//! Executions of one shape have one verdict: each shape is checked once.

use super::execution::{check_cycle, check_order};
use super::{CheckOptions, ExecutionCheck, check_execution};
use crate::history::Table;
use crate::record::{Ending, MethodCall, MethodId, ObjectId, Recording, ThreadId};
use crate::relation::OrderRelation;
use crate::specification::{KeySupport, Specification};
use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Checks executions, and remembers what came of each shape.
///
/// The shape of an execution is all that its check looks at: the objects' specifications; the calls in order of invocation, each
/// with object, method, thread, recorded values, whether it is pending and whether it has ordering points; and the order r over
/// them. Shapes are compared, not only their hashes. Remembered are executions that ended complete, without a cycle, a mistake
/// of a specification or a fault of memory, and whose recorded values can all be compared; others are checked each time.
pub struct ShapeMemo {
    options: CheckOptions,
    shapes: Table<(Shape, Rc<ExecutionCheck>)>,
}

/// What the check of an execution came to, and whether it had to be made.
#[derive(Clone, Debug)]
pub struct ShapeCheck {
    /// The check. Its ids are those of this execution: a shape numbers the calls.
    pub check: Rc<ExecutionCheck>,
    /// Whether no execution of this shape was seen before. True of all that are not remembered.
    pub is_new: bool,
}

struct Shape {
    objects: Vec<&'static Specification>,
    calls: Vec<ShapeCall>,
    order: OrderRelation,
}

struct ShapeCall {
    outline: Outline,
    key: KeySupport,
    values: Rc<dyn Any>,
}

/// A call without its values.
#[derive(PartialEq, Eq, Hash)]
struct Outline {
    object: ObjectId,
    method: MethodId,
    thread: ThreadId,
    is_pending: bool,
    has_points: bool,
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

    /// Checks an execution, unless one of its shape was checked. Cost, if it was: that of [`OrderRelation::of`], and a hash and a
    /// comparison of the calls and values.
    pub fn check(&mut self, recording: &Recording) -> ShapeCheck {
        let is_new = |check| ShapeCheck { check: Rc::new(check), is_new: true };
        let is_sound = recording.errors.is_empty() && recording.memory_faults.is_empty();
        if !matches!(recording.ending, Ending::Complete) || !is_sound {
            return is_new(check_execution(recording, &self.options));
        }
        let order = match OrderRelation::of(recording) {
            Ok(order) => order,
            Err(cycle) => return is_new(check_cycle(Vec::new(), cycle, &self.options)),
        };
        let Some(hash) = shape_hash(recording, &order) else {
            return is_new(check_order(recording, &order, Vec::new(), &self.options));
        };
        if let Some((_, check)) = self.shapes.find(hash, |(shape, _)| shape.is_of(recording, &order)) {
            return ShapeCheck { check: Rc::clone(check), is_new: false };
        }
        let check = Rc::new(check_order(recording, &order, Vec::new(), &self.options));
        if let Some(shape) = Shape::of(recording, order) {
            self.shapes.insert(hash, (shape, Rc::clone(&check)));
        }
        ShapeCheck { check, is_new: true }
    }
}

impl Shape {
    fn of(recording: &Recording, order: OrderRelation) -> Option<Self> {
        let calls = recording.calls.iter().map(|call| {
            let key = value_key(recording, call)?;
            Some(ShapeCall { outline: Outline::of(call), key, values: Rc::clone(&call.values) })
        });
        let objects = recording.objects.iter().map(|object| object.specification).collect();
        Some(Self { objects, calls: calls.collect::<Option<_>>()?, order })
    }

    /// Whether it is the shape of this execution.
    fn is_of(&self, recording: &Recording, order: &OrderRelation) -> bool {
        let mut objects = self.objects.iter().zip(&recording.objects);
        let mut calls = self.calls.iter().zip(&recording.calls);
        self.objects.len() == recording.objects.len()
            && self.order == *order
            && objects.all(|(mine, theirs)| std::ptr::eq(*mine, theirs.specification))
            && calls.all(|(mine, theirs)| mine.is_of(theirs))
    }
}

impl ShapeCall {
    fn is_of(&self, call: &MethodCall) -> bool {
        // A panic of the user's `Eq` says no: then the execution is checked.
        let is_equal = || (self.key.is_equal)(&*self.values, &*call.values);
        self.outline == Outline::of(call) && catch_unwind(AssertUnwindSafe(is_equal)).unwrap_or(false)
    }
}

impl Outline {
    fn of(call: &MethodCall) -> Self {
        Self {
            object: call.object,
            method: call.method,
            thread: call.thread,
            is_pending: call.is_pending(),
            has_points: !call.points.is_empty(),
        }
    }
}

fn value_key(recording: &Recording, call: &MethodCall) -> Option<KeySupport> {
    recording.specification(call.object).method(call.method).values.key
}

/// A hash of the shape; `None` if some recorded value cannot be compared.
fn shape_hash(recording: &Recording, order: &OrderRelation) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    order.words().hash(&mut hasher);
    for call in &recording.calls {
        let key = value_key(recording, call)?;
        Outline::of(call).hash(&mut hasher);
        let hash_values = || (key.hash)(&*call.values, &mut hasher);
        catch_unwind(AssertUnwindSafe(hash_values)).ok()?;
    }
    Some(hasher.finish())
}
