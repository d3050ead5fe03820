//! The list that the sets with a lock are made of.

use super::arena::Arena;
use cdsspec::sync::atomic::{AtomicBool, AtomicPtr, Ordering::SeqCst};
use std::ptr::null_mut;

/// A node of a list that is sorted by its keys.
pub(super) struct Node {
    pub(super) key: i32,
    pub(super) next: AtomicPtr<Node>,
    /// Whether the node is taken out, or will be; most lists do without.
    pub(super) is_marked: AtomicBool,
}

/// A list that is sorted by its keys. Walks go from node to node without a lock.
pub(super) struct Sorted {
    /// In front of all keys.
    head: Node,
    nodes: Arena<Node>,
}

/// Where a key is, or would be: between a node whose key is smaller and one whose key is not.
pub(super) struct Window<'a> {
    pub(super) before: &'a Node,
    /// A link: null at the end of the list.
    pub(super) next: *mut Node,
    pub(super) node: Option<&'a Node>,
}

impl Window<'_> {
    /// Whether the key is there.
    pub(super) fn has(&self, key: i32) -> bool {
        self.node.is_some_and(|node| node.key == key)
    }

    /// Whether the two nodes are still beside each other.
    pub(super) fn is_whole(&self) -> bool {
        self.before.next.load(SeqCst) == self.next
    }
}

impl Sorted {
    /// An empty list.
    pub(super) fn new() -> Self {
        Self { head: Self::node(i32::MIN, null_mut()), nodes: Arena::new() }
    }

    fn node(key: i32, next: *mut Node) -> Node {
        Node { key, next: AtomicPtr::new(next), is_marked: AtomicBool::new(false) }
    }

    /// Looks for a key.
    pub(super) fn locate(&self, key: i32) -> Window<'_> {
        let mut before = &self.head;
        loop {
            let next = before.next.load(SeqCst);
            match self.nodes.get(next) {
                Some(node) if node.key < key => before = node,
                node => return Window { before, next, node },
            }
        }
    }

    /// Puts a new node with the key in there.
    pub(super) fn insert(&self, window: &Window<'_>, key: i32) {
        window.before.next.store(self.nodes.add(Self::node(key, window.next)), SeqCst);
    }

    /// Whether the node that a link leads to is marked; not so where it leads to none.
    pub(super) fn is_marked(&self, link: *mut Node) -> bool {
        self.nodes.get(link).is_some_and(|node| node.is_marked.load(SeqCst))
    }

    /// How many keys there are.
    pub(super) fn count(&self) -> usize {
        let mut next = self.head.next.load(SeqCst);
        let mut count = 0;
        while let Some(node) = self.nodes.get(next) {
            count += 1;
            next = node.next.load(SeqCst);
        }
        count
    }
}
