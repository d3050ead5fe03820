//! Published queues, each behind a thin wrapper that says how it may be used. They are built on std's atomics, of which nothing is seen: all that is
//! known of their calls is how the threads that make them are ordered.

use cdsspec::contract::Sets;
use std::cell::UnsafeCell;

/// How many numbers there is room for.
pub const CAPACITY: usize = 64;

/// A queue of one producer and one consumer, of two handles.
macro_rules! wrapped {
    ($(#[$doc:meta])* $name:ident, $producer:ty, $consumer:ty, $new:expr, |$to:ident, $item:ident| $push:expr, |$from:ident| $pop:expr) => {
        $(#[$doc])*
        pub struct $name {
            producer: UnsafeCell<$producer>,
            consumer: UnsafeCell<$consumer>,
            contract: Sets,
        }

        // SAFETY: the contract has one producer at a time, which is after the one before it, and one consumer.
        unsafe impl Sync for $name {}

        #[cdsspec::contract(spsc)]
        impl $name {
            /// An empty queue.
            #[role(init)]
            pub fn new() -> Self {
                let (producer, consumer) = $new;
                Self { producer: UnsafeCell::new(producer), consumer: UnsafeCell::new(consumer), contract: Sets::new() }
            }

            /// Puts a number in; whether there was room.
            #[role(producer)]
            pub fn push(&self, $item: u64) -> bool {
                // SAFETY: there is no other producer now.
                let $to = unsafe { &mut *self.producer.get() };
                $push
            }

            /// Takes the oldest one out.
            #[role(consumer)]
            pub fn pop(&self) -> Option<u64> {
                // SAFETY: there is no other consumer now.
                let $from = unsafe { &mut *self.consumer.get() };
                $pop
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

wrapped! {
    /// `rtrb`.
    Rtrb, rtrb::Producer<u64>, rtrb::Consumer<u64>, rtrb::RingBuffer::new(CAPACITY),
    |to, item| to.push(item).is_ok(), |from| from.pop().ok()
}

wrapped! {
    /// `ringbuf`.
    Ringbuf, ringbuf::HeapProd<u64>, ringbuf::HeapCons<u64>,
    ringbuf::traits::Split::split(ringbuf::HeapRb::<u64>::new(CAPACITY)),
    |to, item| ringbuf::traits::Producer::try_push(to, item).is_ok(),
    |from| ringbuf::traits::Consumer::try_pop(from)
}

wrapped! {
    /// `heapless::spsc`.
    Heapless, heapless::spsc::Producer<'static, u64>, heapless::spsc::Consumer<'static, u64>,
    // It lends its halves, and lives as long as the process.
    Box::leak(Box::new(heapless::spsc::Queue::<u64, CAPACITY>::new())).split(),
    |to, item| to.enqueue(item).is_ok(), |from| from.dequeue()
}

/// `crossbeam_queue::ArrayQueue`.
pub struct Crossbeam {
    queue: crossbeam_queue::ArrayQueue<u64>,
    contract: Sets,
}

#[cdsspec::contract(mpmc)]
impl Crossbeam {
    /// An empty queue.
    #[role(init)]
    pub fn new() -> Self {
        Self { queue: crossbeam_queue::ArrayQueue::new(CAPACITY), contract: Sets::new() }
    }

    /// Puts a number in; whether there was room.
    #[role(producer)]
    pub fn push(&self, item: u64) -> bool {
        self.queue.push(item).is_ok()
    }

    /// Takes the oldest one out.
    #[role(consumer)]
    pub fn pop(&self) -> Option<u64> {
        self.queue.pop()
    }

    /// Takes all out, where nobody else uses it.
    #[role(exclusive)]
    pub fn clear(&self) {
        while self.queue.pop().is_some() {}
    }
}

impl Default for Crossbeam {
    fn default() -> Self {
        Self::new()
    }
}
