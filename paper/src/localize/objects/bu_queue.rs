//! The queue in which nothing was found.

use super::arena::Arena;
use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::collections::VecDeque;
use std::ptr::null_mut;

struct Node {
    value: i32,
    next: AtomicPtr<Node>,
}

/// `BUQueue`: the queue of Michael and Scott, whose `enqueue` does not look whether `tail` is still what it was.
///
/// # Source
/// The queue of the published benchmarks whose faults were unknown, after Herlihy and Shavit, *The Art of Multiprocessor Programming*, chapter 10.5.
///
/// # No fault
/// The check that is left out saves work and nothing else, where nodes are not used again: a node that has a next one keeps it, so a compare-exchange of a null link makes its node the
/// last one of the queue, whatever `tail` is meanwhile. No version of the paper finds anything.
pub(crate) struct BuQueue {
    /// Leads to the node in front of the first item.
    head: AtomicPtr<Node>,
    /// Leads to the last node, or to one before it.
    tail: AtomicPtr<Node>,
    nodes: Arena<Node>,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(items: VecDeque<i32>)]
impl BuQueue {
    /// An empty queue.
    pub(crate) fn new() -> Self {
        let nodes = Arena::new();
        let first = nodes.add(Node { value: 0, next: AtomicPtr::new(null_mut()) });
        Self { head: AtomicPtr::new(first), tail: AtomicPtr::new(first), nodes }
    }

    /// Appends an item.
    #[scenario(args(1, 2))]
    #[side_effect(items.push_back(value))]
    pub(crate) fn enqueue(&self, value: i32) {
        let new = self.nodes.add(Node { value, next: AtomicPtr::new(null_mut()) });
        loop {
            let last = self.tail.load(SeqCst);
            let link = &self.nodes.at(last).next;
            let next = link.load(SeqCst);
            if !next.is_null() {
                _ = self.tail.compare_exchange(last, next, SeqCst, SeqCst);
            } else if link.compare_exchange(null_mut(), new, SeqCst, SeqCst).is_ok() {
                _ = self.tail.compare_exchange(last, new, SeqCst, SeqCst);
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
            let first = self.head.load(SeqCst);
            let last = self.tail.load(SeqCst);
            let next = self.nodes.at(first).next.load(SeqCst);
            if self.head.load(SeqCst) == first {
                if first != last {
                    let value = self.nodes.at(next).value;
                    if self.head.compare_exchange(first, next, SeqCst, SeqCst).is_ok() {
                        return Some(value);
                    }
                } else if next.is_null() {
                    return None;
                } else {
                    _ = self.tail.compare_exchange(last, next, SeqCst, SeqCst);
                }
            }
            hint::spin_loop();
        }
    }
}
