//! What both queues are made of.

use cdsspec::sync::atomic::AtomicPtr;
use std::ptr;

/// A node: the value is written before the node is linked, and only read after that.
pub(crate) struct Node {
    pub(crate) value: i32,
    pub(crate) next: AtomicPtr<Node>,
}

impl Node {
    /// A node that is not linked yet.
    pub(crate) fn alloc(value: i32) -> *mut Self {
        Box::into_raw(Box::new(Self { value, next: AtomicPtr::new(ptr::null_mut()) }))
    }

    /// Frees a node and all that are linked behind it.
    ///
    /// # Safety
    /// Nobody else uses them.
    pub(crate) unsafe fn free_all(first: *mut Self) {
        let mut next = first;
        while !next.is_null() {
            // SAFETY: `alloc` made it, and nobody else uses it.
            let mut node = unsafe { Box::from_raw(next) };
            next = *node.next.get_mut();
        }
    }
}
