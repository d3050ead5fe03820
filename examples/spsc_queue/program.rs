//! The programs that are explored: what each thread does is in the name, `__` between threads.

use crate::spsc_queue::SpscQueue;
use cdsspec::thread;

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
