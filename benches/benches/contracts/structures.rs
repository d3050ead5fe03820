// Structures over `sync`, which is std's or ours: this file is compiled for both.

use std::cell::UnsafeCell;
use std::hint::spin_loop;
use std::ptr::null_mut;
use sync::atomic::AtomicPtr;
use sync::atomic::AtomicUsize;
use sync::atomic::Ordering::{Acquire, Relaxed, Release};

const CAPACITY: usize = 64;

/// Lamport's ring of one producer and one consumer.
pub(crate) struct Ring {
    slots: [UnsafeCell<usize>; CAPACITY],
    head: AtomicUsize,
    tail: AtomicUsize,
}

// SAFETY: one thread pushes and one pops; a slot is handed over by `tail` and back by `head`.
unsafe impl Sync for Ring {}

impl Ring {
    pub(crate) fn new() -> Self {
        Self {
            slots: std::array::from_fn(|_| UnsafeCell::new(0)),
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
        }
    }

    pub(crate) fn push(&self, value: usize) -> bool {
        let tail = self.tail.load(Relaxed);
        if tail - self.head.load(Acquire) == CAPACITY {
            return false;
        }
        // SAFETY: the slot is free, and only the one producer writes.
        unsafe { *self.slots[tail % CAPACITY].get() = value };
        self.tail.store(tail + 1, Release);
        true
    }

    pub(crate) fn pop(&self) -> Option<usize> {
        let head = self.head.load(Relaxed);
        if self.tail.load(Acquire) == head {
            return None;
        }
        // SAFETY: the slot was written, and only the one consumer reads.
        let value = unsafe { *self.slots[head % CAPACITY].get() };
        self.head.store(head + 1, Release);
        Some(value)
    }
}

/// Vyukov's ring of many producers and consumers.
pub(crate) struct Many {
    slots: [(AtomicUsize, UnsafeCell<usize>); CAPACITY],
    head: AtomicUsize,
    tail: AtomicUsize,
}

// SAFETY: a slot is handed over by its turn.
unsafe impl Sync for Many {}

impl Many {
    pub(crate) fn new() -> Self {
        Self {
            slots: std::array::from_fn(|turn| (AtomicUsize::new(turn), UnsafeCell::new(0))),
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
        }
    }

    pub(crate) fn push(&self, value: usize) -> bool {
        let mut tail = self.tail.load(Relaxed);
        loop {
            let (turn, slot) = &self.slots[tail % CAPACITY];
            let found = turn.load(Acquire);
            if found == tail {
                match self.tail.compare_exchange_weak(tail, tail + 1, Relaxed, Relaxed) {
                    Ok(_) => {
                        // SAFETY: whoever moves `tail` on has the slot, until it gives the turn away.
                        unsafe { *slot.get() = value };
                        turn.store(tail + 1, Release);
                        return true;
                    }
                    Err(newer) => tail = newer,
                }
            } else if found < tail {
                return false;
            } else {
                spin_loop();
                tail = self.tail.load(Relaxed);
            }
        }
    }

    pub(crate) fn pop(&self) -> Option<usize> {
        let mut head = self.head.load(Relaxed);
        loop {
            let (turn, slot) = &self.slots[head % CAPACITY];
            let found = turn.load(Acquire);
            if found == head + 1 {
                match self.head.compare_exchange_weak(head, head + 1, Relaxed, Relaxed) {
                    Ok(_) => {
                        // SAFETY: as above.
                        let value = unsafe { *slot.get() };
                        turn.store(head + CAPACITY, Release);
                        return Some(value);
                    }
                    Err(newer) => head = newer,
                }
            } else if found < head + 1 {
                return None;
            } else {
                spin_loop();
                head = self.head.load(Relaxed);
            }
        }
    }
}

struct Node {
    value: usize,
    next: *mut Node,
}

/// Treiber's stack. It is popped by one thread, so that nothing is freed in use.
pub(crate) struct Stack(AtomicPtr<Node>);

impl Stack {
    pub(crate) fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    pub(crate) fn push(&self, value: usize) -> bool {
        let node = Box::into_raw(Box::new(Node { value, next: null_mut() }));
        let mut top = self.0.load(Relaxed);
        loop {
            // SAFETY: nobody else has seen it.
            unsafe { (*node).next = top };
            match self.0.compare_exchange_weak(top, node, Release, Relaxed) {
                Ok(_) => return true,
                Err(newer) => top = newer,
            }
        }
    }

    pub(crate) fn pop(&self) -> Option<usize> {
        let mut top = self.0.load(Acquire);
        while !top.is_null() {
            // SAFETY: only this thread frees nodes.
            let next = unsafe { (*top).next };
            match self.0.compare_exchange_weak(top, next, Acquire, Acquire) {
                Ok(_) => {
                    // SAFETY: it is taken off.
                    return Some(unsafe { Box::from_raw(top) }.value);
                }
                Err(newer) => top = newer,
            }
        }
        None
    }
}

/// Rounds of a value there and back between two threads, and as many before that, so that both run; the time of the former.
pub(crate) fn ping_pong(rounds: usize) -> f64 {
    let (there, back) = (Ring::new(), Ring::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..2 * rounds {
                let value = wait(|| there.pop());
                assert!(back.push(value + 1), "there is room for one");
            }
        });
        let mut value = 0;
        let mut go = || {
            for _ in 0..rounds {
                assert!(there.push(value), "there is room for one");
                value = wait(|| back.pop());
            }
        };
        go();
        let begin = std::time::Instant::now();
        go();
        let time = begin.elapsed().as_secs_f64();
        assert_eq!(value, 2 * rounds);
        time
    })
}

/// Spins, and gives way if it takes long: the other thread may not run.
fn wait(mut f: impl FnMut() -> Option<usize>) -> usize {
    let mut spins = 0;
    loop {
        if let Some(value) = f() {
            return value;
        }
        spins += 1;
        if spins % 1_000 == 0 {
            std::thread::yield_now();
        }
        spin_loop();
    }
}

/// The time of pushes alone: the structure is emptied in between.
pub(crate) fn pushes(rounds: usize, push: impl Fn(usize) -> bool, pop: impl Fn() -> Option<usize>) -> f64 {
    let mut time = 0.0;
    for _ in 0..rounds {
        let begin = std::time::Instant::now();
        for value in 0..CAPACITY {
            assert!(push(std::hint::black_box(value)), "there is room");
        }
        time += begin.elapsed().as_secs_f64();
        while pop().is_some() {}
    }
    time
}

pub(crate) fn push_ring(rounds: usize) -> f64 {
    let ring = Ring::new();
    pushes(rounds, |value| ring.push(value), || ring.pop())
}

pub(crate) fn push_many(rounds: usize) -> f64 {
    let many = Many::new();
    pushes(rounds, |value| many.push(value), || many.pop())
}

pub(crate) fn push_stack(rounds: usize) -> f64 {
    let stack = Stack::new();
    pushes(rounds, |value| stack.push(value), || stack.pop())
}
