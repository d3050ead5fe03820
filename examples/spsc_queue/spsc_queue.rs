//! A queue of one producer and one consumer that waits while it is empty, after Vyukov's (in the tests of Relacy): a list, and an event
//! count to wait on.
//!
//! # Ordering points
//! - `enqueue`: the store of `next` in the last node, which releases the item.
//! - `dequeue`: the last load of `next` in the first node, which acquires it.
//!
//! # What is specified
//! A list, of which `dequeue` gets the front. Every execution is admissible, and no call may do anything at will: one producer and one
//! consumer are all that the types allow. (The specification that the paper's authors released pops only when nothing was returned,
//! which is the wrong way round.)
//!
//! # What is left out
//! More than one producer or consumer. A node is freed by the consumer when it has acquired the link to the next one: after that link
//! the producer does not touch it.

use super::event_count::EventCount;
use cdsspec::cell::UnsafeCell;
use cdsspec::example::seeded;
use cdsspec::sync::atomic::AtomicPtr;
use cdsspec::sync::atomic::Ordering::{Acquire, Release, SeqCst};
use std::collections::VecDeque;
use std::ptr;

/// A queue, to be split into its two ends.
pub(crate) struct SpscQueue<T> {
    /// The node in front of the first item.
    first: *mut Node<T>,
    last: *mut Node<T>,
    /// An item was put in.
    event: EventCount,
}

/// The end where items go in.
pub(crate) struct Producer<'q, T> {
    last: &'q mut *mut Node<T>,
    event: &'q EventCount,
}

/// The end where items come out.
pub(crate) struct Consumer<'q, T> {
    first: &'q mut *mut Node<T>,
    event: &'q EventCount,
}

struct Node<T> {
    /// Nothing in the first node: its item was taken.
    item: UnsafeCell<Option<T>>,
    next: AtomicPtr<Node<T>>,
}

// SAFETY: items move from one thread to another; nodes are of the queue.
unsafe impl<T: Send> Send for SpscQueue<T> {}
// SAFETY: as above. The producer alone uses the last node, but for the link to the next one, which is atomic.
unsafe impl<T: Send> Send for Producer<'_, T> {}
// SAFETY: as above. The consumer alone uses the nodes before the last one, and of the last one the link.
unsafe impl<T: Send> Send for Consumer<'_, T> {}

/// The items that went in and did not come out.
#[cdsspec::specification]
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
struct Items(VecDeque<i32>);

impl<T> SpscQueue<T> {
    /// An empty queue.
    pub(crate) fn new() -> Self {
        let first = Node::alloc(None);
        Self { first, last: first, event: EventCount::new() }
    }

    /// Its two ends.
    pub(crate) fn split(&mut self) -> (Producer<'_, T>, Consumer<'_, T>) {
        let Self { first, last, event } = self;
        (Producer { last, event }, Consumer { first, event })
    }
}

#[cdsspec::spec(for = Items, object = self.event, instance(T = i32))]
impl<T> Producer<'_, T> {
    /// Puts an item in.
    #[side_effect(state.0.push_back(item))]
    pub(crate) fn enqueue(&mut self, item: T) {
        let node = Node::alloc(Some(item));
        // SAFETY: nobody else knows the node.
        let next = unsafe { &(*node).next };
        next.store(ptr::null_mut(), SeqCst);
        // SAFETY: the last node is not freed.
        let last = unsafe { &**self.last };
        #[op_define]
        last.next.store(node, Release);
        *self.last = node;
        self.event.signal();
    }
}

#[cdsspec::spec(for = Items, object = self.event, instance(T = i32))]
impl<T> Consumer<'_, T> {
    /// Takes the oldest item out; waits until there is one.
    #[side_effect(state.0.pop_front())]
    #[post_condition(Some(c_ret) == s_ret)]
    pub(crate) fn dequeue(&mut self) -> T {
        loop {
            if let Some(item) = self.try_dequeue() {
                return item;
            }
            let seen = self.event.get();
            if let Some(item) = self.try_dequeue() {
                return item;
            }
            self.event.wait(seen);
        }
    }

    fn try_dequeue(&mut self) -> Option<T> {
        let first = *self.first;
        // SAFETY: the consumer frees nodes, and has not freed this one.
        let next_of_first = unsafe { &(*first).next };
        #[op_clear_define]
        let next = next_of_first.load(Acquire);
        // SAFETY: as above.
        let node = unsafe { next.as_ref() }?;
        if seeded("swaps_two_items") {
            node.swap_with_next();
        }
        *self.first = next;
        // SAFETY: the producer has written the item, and does not use the node any more but for its link.
        let item = node.item.with_mut(|item| unsafe { (*item).take() });
        // SAFETY: `alloc` made it, and the producer has not used it since it stored the link to the next one, which was acquired.
        drop(unsafe { Box::from_raw(first) });
        item
    }
}

impl<T> Node<T> {
    /// A node of which nobody knows.
    fn alloc(item: Option<T>) -> *mut Self {
        let next = AtomicPtr::new(ptr::null_mut());
        Box::into_raw(Box::new(Self { item: UnsafeCell::new(item), next }))
    }

    /// Swaps its item with that of the next node, if there is one: a bug, for the consumer.
    fn swap_with_next(&self) {
        let next = self.next.load(Acquire);
        // SAFETY: the consumer frees nodes, and has not freed this one.
        if let Some(next) = unsafe { next.as_ref() } {
            let swap = |ours, theirs| {
                // SAFETY: both nodes are published, and the producer does not use their items any more.
                unsafe { ptr::swap(ours, theirs) }
            };
            self.item.with_mut(|ours| next.item.with_mut(|theirs| swap(ours, theirs)));
        }
    }
}

impl<T> Drop for SpscQueue<T> {
    fn drop(&mut self) {
        let mut next = self.first;
        while !next.is_null() {
            // SAFETY: `alloc` made it, and nobody else is left.
            let mut node = unsafe { Box::from_raw(next) };
            next = *node.next.get_mut();
        }
    }
}
