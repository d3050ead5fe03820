//! Correct use is silent: a million operations of each structure on real threads.

use cdsspec::sync::{Arc, Mutex};
use cdsspec::thread;
use cdsspec_contract_tests::ours::{Closing, Inbox, Owned, Ring, Settings, Stack};
use cdsspec_contract_tests::published::{Crossbeam, Heapless, Ringbuf, Rtrb};

/// Pushes and pops, together.
const OPERATIONS: u64 = 1_000_000;

/// One pushes and one pops: half of the numbers each; then both go to other threads.
fn one_to_one<Q: Send + Sync + 'static>(queue: Q, push: fn(&Q, u64) -> bool, pop: fn(&Q) -> Option<u64>) {
    let queue = Arc::new(queue);
    for _ in 0..2 {
        let other = Arc::clone(&queue);
        let producer = thread::spawn(move || {
            for item in 0..OPERATIONS / 4 {
                while !push(&other, item) {
                    thread::yield_now();
                }
            }
        });
        let other = Arc::clone(&queue);
        let consumer = thread::spawn(move || {
            for expected in 0..OPERATIONS / 4 {
                let item = loop {
                    match pop(&other) {
                        Some(item) => break item,
                        None => thread::yield_now(),
                    }
                };
                assert_eq!(item, expected);
            }
        });
        producer.join().unwrap();
        consumer.join().unwrap();
    }
    // The main thread comes after them.
    assert!(push(&queue, 1) && pop(&queue) == Some(1));
}

/// Several push and pop.
fn many<Q: Send + Sync + 'static>(
    queue: Q,
    threads: u64,
    push: fn(&Q, u64) -> bool,
    pop: Option<fn(&Q) -> Option<u64>>,
) {
    let queue = Arc::new(queue);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                for item in 0..OPERATIONS / threads / 2 {
                    push(&queue, item);
                    pop.map(|pop| pop(&queue));
                }
            });
        }
    });
}

#[test]
fn rings_of_one_producer_and_one_consumer() {
    one_to_one(Ring::new(), Ring::push, Ring::pop);
}

#[test]
fn rtrb() {
    one_to_one(Rtrb::new(), Rtrb::push, Rtrb::pop);
}

#[test]
fn ringbuf() {
    one_to_one(Ringbuf::new(), Ringbuf::push, Ringbuf::pop);
}

#[test]
fn heapless() {
    one_to_one(Heapless::new(), Heapless::push, Heapless::pop);
}

#[test]
fn crossbeam() {
    let queue = Crossbeam::new();
    queue.push(1);
    queue.clear();
    many(queue, 3, Crossbeam::push, Some(Crossbeam::pop));
}

#[test]
fn a_stack_of_many_threads() {
    let stack = Stack::new();
    stack.push(1);
    assert_eq!(stack.unsynchronised_pop(), Some(1));
    let push = |stack: &Stack, item: u64| {
        stack.push(item);
        true
    };
    many(stack, 3, push, Some(Stack::pop));
}

#[test]
fn an_inbox_of_many_producers() {
    let inbox = Arc::new(Inbox::new());
    let other = Arc::clone(&inbox);
    let consumer = thread::spawn(move || (0..OPERATIONS / 2).for_each(|_| _ = other.pop()));
    thread::scope(|scope| {
        (0..2).for_each(|_| drop(scope.spawn(|| (0..OPERATIONS / 4).for_each(|item| inbox.push(item)))));
    });
    consumer.join().unwrap();
}

/// A producer's role goes from thread to thread under a lock.
#[test]
fn roles_that_a_lock_hands_over() {
    let (queue, owned) = (Ring::new(), Owned::new());
    let turn = Mutex::new(());
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for item in 0..OPERATIONS / 12 {
                    let _turn = turn.lock().unwrap();
                    queue.push(item);
                    queue.pop();
                    owned.use_it();
                    if item % 100 == 0 {
                        queue.reset();
                    }
                }
            });
        }
    });
}

#[test]
fn settings_that_are_set_before_threads_begin() {
    let settings = Arc::new(*Settings::unset());
    settings.set(5);
    thread::scope(|scope| {
        (0..2).for_each(|_| {
            drop(scope.spawn(|| (0..OPERATIONS / 2).for_each(|_| assert_eq!(settings.get(), 5))))
        });
    });
}

/// Nobody joins the threads, and the last one drops it: that the count of an `Arc` orders this is not seen, and known even so.
#[test]
fn what_the_last_of_several_threads_drops() {
    for _ in 0..500 {
        let mut closing = Closing::new();
        closing.close();
        let closing = Arc::new(closing);
        for item in 0..3 {
            let closing = Arc::clone(&closing);
            drop(thread::spawn(move || closing.push(item)));
        }
        closing.push(4);
        let mut last = closing;
        while Arc::get_mut(&mut last).is_none() {
            thread::yield_now();
        }
        Arc::get_mut(&mut last).unwrap().close();
    }
}
