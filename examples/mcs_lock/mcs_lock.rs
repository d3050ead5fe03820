//! The list lock of Mellor-Crummey and Scott (*Algorithms for scalable synchronization on shared-memory multiprocessors*, TOCS 9(1),
//! 1991): each thread waits on a node of its own, and the one before it opens its gate.
//!
//! # Ordering points
//! - `lock`: the exchange of `tail`, if nobody was there; it acquires what the last `unlock` released to `tail`. Otherwise the last
//!   load of the own gate, which acquires what the `unlock` that opened it released.
//! - `unlock`: the compare-exchange that set `tail` back to null, if it won; otherwise the store that opens the gate of the next one.
//!
//! # What is specified
//! The lock is held or not. Every execution is admissible: two critical sections without an order between them have a sequential
//! history in which the second `lock` finds the lock held, so missing synchronisation shows as a violation.
//!
//! # What is left out
//! A guard and the data behind it. Nodes are the callers', and outlive the lock; a thread may use its node again when it has unlocked.

use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicBool, AtomicPtr};
use std::marker::PhantomData;
use std::ptr;

/// A lock that is fair, and whose waiters do not disturb each other.
pub(crate) struct McsLock<'n> {
    /// The node of the last thread in the list, or null.
    tail: AtomicPtr<Node>,
    nodes: PhantomData<&'n Node>,
}

/// What a thread waits with.
#[derive(Default)]
pub(crate) struct Node {
    /// The node of the thread that comes next.
    next: AtomicPtr<Node>,
    is_closed: AtomicBool,
}

#[cdsspec::spec]
#[declare_state(is_held: bool)]
impl<'n> McsLock<'n> {
    /// A lock that is free.
    pub(crate) fn new() -> Self {
        Self { tail: AtomicPtr::new(ptr::null_mut()), nodes: PhantomData }
    }

    /// Waits until the lock is free, and takes it. Nobody else uses the node until the caller unlocks with it.
    #[pre_condition(!*is_held)]
    #[side_effect(*is_held = true)]
    pub(crate) fn lock(&self, node: &'n Node) {
        node.next.store(ptr::null_mut(), Relaxed);
        node.is_closed.store(true, Relaxed);
        #[op_define(before.is_null())]
        let before = self.tail.swap(ptr::from_ref(node).cast_mut(), AcqRel);
        // SAFETY: nodes outlive the lock.
        let Some(before) = (unsafe { before.as_ref() }) else { return };
        before.next.store(ptr::from_ref(node).cast_mut(), Release);
        loop {
            #[op_define(!is_closed)]
            let is_closed = node.is_closed.load(Acquire);
            if !is_closed || seeded("enters_out_of_turn") {
                return;
            }
            hint::spin_loop();
        }
    }

    /// Frees the lock, which the caller must hold with this node.
    #[pre_condition(*is_held)]
    #[side_effect(*is_held = false)]
    pub(crate) fn unlock(&self, node: &'n Node) {
        let mut next = node.next.load(Acquire);
        if next.is_null() {
            let me = ptr::from_ref(node).cast_mut();
            #[op_define(is_free)]
            let is_free = self.tail.compare_exchange(me, ptr::null_mut(), Release, Relaxed).is_ok();
            if is_free {
                return;
            }
            // A thread has put itself behind this one, and is about to say so.
            loop {
                next = node.next.load(Acquire);
                if !next.is_null() {
                    break;
                }
                hint::spin_loop();
            }
        }
        // SAFETY: nodes outlive the lock, and `next` is not null.
        let next = unsafe { &*next };
        #[op_define]
        next.is_closed.store(false, Release);
    }
}
