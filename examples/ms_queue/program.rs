//! The programs that are explored: what each thread does is in the name, `__` between threads.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::ms_queue::MsQueue;
use cdsspec::Scenario;
use cdsspec::thread;

pub(crate) fn enq__deq() {
    let queue = MsQueue::new();
    thread::scope(|scope| {
        scope.spawn(|| queue.enq(1));
        scope.spawn(|| queue.deq());
    });
}

/// Two threads that each put one item in, one that takes one out.
pub(crate) fn two_enq__deq() {
    let queue = MsQueue::new();
    thread::scope(|scope| {
        scope.spawn(|| queue.enq(1));
        scope.spawn(|| queue.enq(2));
        scope.spawn(|| queue.deq());
    });
}

pub(crate) fn enq_deq__enq_deq() {
    let queue = MsQueue::new();
    thread::scope(|scope| {
        for value in [1, 2] {
            let queue = &queue;
            scope.spawn(move || {
                queue.enq(value);
                queue.deq();
            });
        }
    });
}

/// The first thread puts the node in again that it took out.
pub(crate) fn recycle() {
    let queue = MsQueue::with_reuse();
    thread::scope(|scope| {
        scope.spawn(|| {
            queue.enq(1);
            queue.deq();
            queue.enq(2);
        });
        scope.spawn(|| {
            queue.enq(2);
            queue.deq();
        });
    });
}

/// Enough for a thread to read a value that another replaces.
pub(crate) fn reuse_race() {
    let queue = MsQueue::with_reuse();
    queue.enq(1);
    queue.enq(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            queue.deq();
            queue.deq();
            queue.enq(3);
            queue.enq(4);
        });
        scope.spawn(|| queue.deq());
    });
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<MsQueue<i32>> {
    Scenario::new(MsQueue::new)
        .op_for("enq", [1, 2], |queue, item| queue.enq(item).into())
        .op("deq()", |queue| queue.deq().into())
}
