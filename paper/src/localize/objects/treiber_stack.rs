//! A stack whose nodes come back.

use super::arena::Arena;
use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicI32, AtomicPtr, Ordering::SeqCst};
use cdsspec::thread::{self, ThreadId};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

struct Node {
    value: AtomicI32,
    next: AtomicPtr<Node>,
}

/// A node that was taken out, by its address.
struct Spare(ThreadId, *mut Node);

// SAFETY: it is a link into the arena beside it, which is shared between threads.
unsafe impl Send for Spare {}

/// `TreiberStack` of table I: Treiber's stack, in which a thread uses the nodes again that it took out, the oldest first.
///
/// # Source
/// Treiber, *Systems programming: coping with parallelism*, 1986; the fault as in Bouajjani, Emmi, Enea and Hamza, *Tractable refinement checking for concurrent objects*, 2015.
///
/// # Fault
/// The *ABA* problem: a `pop` looks at the top node and at the one below it. Beside it it takes three calls: two of `pop` take both out, and a `push` puts the first one back. The
/// compare-exchange of the slow `pop` then wins, and what is on top is a node that was taken out: its item is popped once more, later (type 2).
///
/// # Correct
/// Nodes are not used again.
pub(crate) struct TreiberStack {
    top: AtomicPtr<Node>,
    nodes: Arena<Node>,
    /// The nodes that threads have taken out, where they are used again; the lock is as invisible as the arena's.
    spare: Option<Mutex<Vec<Spare>>>,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(items: Vec<i32>)]
impl TreiberStack {
    /// Whose nodes are used again.
    pub(crate) fn faulty() -> Self {
        Self { spare: Some(Mutex::new(Vec::new())), ..Self::correct() }
    }

    /// Whose nodes are not.
    pub(crate) fn correct() -> Self {
        Self { top: AtomicPtr::new(null_mut()), nodes: Arena::new(), spare: None }
    }

    /// Puts an item on top.
    #[scenario(args(1, 2, 3))]
    #[side_effect(items.push(value))]
    pub(crate) fn push(&self, value: i32) {
        let new = self.take_node(value);
        loop {
            let top = self.top.load(SeqCst);
            self.nodes.at(new).next.store(top, SeqCst);
            if self.top.compare_exchange(top, new, SeqCst, SeqCst).is_ok() {
                return;
            }
            hint::spin_loop();
        }
    }

    /// Takes the item from the top, if there is one.
    #[scenario]
    #[side_effect(items.pop())]
    pub(crate) fn pop(&self) -> Option<i32> {
        loop {
            let top = self.top.load(SeqCst);
            let node = self.nodes.get(top)?;
            let next = node.next.load(SeqCst);
            if self.top.compare_exchange(top, next, SeqCst, SeqCst).is_ok() {
                let value = node.value.load(SeqCst);
                self.give_back(top);
                return Some(value);
            }
            hint::spin_loop();
        }
    }

    /// A node with this item: the oldest one that this thread has given back, or a new one.
    fn take_node(&self, value: i32) -> *mut Node {
        let own = self.spare.as_ref().and_then(|spare| {
            let me = thread::current().id();
            let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
            let index = spare.iter().position(|Spare(thread, _)| *thread == me)?;
            Some(spare.remove(index).1)
        });
        match own {
            Some(node) => {
                self.nodes.at(node).value.store(value, SeqCst);
                node
            }
            None => self.nodes.add(Node { value: AtomicI32::new(value), next: AtomicPtr::new(null_mut()) }),
        }
    }

    fn give_back(&self, node: *mut Node) {
        if let Some(spare) = &self.spare {
            let me = thread::current().id();
            spare.lock().unwrap_or_else(PoisonError::into_inner).push(Spare(me, node));
        }
    }
}
