//! A Treiber stack with its specification.

#![allow(dead_code, reason = "each test uses some of it")]

use cdsspec::hint;
use cdsspec::sync::atomic::AtomicPtr;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::ptr::null_mut;

struct Node {
    value: i32,
    next: *mut Node,
}

/// A stack of numbers. `pop` may miss what it is not ordered after. Nodes are leaked: who frees them is not the point here.
pub(crate) struct Stack {
    head: AtomicPtr<Node>,
}

#[cdsspec::spec]
#[declare_state(s: Vec<i32>)]
impl Stack {
    pub(crate) const fn new() -> Self {
        Self { head: AtomicPtr::new(null_mut()) }
    }

    #[side_effect(s.push(value))]
    pub(crate) fn push(&self, value: i32) {
        let mut head = self.head.load(Relaxed);
        loop {
            let node = Box::into_raw(Box::new(Node { value, next: head }));
            #[op_clear_define]
            let linked = self.head.compare_exchange(head, node, AcqRel, Relaxed);
            match linked {
                Ok(_) => return,
                Err(newer) => head = newer,
            }
            hint::spin_loop();
        }
    }

    #[side_effect(if c_ret.is_some() { s.pop() } else { s.last().copied() })]
    #[post_condition(c_ret.is_none() || c_ret == s_ret)]
    #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
    pub(crate) fn pop(&self) -> Option<i32> {
        loop {
            #[op_clear_define]
            let head = self.head.load(Acquire);
            // SAFETY: nodes are never freed; the acquire load, the ordering point, is after the node was linked.
            let node = unsafe { head.as_ref() }?;
            #[op_clear_define]
            let unlinked = self.head.compare_exchange(head, node.next, AcqRel, Relaxed);
            if unlinked.is_ok() {
                return Some(node.value);
            }
            hint::spin_loop();
        }
    }
}
