//! Objects that a program is to end: `Arc`s, and what it says so of. Counted without the allocator.

use crate::record::SourceLocation;
use std::cell::RefCell;

/// An object: what it is called, and where it was made.
pub(crate) type LeftObject = (&'static str, SourceLocation);

/// The objects that an execution has made, in the order in which they were made; `None` for those that have ended.
#[derive(Default)]
pub(crate) struct LeftObjects(RefCell<Vec<Option<LeftObject>>>);

impl LeftObjects {
    pub(super) fn forget(&self) {
        self.0.borrow_mut().clear();
    }

    /// An object is made; its number.
    pub(crate) fn add(&self, made: LeftObject) -> usize {
        let mut objects = self.0.borrow_mut();
        objects.push(Some(made));
        objects.len() - 1
    }

    /// The object with this number has ended.
    pub(crate) fn remove(&self, number: usize) {
        if let Some(object) = self.0.borrow_mut().get_mut(number) {
            *object = None;
        }
    }

    /// The first that is left, and how many are.
    pub(crate) fn left(&self) -> Option<(LeftObject, usize)> {
        let objects = self.0.borrow();
        let first = objects.iter().flatten().next()?;
        Some((*first, objects.iter().flatten().count()))
    }
}
