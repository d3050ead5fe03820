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
    looks_again: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(set: BTreeSet<usize>)]
impl List {
    pub(super) fn new() -> Self {
        let next = std::array::from_fn(|_| AtomicUsize::new(END));
        Self { next, lock: Mutex::new(()), looks_again: false }
    }

    /// The one that looks again under the lock.
    pub(super) fn correct() -> Self {
        Self { looks_again: true, ..Self::new() }
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
        let mut found = self.find(key);
        if found.1 == key {
            return false;
        }
        let _guard = self.lock.lock().expect("nobody panics with it");
        if self.looks_again {
            found = self.find(key);
            if found.1 == key {
                return false;
            }
        }
        self.next[key].store(found.1, SeqCst);
        self.next[found.0].store(key, SeqCst);
        true
    }

    #[side_effect(set.contains(&key))]
    #[scenario(range = 1..=8)]
    pub(super) fn contains(&self, key: usize) -> bool {
        self.find(key).1 == key
    }
}
