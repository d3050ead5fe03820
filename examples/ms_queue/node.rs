//! Nodes, links with a count in them, and where nodes come from.

use cdsspec::cell::UnsafeCell;
use cdsspec::sync::atomic::AtomicPtr;
use cdsspec::thread::{self, ThreadId};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A node. Its alignment leaves the low bits of a link to it free for a count.
#[repr(align(64))]
pub(crate) struct Node<T> {
    pub(crate) value: UnsafeCell<T>,
    pub(crate) next: AtomicPtr<Node<T>>,
}

/// A link: the address of a node, or null, and a count in its low bits. It is made anew with a higher count whenever a node is put in
/// place of another, so that a compare-exchange notices if a node left and came back (the *ABA* problem).
pub(crate) type Link<T> = *mut Node<T>;

const COUNT: usize = 63;

/// A link to a node, or to none, with this count.
pub(crate) fn link<T>(node: *mut Node<T>, count: usize) -> Link<T> {
    node.map_addr(|address| address | (count & COUNT))
}

/// The node that a link leads to, or null.
pub(crate) fn node<T>(link: Link<T>) -> *mut Node<T> {
    link.map_addr(|address| address & !COUNT)
}

/// The count of a link.
pub(crate) fn count<T>(link: Link<T>) -> usize {
    link.addr() & COUNT
}

/// All nodes of a queue. They live as long as the queue does, since a thread may look at a node long after another took it out.
///
/// This stands where a queue of yours has its scheme of reclamation, such as epochs or hazard pointers. The lock is std's own: it
/// guards nothing that the algorithm is about, and is invisible to the checker.
pub(crate) struct Pool<T> {
    has_reuse: bool,
    nodes: Mutex<Nodes<T>>,
}

struct Nodes<T> {
    all: Vec<*mut Node<T>>,
    /// Those that were taken out, and the threads that did.
    spare: Vec<(ThreadId, *mut Node<T>)>,
}

impl<T> Pool<T> {
    /// A pool. With reuse, a thread fills the nodes again that it gave back.
    pub(crate) fn new(has_reuse: bool) -> Self {
        Self { has_reuse, nodes: Mutex::new(Nodes { all: Vec::new(), spare: Vec::new() }) }
    }

    /// A node with this value, which nobody else puts anywhere. Its `next` is null at first, and what it was in one that is used again.
    pub(crate) fn take(&self, value: T) -> *mut Node<T> {
        let me = self.has_reuse.then(|| thread::current().id());
        let mut nodes = self.nodes();
        if let Some(index) = nodes.spare.iter().position(|(thread, _)| Some(*thread) == me) {
            let (_, node) = nodes.spare.remove(index);
            drop(nodes);
            // SAFETY: nodes live as long as the pool.
            let cell = unsafe { &(*node).value };
            // SAFETY: this thread took the node out, and nobody else may write to it.
            cell.with_mut(|old| unsafe { *old = value });
            return node;
        }
        let next = AtomicPtr::new(ptr::null_mut());
        let node = Box::into_raw(Box::new(Node { value: UnsafeCell::new(value), next }));
        nodes.all.push(node);
        node
    }

    /// Gives back a node that was taken out of the queue by this thread.
    pub(crate) fn give_back(&self, node: *mut Node<T>) {
        if self.has_reuse {
            let me = thread::current().id();
            self.nodes().spare.push((me, node));
        }
    }

    fn nodes(&self) -> MutexGuard<'_, Nodes<T>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Pool<T> {
    fn drop(&mut self) {
        for node in self.nodes().all.drain(..) {
            // SAFETY: `take` made it, it is here once, and nobody else is left.
            drop(unsafe { Box::from_raw(node) });
        }
    }
}
