//! What a run did beside what its recordings have: what a pass checked less than it seems to is told by it.

use crate::record::{OperationName, Place, SourceLocation};
use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

/// What the executions of a run have done so far that is recorded nowhere.
#[derive(Debug, Default)]
pub struct Census {
    has_unspecified_calls: Cell<bool>,
    /// Annotated types of which a method ran that is not annotated, by name, in the order in which they came up.
    used: RefCell<Vec<&'static str>>,
}

impl Census {
    /// A call of an instance of a generic type ran that is not the specified one.
    pub(super) fn note_unspecified_call(&self) {
        self.has_unspecified_calls.set(true);
    }

    /// A method that is not annotated, of an annotated type of this name, ran.
    pub(super) fn note_used(&self, name: &'static str) {
        let mut used = self.used.borrow_mut();
        if !used.contains(&name) {
            used.push(name);
        }
    }

    /// Whether a call of an instance of a generic type ran that is not the specified one.
    pub fn has_unspecified_calls(&self) -> bool {
        self.has_unspecified_calls.get()
    }

    /// How many annotated types [`used`](Self::used) names.
    pub fn used_count(&self) -> usize {
        self.used.borrow().len()
    }

    /// The annotated types of which a method ran that is not annotated, by name.
    pub fn used(&self) -> Vec<&'static str> {
        self.used.borrow().clone()
    }
}

/// An operation that an OS thread which is not of the program did on an object of an execution while that ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutsideUse {
    /// The name of the operation.
    pub operation: OperationName,
    /// Where it stands.
    pub source: SourceLocation,
}

impl OutsideUse {
    pub(super) fn at(place: &Place) -> Self {
        Self { operation: place.name, source: place.source }
    }
}

/// The first one of a run, whichever OS thread notes it.
pub(super) type FirstOutsideUse = OnceLock<OutsideUse>;
