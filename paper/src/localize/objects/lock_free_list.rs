//! Sets without locks.

use super::arena::Arena;
use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::collections::BTreeSet;
use std::ptr::null_mut;

struct Node {
    key: i32,
    /// A link to the next node; it has a mark once this node is taken out.
    next: AtomicPtr<Node>,
}

/// What is wrong with a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// A node that is marked may be marked again.
    MarksTwice,
    /// That, and the first walk of a call does not look at marks.
    SeesNoMarks,
}

/// `LFList`, `LockFreeList` and `BUList1`: a set in a sorted list, whose nodes are marked before they are taken out.
///
/// # Source
/// Herlihy and Shavit, *The Art of Multiprocessor Programming*, chapter 9.8, after Harris and Michael; `BUList1` is the first list of the published benchmarks whose faults were unknown.
///
/// # Fault
/// `LFList`: as printed there, `remove` marks with `attemptMark`, which succeeds as well if the node is marked already. Two calls of `remove` of one key trigger it: both return that
/// they took it out (type 1).
///
/// `BUList1` does the same, and the first walk of a call passes over nodes that are marked as over others: so a key that was taken out may be found. Two calls trigger it. In the published one
/// each walk does: then a node may stay that is marked, and a call that is to change it tries without end.
///
/// # Correct
/// The mark is a compare-exchange of a link without a mark, and walks take out what is marked.
pub(crate) struct LockFreeList {
    /// In front of all keys.
    head: Node,
    nodes: Arena<Node>,
    fault: Option<Fault>,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(set: BTreeSet<i32>)]
impl LockFreeList {
    fn new(fault: Option<Fault>) -> Self {
        let head = Node { key: i32::MIN, next: AtomicPtr::new(null_mut()) };
        Self { head, nodes: Arena::new(), fault }
    }

    /// As printed in the book.
    pub(crate) fn faulty() -> Self {
        Self::new(Some(Fault::MarksTwice))
    }

    /// Whose walks see no marks.
    pub(crate) fn bu_list_1() -> Self {
        Self::new(Some(Fault::SeesNoMarks))
    }

    /// Marks by compare-exchange, and takes out what is marked.
    pub(crate) fn correct() -> Self {
        Self::new(None)
    }

    /// Adds a key; whether it was not there.
    #[scenario(range = 1..=10)]
    #[side_effect(set.insert(key))]
    pub(crate) fn add(&self, key: i32) -> bool {
        let mut sees_marks = self.fault != Some(Fault::SeesNoMarks);
        loop {
            let (before, next) = self.find(key, sees_marks);
            if self.nodes.get(next).is_some_and(|node| node.key == key) {
                return false;
            }
            let new = self.nodes.add(Node { key, next: AtomicPtr::new(next) });
            if before.next.compare_exchange(next, new, SeqCst, SeqCst).is_ok() {
                return true;
            }
            sees_marks = true;
            hint::spin_loop();
        }
    }

    /// Takes a key out; whether it was there.
    #[scenario(range = 1..=10)]
    #[side_effect(set.remove(&key))]
    pub(crate) fn remove(&self, key: i32) -> bool {
        let mut sees_marks = self.fault != Some(Fault::SeesNoMarks);
        loop {
            let (before, next) = self.find(key, sees_marks);
            let Some(node) = self.nodes.get(next).filter(|node| node.key == key) else { return false };
            let behind = unmarked(node.next.load(SeqCst));
            // The fault: it is marked already, and that is taken for this call's mark.
            let is_marked_twice = self.fault.is_some() && node.next.load(SeqCst) == marked(behind);
            if is_marked_twice || node.next.compare_exchange(behind, marked(behind), SeqCst, SeqCst).is_ok() {
                // If that fails, the next walk takes it out.
                _ = before.next.compare_exchange(next, behind, SeqCst, SeqCst);
                return true;
            }
            sees_marks = true;
            hint::spin_loop();
        }
    }

    /// The last node whose key is smaller, and what it leads to.
    fn find(&self, key: i32, sees_marks: bool) -> (&Node, *mut Node) {
        loop {
            if let Some(found) = self.walk(key, sees_marks) {
                return found;
            }
            hint::spin_loop();
        }
    }

    /// The same; `None` if another thread changed what this one was about to take out.
    fn walk(&self, key: i32, sees_marks: bool) -> Option<(&Node, *mut Node)> {
        let mut before = &self.head;
        let mut next = unmarked(before.next.load(SeqCst));
        while let Some(node) = self.nodes.get(next) {
            let behind = node.next.load(SeqCst);
            if is_marked(behind) && sees_marks {
                before.next.compare_exchange(next, unmarked(behind), SeqCst, SeqCst).ok()?;
            } else if node.key < key {
                before = node;
            } else {
                break;
            }
            next = unmarked(behind);
        }
        Some((before, next))
    }
}

fn marked(link: *mut Node) -> *mut Node {
    link.map_addr(|address| address | 1)
}

fn unmarked(link: *mut Node) -> *mut Node {
    link.map_addr(|address| address & !1)
}

fn is_marked(link: *mut Node) -> bool {
    link.addr() & 1 == 1
}
