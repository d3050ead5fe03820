//! The programs that are explored. The value is an atomic number, so that the checker sees who uses it when.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::arc::Arc;
use cdsspec::Scenario;
use cdsspec::sync::atomic::AtomicI32;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::thread;

/// Two threads use the value and drop it.
pub(crate) fn drop__drop() {
    let first = Arc::new(AtomicI32::new(0));
    let second = first.clone();
    thread::spawn(move || second.store(1, Relaxed));
    first.load(Relaxed);
}

/// A thread clones its handle and drops both, beside one that drops its own.
pub(crate) fn clone_drop__drop() {
    let first = Arc::new(AtomicI32::new(0));
    let second = first.clone();
    thread::spawn(move || {
        let third = second.clone();
        drop(second);
        third.store(1, Relaxed);
    });
    first.load(Relaxed);
}

/// A thread uses the value and drops it, beside one that wants it for itself.
pub(crate) fn drop__get_mut() {
    let mut first = Arc::new(AtomicI32::new(0));
    let second = first.clone();
    let other = thread::spawn(move || second.store(1, Relaxed));
    if let Some(value) = first.get_mut() {
        *value.get_mut() = 2;
    }
    other.join().expect("it does not panic");
    first.get_mut();
}

/// Two threads that both want to have the value: at most one gets it, and somebody frees it.
pub(crate) fn try_unwrap__try_unwrap() {
    let first = Arc::new(AtomicI32::new(0));
    let second = first.clone();
    let unwrap = |handle: Arc<AtomicI32>| {
        handle.store(1, Relaxed);
        handle.try_unwrap().map(AtomicI32::into_inner).is_ok()
    };
    let other = thread::spawn(move || unwrap(second));
    let is_mine = unwrap(first);
    let is_theirs = other.join().expect("it does not panic");
    assert!(!(is_mine && is_theirs));
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<Arc<AtomicI32>> {
    Scenario::new(|| Arc::new(AtomicI32::new(0)))
        .op("clone_and_use()", |arc| arc.clone().fetch_add(1, Relaxed).into())
        .op("clone_and_get_mut()", |arc| arc.clone().get_mut().is_some().into())
        .op("clone_and_unwrap()", |arc| arc.clone().try_unwrap().is_ok().into())
}
