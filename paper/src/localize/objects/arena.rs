//! Where nodes are.

use std::sync::{Mutex, PoisonError};

/// The nodes of a structure, which live as long as it does: so a thread may look at a node long after another one took it out, as it may where there is a garbage collector.
///
/// The lock is std's own: it guards nothing that an algorithm is about, and is invisible to the checker.
pub(in super::super) struct Arena<N>(Mutex<Vec<*mut N>>);

// SAFETY: the arena owns its nodes, and hands out shared references.
unsafe impl<N: Send + Sync> Send for Arena<N> {}
// SAFETY: as above.
unsafe impl<N: Send + Sync> Sync for Arena<N> {}

impl<N> Arena<N> {
    /// Without nodes.
    pub(in super::super) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Adds a node.
    pub(in super::super) fn add(&self, node: N) -> *mut N {
        let node = Box::into_raw(Box::new(node));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(node);
        node
    }

    /// The node that a link leads to, which was added here; `None` for null.
    pub(in super::super) fn get(&self, link: *mut N) -> Option<&N> {
        // SAFETY: links are null, or come from `add` of this arena, which frees nothing while it is borrowed; nodes are only shared.
        unsafe { link.as_ref() }
    }

    /// The node that a link leads to.
    ///
    /// # Panics
    /// If it is null.
    pub(in super::super) fn at(&self, link: *mut N) -> &N {
        self.get(link).expect("this link always leads to a node")
    }
}

impl<N> Drop for Arena<N> {
    fn drop(&mut self) {
        for node in self.0.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // SAFETY: `add` made it, it is here once, and nobody borrows the arena.
            drop(unsafe { Box::from_raw(node) });
        }
    }
}
