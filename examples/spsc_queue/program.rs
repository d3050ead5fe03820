//! The programs that are explored: what each thread does is in the name, `__` between threads.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::spsc_queue::{Consumer, Producer, SpscQueue};
use cdsspec::Scenario;
use cdsspec::thread;
use std::sync::{Mutex, PoisonError};

pub(crate) fn enq__deq() {
    let mut queue = SpscQueue::new();
    let (mut producer, mut consumer) = queue.split();
    thread::scope(|scope| {
        scope.spawn(|| producer.enqueue(11));
        scope.spawn(|| consumer.dequeue());
    });
}

/// Two items: the one that went in first comes out first.
pub(crate) fn enq_enq__deq_deq() {
    let mut queue = SpscQueue::new();
    let (mut producer, mut consumer) = queue.split();
    thread::scope(|scope| {
        scope.spawn(|| {
            producer.enqueue(11);
            producer.enqueue(12);
        });
        scope.spawn(|| {
            consumer.dequeue();
            consumer.dequeue();
        });
    });
}

/// The two ends of a queue, each of which one thread has at a time.
pub(crate) struct Ends {
    producer: Mutex<Producer<'static, i32>>,
    consumer: Mutex<Consumer<'static, i32>>,
}

impl Ends {
    fn new() -> Self {
        let (producer, consumer) = Box::leak(Box::new(SpscQueue::new())).split();
        Self { producer: Mutex::new(producer), consumer: Mutex::new(consumer) }
    }
}

/// What it can be asked to do. Two items are there already, so that nobody who dequeues waits for ever.
pub(crate) fn scenario() -> Scenario<Ends> {
    Scenario::new(Ends::new)
        .op_for("enqueue", [1, 2], |ends, item| {
            ends.producer.lock().unwrap_or_else(PoisonError::into_inner).enqueue(item).into()
        })
        .op("dequeue()", |ends| ends.consumer.lock().unwrap_or_else(PoisonError::into_inner).dequeue().into())
        .one_thread(["enqueue"])
        .one_thread(["dequeue()"])
        .initial(["enqueue(1)", "enqueue(2)"])
}
