//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::mpmc_queue::MpmcQueue;
use cdsspec::Scenario;
use cdsspec::thread;

fn write(queue: &MpmcQueue<i32>, item: i32) {
    if let Ok(slot) = queue.write_prepare() {
        queue.publish(slot, item);
    }
}

/// Whether there was one.
fn read(queue: &MpmcQueue<i32>) -> bool {
    let slot = queue.read_fetch();
    slot.map(|slot| queue.consume(slot)).is_some()
}

/// One thread writes, one reads.
pub(crate) fn one_slot() {
    let queue = MpmcQueue::with_capacity(2);
    thread::scope(|scope| {
        scope.spawn(|| write(&queue, 1));
        scope.spawn(|| read(&queue));
    });
}

/// The same, with a queue that is full.
pub(crate) fn full() {
    let queue = MpmcQueue::with_capacity(2);
    write(&queue, 1);
    write(&queue, 2);
    thread::scope(|scope| {
        scope.spawn(|| write(&queue, 3));
        scope.spawn(|| read(&queue));
    });
}

/// Two threads that each write, and then read until the queue is empty.
pub(crate) fn both() {
    let queue = MpmcQueue::with_capacity(16);
    thread::scope(|scope| {
        for item in [1, 2] {
            let queue = &queue;
            scope.spawn(move || {
                write(queue, item);
                while read(queue) {}
            });
        }
    });
}

/// Two threads that want to write to the last slot.
pub(crate) fn last_slot() {
    let queue = MpmcQueue::with_capacity(2);
    write(&queue, 1);
    thread::scope(|scope| {
        scope.spawn(|| write(&queue, 2));
        scope.spawn(|| write(&queue, 3));
    });
}

/// Two threads that each write and then read: one item is there, for another one there is room.
pub(crate) fn around() {
    let queue = MpmcQueue::with_capacity(2);
    write(&queue, 1);
    thread::scope(|scope| {
        for item in [2, 3] {
            let queue = &queue;
            scope.spawn(move || {
                write(queue, item);
                read(queue);
            });
        }
    });
    while read(&queue) {}
}

/// Two threads that write, and two that read.
pub(crate) fn wide() {
    let queue = MpmcQueue::with_capacity(2);
    write(&queue, 1);
    thread::scope(|scope| {
        scope.spawn(|| write(&queue, 2));
        scope.spawn(|| write(&queue, 3));
        scope.spawn(|| read(&queue));
        scope.spawn(|| read(&queue));
    });
    while read(&queue) {}
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<MpmcQueue<i32>> {
    Scenario::new(|| MpmcQueue::with_capacity(2))
        .op_for("write", [1, 2], |queue, item| write(queue, item).into())
        .op("read()", |queue| read(queue).into())
}
