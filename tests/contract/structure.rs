//! Lock-free structures under the contracts of Boost's: correct use holds, in every execution, and each misuse is found.

#![allow(dead_code, reason = "of the examples, some methods are used")]

#[path = "../../examples/mpmc_queue/mpmc_queue.rs"]
mod mpmc_queue;
#[path = "../../examples/treiber_stack/treiber_stack.rs"]
mod treiber_stack;

use cdsspec::Verdict::{self, Holds, Misused};
use cdsspec::cell::UnsafeCell;
use cdsspec::contract::Sets;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::{Builder, thread};
use mpmc_queue::MpmcQueue;
use treiber_stack::TreiberStack;

/// Lamport's queue of one producer and one consumer, with room for two (requirements 1 to 5).
struct Ring<T> {
    slots: [UnsafeCell<T>; 2],
    head: AtomicUsize,
    tail: AtomicUsize,
    contract: Sets,
}

// SAFETY: one producer and one consumer at a time: the contract says so.
unsafe impl<T: Send> Sync for Ring<T> {}

#[cdsspec::contract(spsc)]
impl<T: Copy + Default> Ring<T> {
    #[role(init)]
    fn new() -> Self {
        Self {
            slots: [UnsafeCell::new(T::default()), UnsafeCell::new(T::default())],
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
            contract: Sets::new(),
        }
    }

    #[role(producer)]
    fn push(&self, item: T) -> bool {
        let tail = self.tail.load(Relaxed);
        if tail - self.head.load(Acquire) == 2 {
            return false;
        }
        // SAFETY: the consumer has left the slot, and there is one producer.
        self.slots[tail % 2].with_mut(|slot| unsafe { *slot = item });
        self.tail.store(tail + 1, Release);
        true
    }

    #[role(consumer)]
    fn pop(&self) -> Option<T> {
        let head = self.head.load(Relaxed);
        if self.tail.load(Acquire) == head {
            return None;
        }
        // SAFETY: the producer has filled the slot, and there is one consumer.
        let item = self.slots[head % 2].with(|slot| unsafe { *slot });
        self.head.store(head + 1, Release);
        Some(item)
    }

    #[role(exclusive)]
    fn reset(&self) {
        self.head.store(self.tail.load(Relaxed), Relaxed);
    }
}

/// A stack with methods that synchronise nothing (requirements 6 to 8).
struct Stack {
    inner: TreiberStack<i32>,
    contract: Sets,
}

#[cdsspec::contract(mpmc)]
impl Stack {
    #[role(init)]
    fn new() -> Self {
        Self { inner: TreiberStack::new(), contract: Sets::new() }
    }

    #[role(producer)]
    fn push(&self, item: i32) {
        self.inner.push(item);
    }

    #[role(consumer)]
    fn pop(&self) -> Option<i32> {
        self.inner.pop()
    }

    #[role(exclusive)]
    fn unsynchronized_pop(&self) -> Option<i32> {
        self.inner.pop()
    }
}

/// A queue of many producers and consumers (requirements 6 to 8).
struct Queue {
    inner: MpmcQueue<i32>,
    contract: Sets,
}

#[cdsspec::contract(mpmc)]
impl Queue {
    #[role(init)]
    fn new() -> Self {
        Self { inner: MpmcQueue::with_capacity(2), contract: Sets::new() }
    }

    #[role(producer)]
    fn push(&self, item: i32) -> bool {
        let slot = self.inner.write_prepare();
        slot.map(|slot| self.inner.publish(slot, item)).is_ok()
    }

    #[role(exclusive)]
    fn reserve_unsafe(&self) {}
}

fn beside<T: Send + Sync + 'static>(
    new: fn() -> T,
    first: fn(&T),
    second: fn(&T),
    at_end: fn(&T),
) -> Verdict {
    let program = move || {
        let shared = Arc::new(new());
        let other = shared.clone();
        let child = thread::spawn(move || first(&other));
        second(&shared);
        child.join().expect("it does not panic");
        at_end(&shared);
    };
    Builder::new().check(program).verdict
}

#[test]
fn a_ring_holds_as_its_contract_wants_it_and_otherwise_is_misused() {
    let [push, pop, reset]: [fn(&Ring<u32>); 3] =
        [|ring| _ = (ring.push(1), ring.push(2)), |ring| _ = (ring.pop(), ring.pop()), Ring::reset];
    assert_eq!(beside(Ring::new, push, pop, reset), Holds);
    assert_eq!(beside(Ring::new, push, |_| (), pop), Holds);
    assert_eq!([beside(Ring::new, push, push, pop), beside(Ring::new, pop, pop, reset)], [Misused; 2]);
    assert_eq!([beside(Ring::new, push, reset, pop), beside(Ring::new, pop, reset, pop)], [Misused; 2]);
}

#[test]
fn a_stack_and_a_queue_hold_as_their_contracts_want_them_and_otherwise_are_misused() {
    let [push, pop, alone]: [fn(&Stack); 3] =
        [|stack| stack.push(1), |stack| _ = stack.pop(), |stack| _ = stack.unsynchronized_pop()];
    assert_eq!([beside(Stack::new, push, pop, alone), beside(Stack::new, push, push, alone)], [Holds; 2]);
    assert_eq!([beside(Stack::new, push, alone, pop), beside(Stack::new, alone, alone, pop)], [Misused; 2]);
    let [push, alone]: [fn(&Queue); 2] = [|queue| _ = queue.push(1), Queue::reserve_unsafe];
    assert_eq!(
        [beside(Queue::new, push, push, alone), beside(Queue::new, push, alone, alone)],
        [Holds, Misused]
    );
}
