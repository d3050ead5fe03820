//! Treiber's stack (*Systems programming: coping with parallelism*, IBM RJ 5118, 1986), whose nodes are freed later: by the last thread
//! that leaves `pop`, as in Williams' *C++ Concurrency in Action* (section 7.2.2).
//!
//! A list whose first node is swapped by compare-exchange. Who pops may be looking at a node that another thread has just taken out, so
//! that one must not be freed yet. Threads count themselves in and out of `pop`; nodes that were taken out are put on a second list.
//! Who counts itself out as the last one has that list to itself: whoever was in before is out, and whoever comes in finds none of its
//! nodes in the stack.
//!
//! # Ordering points
//! - `push`: the compare-exchange on `head` that won: from then on the item is in the stack.
//! - `pop`: the compare-exchange that won, or the load that saw no node.
//!
//! Both acquire and release, so that all calls that change the stack are ordered. For the items alone a `push` need only release, and a `pop`
//! only acquire with its load. But then two pushes, or a `pop` and the `push` after it, are not ordered by happens-before, and nothing says of
//! which of them a caller may take notice first: the specification has a history for either. That the load of a `pop` acquires is not enough:
//! beside it another thread may push an item and pop it, and then the compare-exchange reads what that `pop` stored, the same node as before.
//!
//! # What is specified
//! A list. Every execution is admissible. A `pop` gets the item that was pushed last. It may say that the stack is empty although it is
//! not, since it may read an old `head`; but some order of the calls that came before it must leave the stack empty.
//!
//! # What is left out
//! If some thread is in `pop` at every moment, nothing is freed: then take hazard pointers or epochs. Counts, against a node that comes back at
//! the same address (the *ABA* problem), are not needed: while a `pop` may compare with an address, no node comes back there; and a `push`
//! looks at nothing of the node that it compares with.

use cdsspec::cell::UnsafeCell;
use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicPtr, AtomicUsize};
use std::ptr;

/// A stack without locks.
pub(crate) struct TreiberStack<T> {
    head: AtomicPtr<Node<T>>,
    /// How many threads are in `pop`.
    poppers: AtomicUsize,
    /// Nodes that were taken out, and that a thread in `pop` may still look at.
    retired: AtomicPtr<Node<T>>,
}

struct Node<T> {
    /// Nothing, once it was taken out.
    item: UnsafeCell<Option<T>>,
    /// The node below. It stays when the node is taken out, as others may be reading it.
    next: UnsafeCell<*mut Node<T>>,
    /// The next one of those that were taken out.
    next_retired: UnsafeCell<*mut Node<T>>,
}

// SAFETY: items move from one thread to another; nodes are of the stack, and freed when no other thread looks at them.
unsafe impl<T: Send> Send for TreiberStack<T> {}
// SAFETY: as above. An item is handed out to one thread, never shared.
unsafe impl<T: Send> Sync for TreiberStack<T> {}

#[cdsspec::spec(instance(T = i32))]
#[declare_state(items: Vec<T>)]
impl<T> TreiberStack<T> {
    /// An empty stack.
    pub(crate) const fn new() -> Self {
        let (head, retired) = (AtomicPtr::new(ptr::null_mut()), AtomicPtr::new(ptr::null_mut()));
        Self { head, poppers: AtomicUsize::new(0), retired }
    }

    /// Puts an item on top.
    #[side_effect(items.push(item))]
    pub(crate) fn push(&self, item: T) {
        let new = Node::alloc(item);
        let order = if seeded("push_is_relaxed") {
            Relaxed
        } else if seeded("push_only_releases") {
            Release
        } else {
            AcqRel
        };
        let mut head = self.head.load(Relaxed);
        loop {
            // SAFETY: nobody else knows the node.
            unsafe { Node::set(&Node::at(new).next, head) };
            let pushed = self.head.compare_exchange_weak(head, new, order, Relaxed);
            cdsspec::op_define!(pushed.is_ok());
            match pushed {
                Ok(_) => return,
                Err(now) => head = now,
            }
            hint::spin_loop();
        }
    }

    /// Takes the item from the top, if there is one.
    #[side_effect(if c_ret.is_some() { items.pop() } else { items.last().copied() })]
    #[post_condition(c_ret.is_none() || c_ret == s_ret)]
    #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
    pub(crate) fn pop(&self) -> Option<T> {
        self.poppers.fetch_add(1, if seeded("enters_relaxed") { Relaxed } else { Acquire });
        let top = self.take_top();
        // SAFETY: this thread took the node out, and others only look at its `next`.
        let item =
            unsafe { top.as_ref() }.and_then(|top| top.item.with_mut(|item| unsafe { (*item).take() }));
        self.leave(top);
        item
    }

    /// Takes the first node out, for a thread that has counted itself in. Null, if there is none.
    fn take_top(&self) -> *mut Node<T> {
        loop {
            #[op_clear_define]
            let head = self.head.load(if seeded("pop_loads_relaxed") { Relaxed } else { Acquire });
            if head.is_null() || seeded("says_empty") {
                return ptr::null_mut();
            }
            // SAFETY: it was in the stack when this thread was counted already, so that it is not freed.
            let next = unsafe { Node::get(&Node::at(head).next) };
            let order = if seeded("pop_does_not_release") {
                Acquire
            } else if seeded("pop_acquires_with_its_load") {
                Release
            } else {
                AcqRel
            };
            #[op_clear_define]
            let taken = self.head.compare_exchange_weak(head, next, order, Relaxed);
            if taken.is_ok() {
                return head;
            }
            hint::spin_loop();
        }
    }

    /// Counts this thread out, and frees what nobody looks at any more: the node that it took out, if any, and those retired before.
    fn leave(&self, top: *mut Node<T>) {
        let mut garbage = self.retired.swap(ptr::null_mut(), Acquire);
        if !top.is_null() && !seeded("forgets_nodes") {
            // SAFETY: it is not freed yet, and only the thread that took it out uses this field.
            unsafe { Node::set(&Node::at(top).next_retired, garbage) };
            garbage = top;
        }
        let order = if seeded("leaves_relaxed") { Relaxed } else { AcqRel };
        if self.poppers.fetch_sub(1, order) == 1 || seeded("frees_at_once") {
            // SAFETY: all who were in `pop` when these nodes were taken out have left it, and this list is this thread's.
            unsafe { Node::free_retired(garbage) };
        } else if !garbage.is_null() {
            self.retire(garbage);
        }
    }

    /// Puts a list of nodes on that of the retired ones.
    fn retire(&self, first: *mut Node<T>) {
        let mut last = first;
        loop {
            // SAFETY: nodes of the list are not freed, and nobody else has it.
            let next = unsafe { Node::get(&Node::at(last).next_retired) };
            if next.is_null() {
                break;
            }
            last = next;
        }
        let mut retired = self.retired.load(Relaxed);
        loop {
            // SAFETY: as above.
            unsafe { Node::set(&Node::at(last).next_retired, retired) };
            match self.retired.compare_exchange_weak(retired, first, Release, Relaxed) {
                Ok(_) => return,
                Err(now) => retired = now,
            }
            hint::spin_loop();
        }
    }
}

impl<T> Node<T> {
    /// A node of which nobody knows.
    fn alloc(item: T) -> *mut Self {
        let (next, next_retired) = (UnsafeCell::new(ptr::null_mut()), UnsafeCell::new(ptr::null_mut()));
        Box::into_raw(Box::new(Self { item: UnsafeCell::new(Some(item)), next, next_retired }))
    }

    /// A node that this thread alone knows, or that was in the stack when it had counted itself in.
    fn at<'a>(node: *mut Self) -> &'a Self {
        // SAFETY: such a node is not freed, and what others write of it is in cells.
        unsafe { &*node }
    }

    /// What a link leads to.
    ///
    /// # Safety
    /// Nobody writes the link meanwhile.
    unsafe fn get(link: &UnsafeCell<*mut Self>) -> *mut Self {
        // SAFETY: the caller promises it.
        link.with(|link| unsafe { *link })
    }

    /// Lets a link lead there.
    ///
    /// # Safety
    /// Nobody else uses the link meanwhile.
    unsafe fn set(link: &UnsafeCell<*mut Self>, node: *mut Self) {
        // SAFETY: the caller promises it.
        link.with_mut(|link| unsafe { *link = node });
    }

    /// Frees a list of nodes that were taken out.
    ///
    /// # Safety
    /// Nobody else has the list, or looks at its nodes.
    unsafe fn free_retired(mut next: *mut Self) {
        while !next.is_null() {
            // SAFETY: `alloc` made it, and the caller promises that nobody uses it.
            next = unsafe { Box::from_raw(next) }.next_retired.into_inner();
        }
    }
}

impl<T> Drop for TreiberStack<T> {
    fn drop(&mut self) {
        let mut next = *self.head.get_mut();
        while !next.is_null() {
            // SAFETY: `alloc` made it, and nobody else is left.
            next = unsafe { Box::from_raw(next) }.next.into_inner();
        }
        // SAFETY: nobody else is left.
        unsafe { Node::free_retired(*self.retired.get_mut()) };
    }
}
