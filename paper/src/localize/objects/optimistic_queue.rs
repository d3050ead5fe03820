//! A queue whose links in one direction are made later.

use super::arena::Arena;
use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::collections::VecDeque;
use std::ptr::null_mut;

struct Node {
    value: i32,
    /// The node that was put in before this one.
    next: AtomicPtr<Node>,
    /// The node that was put in after this one; null until somebody has made the link.
    prev: AtomicPtr<Node>,
}

/// `OPQueue` and `OptimisticQueue`: an item is in the queue as soon as `tail` leads to its node; the links that `dequeue` follows are made later, and by it where they are missing.
///
/// # Source
/// Ladan-Mozes and Shavit, *An optimistic approach to lock-free FIFO queues*, 2004, as in the published benchmarks: without counts, since nodes are not used again.
///
/// # Fault
/// A `dequeue` that has moved `head` on takes the item from the node that `head` leads to then, and not from the one that it moved it to. Two calls of `dequeue` trigger it: both
/// return the second item (type 1).
///
/// # Correct
/// The item is that of the node that the call moved `head` to.
pub(crate) struct OptimisticQueue {
    /// Leads to the node in front of the first item.
    head: AtomicPtr<Node>,
    tail: AtomicPtr<Node>,
    nodes: Arena<Node>,
    reads_again: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(items: VecDeque<i32>)]
impl OptimisticQueue {
    fn new(reads_again: bool) -> Self {
        let nodes = Arena::new();
        let first = nodes.add(Self::node(0));
        Self { head: AtomicPtr::new(first), tail: AtomicPtr::new(first), nodes, reads_again }
    }

    /// As published.
    pub(crate) fn faulty() -> Self {
        Self::new(true)
    }

    /// `dequeue` takes the item that it moved `head` to.
    pub(crate) fn correct() -> Self {
        Self::new(false)
    }

    fn node(value: i32) -> Node {
        Node { value, next: AtomicPtr::new(null_mut()), prev: AtomicPtr::new(null_mut()) }
    }

    /// Appends an item.
    #[scenario(args(1, 2))]
    #[side_effect(items.push_back(value))]
    pub(crate) fn enqueue(&self, value: i32) {
        let new = self.nodes.add(Self::node(value));
        loop {
            let tail = self.tail.load(SeqCst);
            self.nodes.at(new).next.store(tail, SeqCst);
            if self.tail.compare_exchange(tail, new, SeqCst, SeqCst).is_ok() {
                self.nodes.at(tail).prev.store(new, SeqCst);
                return;
            }
            hint::spin_loop();
        }
    }

    /// Takes the oldest item, if there is one.
    #[scenario]
    #[side_effect(items.pop_front())]
    pub(crate) fn dequeue(&self) -> Option<i32> {
        loop {
            let head = self.head.load(SeqCst);
            let tail = self.tail.load(SeqCst);
            let first = self.nodes.at(head).prev.load(SeqCst);
            if self.head.load(SeqCst) == head {
                if head == tail {
                    return None;
                }
                if first.is_null() {
                    self.make_links(tail, head);
                } else if self.head.compare_exchange(head, first, SeqCst, SeqCst).is_ok() {
                    let from = if self.reads_again { self.head.load(SeqCst) } else { first };
                    return Some(self.nodes.at(from).value);
                }
            }
            hint::spin_loop();
        }
    }

    /// Makes the links from `head` to `tail` that are missing. They are the same whoever makes them.
    fn make_links(&self, tail: *mut Node, head: *mut Node) {
        let mut node = tail;
        while node != head && self.head.load(SeqCst) == head {
            let next = self.nodes.at(node).next.load(SeqCst);
            self.nodes.at(next).prev.store(node, SeqCst);
            node = next;
        }
    }
}
