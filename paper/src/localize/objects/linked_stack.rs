//! Stacks that are lists.

use super::arena::Arena;
use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::ptr::null_mut;

struct Node {
    value: i32,
    next: AtomicPtr<Node>,
}

/// What is wrong with a stack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// A push does not look at what its compare-exchange came to.
    PushGuesses,
    /// A pop does not.
    PopIgnores,
}

/// `KStack`, `K-Stack` and `TBStack`: Treiber's stack, in which one of the two methods does not look whether its compare-exchange has won.
///
/// # Source
/// Two stacks of the published benchmarks, where they are called `KStack` and `TreiberStack`. Tables I and II mean the same by `K-Stack` and `KStack`, as section IV does.
///
/// # Fault
/// `KStack`: a `push` that lost takes itself for done if the top node leads to what it saw on top. So does the node of the other `push` that won. Two calls of `push` trigger it: one of the
/// items is lost (type 2). The published one does not look at the compare-exchange at all, and may push a node again that it has pushed: then two threads may push theirs in turns without end. That is left
/// out here.
///
/// `TBStack`: `pop` returns the item that it saw on top, whether it took it or not. Two calls trigger it: two of `pop` return the same item (type 1), or a `pop` beside a `push`
/// returns an item that stays (type 2).
///
/// # Correct
/// Both try again until the compare-exchange wins.
pub(crate) struct LinkedStack {
    top: AtomicPtr<Node>,
    nodes: Arena<Node>,
    fault: Option<Fault>,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(items: Vec<i32>)]
impl LinkedStack {
    fn new(fault: Option<Fault>) -> Self {
        Self { top: AtomicPtr::new(null_mut()), nodes: Arena::new(), fault }
    }

    /// `KStack`.
    pub(crate) fn k_stack() -> Self {
        Self::new(Some(Fault::PushGuesses))
    }

    /// `TBStack`.
    pub(crate) fn tb_stack() -> Self {
        Self::new(Some(Fault::PopIgnores))
    }

    /// Treiber's.
    pub(crate) fn correct() -> Self {
        Self::new(None)
    }

    /// Puts an item on top.
    #[scenario(args(1, 2))]
    #[side_effect(items.push(value))]
    pub(crate) fn push(&self, value: i32) {
        let new = self.nodes.add(Node { value, next: AtomicPtr::new(null_mut()) });
        loop {
            let top = self.top.load(SeqCst);
            self.nodes.at(new).next.store(top, SeqCst);
            let has_won = self.top.compare_exchange(top, new, SeqCst, SeqCst).is_ok();
            if has_won || self.fault == Some(Fault::PushGuesses) && self.looks_done(top) {
                return;
            }
            hint::spin_loop();
        }
    }

    /// Whether the top node leads to what was on top before.
    fn looks_done(&self, before: *mut Node) -> bool {
        let top = self.nodes.get(self.top.load(SeqCst));
        top.is_some_and(|top| top.next.load(SeqCst) == before)
    }

    /// Takes the item from the top, if there is one.
    #[scenario]
    #[side_effect(items.pop())]
    pub(crate) fn pop(&self) -> Option<i32> {
        loop {
            let top = self.top.load(SeqCst);
            let node = self.nodes.get(top)?;
            let next = node.next.load(SeqCst);
            let has_won = self.top.compare_exchange(top, next, SeqCst, SeqCst).is_ok();
            if has_won || self.fault == Some(Fault::PopIgnores) {
                return Some(node.value);
            }
            hint::spin_loop();
        }
    }
}
