//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::relaxed_counter::Counter;
use cdsspec::Scenario;
use cdsspec::thread;

/// Two threads count, the second one twice; at last all is counted.
pub(crate) fn increment__increment_increment() {
    let counter = Counter::default();
    thread::scope(|scope| {
        scope.spawn(|| counter.increment());
        scope.spawn(|| {
            counter.increment();
            counter.increment();
        });
    });
    counter.read();
}

/// A thread counts and looks, another looks twice.
pub(crate) fn increment_read__read_read() {
    let counter = Counter::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            counter.increment();
            counter.read();
        });
        scope.spawn(|| {
            counter.read();
            counter.read();
        });
    });
    counter.read();
}

/// Two threads count, a third one looks and counts.
pub(crate) fn three() {
    let counter = Counter::default();
    thread::scope(|scope| {
        scope.spawn(|| counter.increment());
        scope.spawn(|| counter.increment());
        scope.spawn(|| {
            counter.read();
            counter.increment();
        });
    });
    counter.read();
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<Counter> {
    Scenario::new(Counter::default)
        .op("increment()", |counter| counter.increment().into())
        .op("read()", |counter| counter.read().into())
}
