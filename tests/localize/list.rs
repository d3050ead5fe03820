//! The list of example 2: `add` finds its place without a lock, and does not look again when it has it.

use cdsspec::sync::Mutex;
use cdsspec::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::collections::BTreeSet;

/// Keys are below that; it is the last node.
const END: usize = 9;

/// A sorted list. The node of a key is at its index.
pub(super) struct List {
    next: [AtomicUsize; END],
    lock: Mutex<()>,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(set: BTreeSet<usize>)]
impl List {
    pub(super) fn new() -> Self {
        Self { next: std::array::from_fn(|_| AtomicUsize::new(END)), lock: Mutex::new(()) }
    }

    fn find(&self, key: usize) -> (usize, usize) {
        let (mut before, mut node) = (0, self.next[0].load(SeqCst));
        while node < key {
            (before, node) = (node, self.next[node].load(SeqCst));
        }
        (before, node)
    }

    #[side_effect(set.insert(key))]
    #[scenario(range = 1..=8)]
    pub(super) fn add(&self, key: usize) -> bool {
        let (before, node) = self.find(key);
        if node == key {
            return false;
        }
        let _guard = self.lock.lock().expect("nobody panics with it");
        self.next[key].store(node, SeqCst);
        self.next[before].store(key, SeqCst);
        true
    }

    #[side_effect(set.contains(&key))]
    #[scenario(range = 1..=8)]
    pub(super) fn contains(&self, key: usize) -> bool {
        self.find(key).1 == key
    }
}
