//! The programs that are explored: what each thread does is in the name, `__` between threads.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::deterministic::DeterministicQueue;
use super::queue::Queue;
use super::seed::Seed;
use cdsspec::Scenario;
use cdsspec::sync::Arc;
use cdsspec::thread;

/// What both queues can do.
pub(crate) trait AnyQueue: Send + Sync + 'static {
    fn make(seed: Seed) -> Self;
    fn enq(&self, val: i32);
    fn deq(&self) -> Option<i32>;
}

impl AnyQueue for Queue {
    fn make(seed: Seed) -> Self {
        Self::new(seed)
    }

    fn enq(&self, val: i32) {
        self.enq(val);
    }

    fn deq(&self) -> Option<i32> {
        self.deq()
    }
}

impl AnyQueue for DeterministicQueue {
    fn make(_seed: Seed) -> Self {
        Self::new()
    }

    fn enq(&self, val: i32) {
        self.enq(val);
    }

    fn deq(&self) -> Option<i32> {
        self.deq()
    }
}

/// Figure 3: two queues; that both threads find the other's queue empty is allowed. Returns what they find.
pub(crate) fn figure_3<Q: AnyQueue>(seed: Seed) -> (Option<i32>, Option<i32>) {
    let (x, y) = (Arc::new(Q::make(seed)), Arc::new(Q::make(seed)));
    let (x1, y1) = (x.clone(), y.clone());
    let first = thread::spawn(move || {
        x1.enq(1);
        y1.deq()
    });
    y.enq(1);
    let r2 = x.deq();
    (first.join().expect("no thread panics"), r2)
}

pub(crate) fn enq__deq<Q: AnyQueue>(seed: Seed) {
    let queue = Arc::new(Q::make(seed));
    let queue2 = queue.clone();
    let other = thread::spawn(move || queue2.enq(1));
    queue.deq();
    other.join().expect("no thread panics");
}

pub(crate) fn enq_deq__enq_deq<Q: AnyQueue>(seed: Seed) {
    let queue = Arc::new(Q::make(seed));
    let queue2 = queue.clone();
    let other = thread::spawn(move || {
        queue2.enq(1);
        queue2.deq();
    });
    queue.enq(2);
    queue.deq();
    other.join().expect("no thread panics");
}

pub(crate) fn enq_enq__deq_deq<Q: AnyQueue>(seed: Seed) {
    let queue = Arc::new(Q::make(seed));
    let queue2 = queue.clone();
    let other = thread::spawn(move || {
        queue2.enq(1);
        queue2.enq(2);
    });
    queue.deq();
    queue.deq();
    other.join().expect("no thread panics");
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<Queue> {
    Scenario::new(|| Queue::new(Seed::CORRECT))
        .op_for("enq", [1, 2], |queue, value| queue.enq(value).into())
        .op("deq()", |queue| queue.deq().into())
}
