//! The queue of figure 2 with the non-deterministic specification of figure 6.

use super::node::Node;
use super::seed::{Mistake, Seed};
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicPtr;
use std::collections::VecDeque;
use std::ptr;

/// A queue of numbers. Enqueuers that lose the race for the tail spin until the winner has moved it; dequeuers race for the head.
///
/// `deq` may say that the queue is empty although it is not, but only if no `enq` that is ordered before it explains otherwise.
pub(crate) struct Queue {
    head: AtomicPtr<Node>,
    tail: AtomicPtr<Node>,
    /// The first node there was: from it all are found again.
    first: *mut Node,
    /// The memory orders, so that bugs can be seeded; a queue of your own has them in place, as [`super::deterministic`] does.
    seed: Seed,
}

// SAFETY: nodes are shared, never handed out, and freed only with the queue.
unsafe impl Send for Queue {}
// SAFETY: as above; all shared fields are atomics.
unsafe impl Sync for Queue {}

#[cdsspec::spec]
#[declare_state(q: VecDeque<i32>)]
impl Queue {
    /// An empty queue with this mistake in it, or none.
    pub(crate) fn new(seed: Seed) -> Self {
        let first = Node::alloc(0);
        Self { head: AtomicPtr::new(first), tail: AtomicPtr::new(first), first, seed }
    }

    /// Appends a number.
    #[side_effect(q.push_back(val))]
    pub(crate) fn enq(&self, val: i32) {
        let node = Node::alloc(val);
        loop {
            // SAFETY: nodes are freed only with the queue.
            let tail = unsafe { &*self.tail.load(self.seed.enq_tail_load) };
            #[op_define(linked)]
            let linked = self.link(tail, node);
            if linked {
                self.tail.store(node, self.seed.enq_tail_store);
                return;
            }
            hint::spin_loop();
        }
    }

    /// Takes the oldest number, if the queue is not empty.
    #[side_effect({
        let front = q.front().copied();
        if front.is_some() && c_ret.is_some() {
            q.pop_front();
        }
        front
    })]
    #[post_condition(c_ret.is_none() || c_ret == s_ret)]
    #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
    pub(crate) fn deq(&self) -> Option<i32> {
        loop {
            let head = self.head.load(self.seed.deq_head_load);
            // SAFETY: nodes are freed only with the queue.
            let next_of_head = unsafe { &(*head).next };
            #[op_clear_define]
            let next = next_of_head.load(self.seed.deq_next_load);
            // SAFETY: as above.
            let value = unsafe { next.as_ref() }?.value;
            let success = self.seed.deq_head_exchange;
            if self.head.compare_exchange(head, next, success, self.seed.failure).is_ok() {
                return Some(value);
            }
            hint::spin_loop();
        }
    }

    /// Links a node behind the last one, or where the seeded mistake has it. Whether it did.
    fn link(&self, tail: &Node, node: *mut Node) -> bool {
        let success = self.seed.enq_link_exchange;
        match self.seed.mistake {
            Mistake::None => {
                tail.next.compare_exchange(ptr::null_mut(), node, success, self.seed.failure).is_ok()
            }
            Mistake::LostElement => {
                tail.next.store(node, success);
                true
            }
            Mistake::Lifo => {
                // SAFETY: nodes are freed only with the queue.
                let head = unsafe { &*self.head.load(self.seed.deq_head_load) };
                let next = head.next.load(self.seed.deq_next_load);
                // SAFETY: as above.
                unsafe { &*node }.next.store(next, self.seed.failure);
                head.next.compare_exchange(next, node, success, self.seed.failure).is_ok()
            }
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: nobody else is left, and every node that is linked is found from the first.
        unsafe { Node::free_all(self.first) };
    }
}
