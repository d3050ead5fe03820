//! An instrumented object, as the operations of its type see it.

use crate::port::{Access, LocationHint, Port, note_outside_use, with};
use crate::record::{Place, ValueKind};
use std::sync::atomic::Ordering;

/// The object that an operation is about.
pub(crate) struct Target<'a> {
    pub(crate) hint: &'a LocationHint,
    pub(crate) kind: ValueKind,
    /// Its constructed value.
    pub(crate) initial: u64,
}

impl<'a> Target<'a> {
    /// The word of a lock, which starts at 0: who acquires it by a read-modify-write has it, until it releases it.
    pub(crate) fn lock(hint: &'a LocationHint) -> Self {
        Self { kind: ValueKind::Lock, ..Self::internal(hint) }
    }

    /// The word of another blocking type, which starts at 0.
    pub(crate) fn internal(hint: &'a LocationHint) -> Self {
        Self { hint, kind: ValueKind::Internal, initial: 0 }
    }

    /// Does an operation on the location of this object; `None` outside an execution.
    pub(crate) fn access<R>(
        &self,
        place: Place,
        order: Ordering,
        operation: impl FnOnce(&dyn Port, Access) -> R,
    ) -> Option<R> {
        let result = with(|execution| {
            let location = execution.locate_for_operation(self.hint, self.kind, || self.initial);
            operation(execution.port(), Access { place, location, order })
        });
        if result.is_none() {
            note_outside_use(&place, self.hint);
        }
        result
    }

    /// The newest value without an operation; `None` if the current execution has not used the object.
    pub(crate) fn peek(&self) -> Option<u64> {
        with(|execution| execution.find(self.hint).map(|location| execution.port().peek(location))).flatten()
    }
}
