//! The non-blocking queue of Michael and Scott (*Simple, fast, and practical non-blocking and blocking concurrent queue algorithms*,
//! PODC 1996), with the memory orders that Norris and Demsky gave it for CDSChecker.
//!
//! A list with a node in front of the first item. Whoever finds `tail` behind the last node moves it on, so that no thread waits for
//! another. Links carry counts, so that nodes may be used again.
//!
//! # Ordering points
//! - `enq`: the compare-exchange on `next` of the last node that won. From then on the item is in the queue. `tail` only follows.
//! - `deq`: the last load of `next` of the first node: it sees the item, and so the `enq` that released it; or it sees none, and
//!   whatever comes before the call must explain that. The compare-exchange on `head` afterwards decides who gets the item.
//!
//! # What is specified
//! A list. Every execution is admissible. A `deq` gets the front. It may say that the queue is empty although it is not, since it
//! may read an old `next`; but some order of the calls that came before it must leave the queue empty.
//!
//! # What is left out
//! - Reclamation: nodes live as long as the queue ([`Pool`]). A queue that [uses nodes again](MsQueue::with_reuse) is the published one.
//!   In Rust, as in C11, that one has a data race: a `deq` that is about to lose may read the value of a node that is being filled
//!   again. Its compare-exchange then fails and it forgets the value, but the race is there, and `reuse_race` shows it.
//! - Items that are not `Copy`, for the same reason: two threads may read an item, of which one takes it.

use super::node::{Link, Node, Pool, count, link, node};
use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicPtr;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
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
        own_next.store(null, if seeded("relaxed_null_store") { Relaxed } else { Release });
        let tail = loop {
            let tail = self.tail.load(Acquire);
            let tail_next = &Self::at(tail).next;
            let next = tail_next.load(Acquire);
            if self.tail.load(Relaxed) != tail {
                continue;
            }
            if node(next).is_null() {
                let to_new = link(new, count(next) + 1);
                #[op_define(linked)]
                let linked = tail_next.compare_exchange(next, to_new, Release, Relaxed).is_ok();
                if linked {
                    break tail;
                }
            }
            // Another node is the last by now: help its thread to move the tail on.
            let next = tail_next.load(Acquire);
            let moved = link(node(next), count(tail) + 1);
            _ = self.tail.compare_exchange(tail, moved, Release, Relaxed);
            hint::spin_loop();
        };
        // If that fails, another thread has moved it on.
        _ = self.tail.compare_exchange(tail, link(new, count(tail) + 1), Release, Relaxed);
    }

    /// Takes the oldest item, if the queue is not empty.
    #[side_effect(c_ret.and_then(|_| q.pop_front()))]
    #[justifying_post_condition(c_ret.is_some() || q.is_empty())]
    pub(crate) fn deq(&self) -> Option<T> {
        loop {
            let head = self.head.load(Acquire);
            let tail = self.tail.load(if seeded("relaxed_tail_load") { Relaxed } else { Acquire });
            #[op_clear_define]
            let next = Self::at(head).next.load(Acquire);
            if self.head.load(Relaxed) != head {
                continue;
            }
            if node(head) == node(tail) {
                if node(next).is_null() {
                    return None;
                }
                let moved = link(node(next), count(tail) + 1);
                _ = self.tail.compare_exchange(tail, moved, Release, Relaxed);
            } else {
                if seeded("says_empty") {
                    return None;
                }
                let value = Self::value(next);
                let moved = link(node(next), count(head) + 1);
                if self.head.compare_exchange(head, moved, Release, Relaxed).is_ok() {
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
