//! Sets whose lists are walked without a lock, and changed under one: "bug unknown" 2 and 3.

use super::sorted::Sorted;
use cdsspec::hint;
use cdsspec::sync::atomic::Ordering::SeqCst;
use cdsspec::sync::{Mutex, MutexGuard};
use std::collections::BTreeSet;

/// `BUList2`: places are looked for without the lock, and believed under it.
///
/// # Source
/// The second list of the published benchmarks whose faults were unknown, with `add` and `remove`. There, `remove` takes nothing out either: that any serial program
/// sees, so it is not so here.
///
/// # Fault
/// Under the lock nobody looks whether the place is still as it was found. Two calls trigger it: two of `add` that found the same place, of which one is lost (seen later, type 2), or two
/// of `remove` that found the same key, which both take it (type 1).
///
/// # Correct
/// The lock is taken first.
pub(crate) struct BuList2 {
    list: Sorted,
    lock: Mutex<()>,
    locks_first: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(set: BTreeSet<i32>)]
impl BuList2 {
    /// Nothing is looked at again.
    pub(crate) fn faulty() -> Self {
        Self { list: Sorted::new(), lock: Mutex::new(()), locks_first: false }
    }

    /// The lock is taken first.
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
        let early = (!self.locks_first).then(|| self.list.locate(key));
        let _guard = lock(&self.lock);
        let window = early.unwrap_or_else(|| self.list.locate(key));
        let Some(node) = window.node.filter(|node| node.key == key) else { return false };
        window.before.next.store(node.next.load(SeqCst), SeqCst);
        true
    }
}

/// `BUList3`: places are looked for without the lock, and under it the call looks whether they are as they were found.
///
/// # Source
/// The fourth list of the published benchmarks whose faults were unknown: the one whose fault is as rare as the paper says of `BUList3`. Its idea is the lazy list of
/// Heller, Herlihy, Luchangco, Moir, Scherer and Shavit, 2005.
///
/// # Fault
/// `remove` marks its node, and reads what comes behind it, before it takes the lock. An `add` that has the lock, and has seen that the node is not marked, links its key behind the
/// node; `remove` then takes out both. So two calls trigger it: a `remove`, and an `add` of a key behind it. The key is missed later (type 2). The published one may link a node again that is
/// marked and out, before which calls then try without end; here `remove` reads again what is behind its node if that is marked.
///
/// # Correct
/// `remove` marks the node, and reads what is behind it, when it has the lock and the place is as it was found.
pub(crate) struct BuList3 {
    list: Sorted,
    lock: Mutex<()>,
    marks_locked: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(set: BTreeSet<i32>)]
impl BuList3 {
    /// As published.
    pub(crate) fn faulty() -> Self {
        Self { list: Sorted::new(), lock: Mutex::new(()), marks_locked: false }
    }

    /// The node is marked under the lock.
    pub(crate) fn correct() -> Self {
        Self { marks_locked: true, ..Self::faulty() }
    }

    /// Adds a key; whether it was not there.
    #[scenario(range = 1..=10)]
    #[side_effect(set.insert(key))]
    pub(crate) fn add(&self, key: i32) -> bool {
        loop {
            let window = self.list.locate(key);
            if window.has(key) {
                return false;
            }
            let guard = lock(&self.lock);
            if !window.before.is_marked.load(SeqCst) && window.is_whole() {
                self.list.insert(&window, key);
                return true;
            }
            drop(guard);
            hint::spin_loop();
        }
    }

    /// Takes a key out; whether it was there.
    #[scenario(range = 1..=10)]
    #[side_effect(set.remove(&key))]
    pub(crate) fn remove(&self, key: i32) -> bool {
        loop {
            let window = self.list.locate(key);
            let Some(node) = window.node.filter(|node| node.key == key) else { return false };
            let mark = || {
                node.is_marked.store(true, SeqCst);
                node.next.load(SeqCst)
            };
            let early = (!self.marks_locked).then(mark);
            let guard = lock(&self.lock);
            if !window.before.is_marked.load(SeqCst) && window.is_whole() {
                let next = early.filter(|next| !self.list.is_marked(*next)).unwrap_or_else(mark);
                window.before.next.store(next, SeqCst);
                return true;
            }
            drop(guard);
            hint::spin_loop();
        }
    }
}

fn lock(lock: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock.lock().expect("nobody panics with it")
}
