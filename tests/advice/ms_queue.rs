//! The queue of the example `ms_queue`, written with `Relaxed` everywhere.

use crate::node::{Link, Node, Pool, count, link, node};
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicPtr;
use cdsspec::sync::atomic::Ordering::Relaxed;
use std::collections::VecDeque;
use std::ptr;

/// A queue without locks.
pub(crate) struct MsQueue<T> {
    /// Leads to the node in front of the first item.
    head: AtomicPtr<Node<T>>,
    /// Leads to the last node, or to one before it.
    tail: AtomicPtr<Node<T>>,
    nodes: Pool<T>,
}

// SAFETY: nodes are shared, never handed out, and freed only with the queue; items are `Copy`, and move between threads.
unsafe impl<T: Copy + Send> Send for MsQueue<T> {}
// SAFETY: as above. The value of a node is written before the node is linked, and only read after that.
unsafe impl<T: Copy + Send> Sync for MsQueue<T> {}

#[cdsspec::spec(instance(T = i32))]
#[declare_state(q: VecDeque<T>)]
impl<T: Copy + Default> MsQueue<T> {
    /// An empty queue.
    pub(crate) fn new() -> Self {
        Self::over(Pool::new(false))
    }

    /// An empty queue in which a thread uses the nodes again that it took out.
    pub(crate) fn with_reuse() -> Self {
        Self::over(Pool::new(true))
    }

    fn over(nodes: Pool<T>) -> Self {
        let first = nodes.take(T::default());
        Self { head: AtomicPtr::new(first), tail: AtomicPtr::new(first), nodes }
    }

    /// Appends an item.
    #[side_effect(q.push_back(value))]
    pub(crate) fn enq(&self, value: T) {
        let new = self.nodes.take(value);
        // SAFETY: nodes are freed only with the queue.
        let own_next = unsafe { &(*new).next };
        let old = own_next.load(Relaxed);
        let null = link(ptr::null_mut(), count(old) + 1);
        own_next.store(null, Relaxed);
        let tail = loop {
            let tail = self.tail.load(Relaxed);
            let tail_next = &Self::at(tail).next;
            let next = tail_next.load(Relaxed);
            if self.tail.load(Relaxed) != tail {
                continue;
            }
            if node(next).is_null() {
                let to_new = link(new, count(next) + 1);
                #[op_define(linked)]
                let linked = tail_next.compare_exchange(next, to_new, Relaxed, Relaxed).is_ok();
                if linked {
                    break tail;
                }
            }
            // Another node is the last by now: help its thread to move the tail on.
            let next = tail_next.load(Relaxed);
            let moved = link(node(next), count(tail) + 1);
            _ = self.tail.compare_exchange(tail, moved, Relaxed, Relaxed);
            hint::spin_loop();
        };
        // If that fails, another thread has moved it on.
        _ = self.tail.compare_exchange(tail, link(new, count(tail) + 1), Relaxed, Relaxed);
    }

    /// Takes the oldest item, if the queue is not empty.
    #[side_effect(if c_ret.is_some() { q.pop_front() } else { q.front().copied() })]
    #[post_condition(c_ret.is_none() || c_ret == s_ret)]
    #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
    pub(crate) fn deq(&self) -> Option<T> {
        loop {
            let head = self.head.load(Relaxed);
            let tail = self.tail.load(Relaxed);
            #[op_clear_define]
            let next = Self::at(head).next.load(Relaxed);
            if self.head.load(Relaxed) != head {
                continue;
            }
            if node(head) == node(tail) {
                if node(next).is_null() {
                    return None;
                }
                let moved = link(node(next), count(tail) + 1);
                _ = self.tail.compare_exchange(tail, moved, Relaxed, Relaxed);
            } else {
                let value = Self::value(next);
                let moved = link(node(next), count(head) + 1);
                if self.head.compare_exchange(head, moved, Relaxed, Relaxed).is_ok() {
                    self.nodes.give_back(node(head));
                    return Some(value);
                }
            }
            hint::spin_loop();
        }
    }

    /// The node that `head` or `tail` leads to.
    fn at<'a>(link: Link<T>) -> &'a Node<T> {
        // SAFETY: nodes are freed only with the queue.
        unsafe { node(link).as_ref() }.expect("head and tail lead to nodes")
    }

    /// The value of the node behind `head`. There is one, as `tail` is not at `head`; with an order too weak there may be none, and then
    /// the value is a wrong one.
    fn value(next: Link<T>) -> T {
        // SAFETY: nodes are freed only with the queue.
        let next = unsafe { node(next).as_ref() };
        // SAFETY: the value was written before the node was linked, which the load of the link acquired.
        next.map_or_else(T::default, |next| next.value.with(|value| unsafe { *value }))
    }
}
