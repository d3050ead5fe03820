//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::once_cell::OnceCell;
use cdsspec::Scenario;
use cdsspec::sync::atomic::AtomicI32;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::thread;

/// One thread puts a value in, another looks twice.
pub(crate) fn set__get_get() {
    let cell = OnceCell::new();
    thread::scope(|scope| {
        scope.spawn(|| cell.set(1));
        scope.spawn(|| {
            cell.get();
            cell.get();
        });
    });
    cell.get();
}

/// Two threads put a value in.
pub(crate) fn set__set() {
    let cell = OnceCell::new();
    thread::scope(|scope| {
        scope.spawn(|| cell.set(1));
        scope.spawn(|| cell.set(2));
    });
    cell.get();
}

/// One thread puts a value in, another takes what is there, or makes its own.
pub(crate) fn set__init() {
    let cell = OnceCell::new();
    thread::scope(|scope| {
        scope.spawn(|| cell.set(1));
        scope.spawn(|| {
            cell.get_or_init(|| 2);
            cell.get();
        });
    });
}

/// Three threads ask; the value is made once.
pub(crate) fn init__init__init() {
    let cell = OnceCell::new();
    let made = AtomicI32::new(0);
    let ask = || {
        cell.get_or_init(|| made.fetch_add(1, Relaxed) + 1);
    };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(ask);
        }
    });
    assert_eq!(made.load(Relaxed), 1);
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<OnceCell<i32>> {
    Scenario::new(OnceCell::new)
        .op_for("set", [1, 2], |cell, value| cell.set(value).into())
        .op("get()", |cell| cell.get().copied().into())
        .op("get_or_init(|| 3)", |cell| (*cell.get_or_init(|| 3)).into())
}
