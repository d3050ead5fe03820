//! The same queue with a deterministic specification: `deq` returns the front, and is empty only when the state is. It does not hold
//! for every use of the queue, and says for which it does: an empty `deq` must be ordered with every `enq`.

use super::node::Node;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicPtr;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::collections::VecDeque;
use std::ptr;

/// A queue of numbers, as in figure 2.
pub(crate) struct DeterministicQueue {
    head: AtomicPtr<Node>,
    tail: AtomicPtr<Node>,
    first: *mut Node,
}

// SAFETY: nodes are shared, never handed out, and freed only with the queue.
unsafe impl Send for DeterministicQueue {}
// SAFETY: as above; all shared fields are atomics.
unsafe impl Sync for DeterministicQueue {}

#[cdsspec::spec]
#[declare_state(q: VecDeque<i32>)]
#[admit(deq <-> enq, m1.c_ret.is_none())]
impl DeterministicQueue {
    /// An empty queue.
    pub(crate) fn new() -> Self {
        let first = Node::alloc(0);
        Self { head: AtomicPtr::new(first), tail: AtomicPtr::new(first), first }
    }

    /// Appends a number.
    #[side_effect(q.push_back(val))]
    pub(crate) fn enq(&self, val: i32) {
        let node = Node::alloc(val);
        loop {
            // SAFETY: nodes are freed only with the queue.
            let tail = unsafe { &*self.tail.load(Acquire) };
            #[op_define(linked)]
            let linked = tail.next.compare_exchange(ptr::null_mut(), node, Release, Relaxed).is_ok();
            if linked {
                self.tail.store(node, Release);
                return;
            }
            hint::spin_loop();
        }
    }

    /// Takes the oldest number, if the queue is not empty.
    #[side_effect(q.pop_front())]
    pub(crate) fn deq(&self) -> Option<i32> {
        loop {
            let head = self.head.load(Acquire);
            // SAFETY: nodes are freed only with the queue.
            let next_of_head = unsafe { &(*head).next };
            #[op_clear_define]
            let next = next_of_head.load(Acquire);
            // SAFETY: as above.
            let value = unsafe { next.as_ref() }?.value;
            if self.head.compare_exchange(head, next, Release, Relaxed).is_ok() {
                return Some(value);
            }
            hint::spin_loop();
        }
    }
}

impl Drop for DeterministicQueue {
    fn drop(&mut self) {
        // SAFETY: nobody else is left, and every node that is linked is found from the first.
        unsafe { Node::free_all(self.first) };
    }
}
