//! Sets under one lock.

use super::sorted::Sorted;
use cdsspec::sync::atomic::Ordering::SeqCst;
use cdsspec::sync::{Mutex, MutexGuard};
use std::collections::BTreeSet;

/// `SimpleList`, and `CGList` with `add` and `contain`: a set in a sorted list, which is changed under a lock.
///
/// # Source
/// CGVT, example 2, figures 3 and 4; from Vechev and Yahav, *Deriving linearizable fine-grained concurrent objects*, 2008. It is the object that both names stand for here.
///
/// # Fault
/// `add` looks for the place before it takes the lock, and does not look again. Two calls of `add` that found the same place trigger it: one of the keys is lost. It is seen by
/// whoever looks for that key later (type 2).
///
/// # Correct
/// `add` takes the lock first, as `remove` does. `contain` needs no lock.
pub(crate) struct SimpleList {
    list: Sorted,
    lock: Mutex<()>,
    locks_first: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(set: BTreeSet<i32>)]
impl SimpleList {
    /// As in the paper.
    pub(crate) fn faulty() -> Self {
        Self { list: Sorted::new(), lock: Mutex::new(()), locks_first: false }
    }

    /// `add` takes the lock first.
    pub(crate) fn correct() -> Self {
        Self { locks_first: true, ..Self::faulty() }
    }

    /// Adds a key; whether it was not there.
    #[scenario(range = 1..=10)]
    #[side_effect(set.insert(key))]
    pub(crate) fn add(&self, key: i32) -> bool {
        let early = (!self.locks_first).then(|| self.list.locate(key));
        let _guard = lock(&self.lock);
        let window = early.unwrap_or_else(|| self.list.locate(key));
        if window.has(key) {
            return false;
        }
        self.list.insert(&window, key);
        true
    }

    /// Takes a key out; whether it was there.
    #[scenario(range = 1..=10)]
    #[side_effect(set.remove(&key))]
    pub(crate) fn remove(&self, key: i32) -> bool {
        let _guard = lock(&self.lock);
        let window = self.list.locate(key);
        let Some(node) = window.node.filter(|node| node.key == key) else { return false };
        window.before.next.store(node.next.load(SeqCst), SeqCst);
        true
    }

    /// Whether the key is there.
    #[scenario(range = 1..=10)]
    #[side_effect(set.contains(&key))]
    pub(crate) fn contain(&self, key: i32) -> bool {
        self.list.locate(key).has(key)
    }
}

/// `SimpleList` with size, `CGList` with `add`, `remove` and `size`: a set under a lock that is counted.
///
/// # Source
/// The object of the published benchmarks; from Long and Zhang, *Checking linearizability with fine-grained traces*, 2016.
///
/// # Fault
/// `size` walks over the list without the lock. Beside it, it takes two calls: one that takes out the key whose node the walk is at, and then one that adds a key behind
/// another that stays. Both are counted, though they were never there together. It is seen at once (type 1).
///
/// # Correct
/// `size` takes the lock.
pub(crate) struct SizedList {
    list: Sorted,
    lock: Mutex<()>,
    counts_locked: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(set: BTreeSet<i32>)]
impl SizedList {
    /// As published.
    pub(crate) fn faulty() -> Self {
        Self { list: Sorted::new(), lock: Mutex::new(()), counts_locked: false }
    }

    /// `size` takes the lock.
    pub(crate) fn correct() -> Self {
        Self { counts_locked: true, ..Self::faulty() }
    }

    /// Adds a key; whether it was not there.
    #[scenario(range = 1..=10)]
    #[side_effect(set.insert(key))]
    pub(crate) fn add(&self, key: i32) -> bool {
        let _guard = lock(&self.lock);
        let window = self.list.locate(key);
        if window.has(key) {
            return false;
        }
        self.list.insert(&window, key);
        true
    }

    /// Takes a key out; whether it was there.
    #[scenario(range = 1..=10)]
    #[side_effect(set.remove(&key))]
    pub(crate) fn remove(&self, key: i32) -> bool {
        let _guard = lock(&self.lock);
        let window = self.list.locate(key);
        let Some(node) = window.node.filter(|node| node.key == key) else { return false };
        window.before.next.store(node.next.load(SeqCst), SeqCst);
        true
    }

    /// How many keys there are.
    #[scenario]
    #[side_effect(set.len())]
    pub(crate) fn size(&self) -> usize {
        let _guard = self.counts_locked.then(|| lock(&self.lock));
        self.list.count()
    }
}

fn lock(lock: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock.lock().expect("nobody panics with it")
}
