//! Our own structures. All that they hold is atomic, so that to misuse one is no undefined behaviour.

use cdsspec::contract::Sets;
use cdsspec::sync::Mutex;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicU64, AtomicUsize};

/// How many numbers there is room for.
pub const CAPACITY: usize = 64;

/// A queue of one producer and one consumer.
#[derive(Debug)]
pub struct Ring {
    slots: [AtomicU64; CAPACITY],
    head: AtomicUsize,
    tail: AtomicUsize,
    contract: Sets,
}

#[cdsspec::contract(spsc)]
impl Ring {
    /// An empty queue.
    #[role(init)]
    pub fn new() -> Self {
        Self::uninitialised()
    }

    /// One that nobody has initialised.
    pub fn uninitialised() -> Self {
        Self {
            slots: std::array::from_fn(|_| AtomicU64::new(0)),
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
            contract: Sets::new(),
        }
    }

    /// Makes it ready.
    #[role(init)]
    pub fn initialise(&self) {
        self.head.store(0, Relaxed);
        self.tail.store(0, Relaxed);
    }

    /// Puts a number in; whether there was room.
    #[role(producer)]
    pub fn push(&self, item: u64) -> bool {
        let tail = self.tail.load(Relaxed);
        if tail.wrapping_sub(self.head.load(Acquire)) >= CAPACITY {
            return false;
        }
        self.slots[tail % CAPACITY].store(item, Relaxed);
        self.tail.store(tail + 1, Release);
        true
    }

    /// Takes the oldest one out.
    #[role(consumer)]
    pub fn pop(&self) -> Option<u64> {
        let head = self.head.load(Relaxed);
        if self.tail.load(Acquire) == head {
            return None;
        }
        let item = self.slots[head % CAPACITY].load(Relaxed);
        self.head.store(head + 1, Release);
        Some(item)
    }

    /// Forgets all numbers, where nobody else uses the queue.
    #[role(exclusive)]
    pub fn reset(&self) {
        self.head.store(self.tail.load(Relaxed), Relaxed);
    }
}

impl Default for Ring {
    fn default() -> Self {
        Self::new()
    }
}

/// A queue of several producers and one consumer: of locks, since what is looked at is how it is used.
#[derive(Debug, Default)]
pub struct Inbox {
    items: std::sync::Mutex<Vec<u64>>,
    contract: Sets,
}

#[cdsspec::contract(mpsc)]
impl Inbox {
    /// An empty one.
    #[role(init)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a number in.
    #[role(producer)]
    pub fn push(&self, item: u64) {
        self.items.lock().expect("nobody panics").push(item);
    }

    /// Takes one out.
    #[role(consumer)]
    pub fn pop(&self) -> Option<u64> {
        self.items.lock().expect("nobody panics").pop()
    }
}

/// A stack of any number of threads, with methods for one that is alone with it.
#[derive(Debug, Default)]
pub struct Stack {
    items: std::sync::Mutex<Vec<u64>>,
    contract: Sets,
}

#[cdsspec::contract(mpmc)]
impl Stack {
    /// An empty one.
    #[role(init)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a number on it.
    #[role(producer)]
    pub fn push(&self, item: u64) {
        self.items.lock().expect("nobody panics").push(item);
    }

    /// Takes one off.
    #[role(consumer)]
    pub fn pop(&self) -> Option<u64> {
        self.items.lock().expect("nobody panics").pop()
    }

    /// Takes one off, where nobody else uses it.
    #[role(exclusive)]
    pub fn unsynchronised_pop(&self) -> Option<u64> {
        self.items.lock().expect("nobody panics").pop()
    }
}

/// What one thread owns at a time.
#[derive(Debug, Default)]
pub struct Owned {
    uses: Mutex<u64>,
    contract: Sets,
}

#[cdsspec::contract(single_owner)]
impl Owned {
    /// One.
    #[role(init)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses it.
    #[role(exclusive)]
    pub fn use_it(&self) {
        *self.uses.lock().expect("nobody panics") += 1;
    }
}

/// What is set once, and used then.
#[derive(Debug, Default)]
pub struct Settings {
    value: AtomicU64,
    contract: Sets,
}

#[cdsspec::contract(init_once)]
impl Settings {
    /// Not set.
    pub fn unset() -> Box<Self> {
        Box::default()
    }

    /// Sets it.
    #[role(init)]
    pub fn set(&self, value: u64) {
        self.value.store(value, Relaxed);
    }

    /// What it was set to.
    #[role(user)]
    pub fn get(&self) -> u64 {
        self.value.load(Relaxed)
    }
}

/// What says that it is dropped.
#[derive(Debug, Default)]
pub struct Closing {
    items: AtomicU64,
    contract: Sets,
}

#[cdsspec::contract(mpmc)]
impl Closing {
    /// A new one.
    #[role(init)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses it.
    #[role(producer)]
    pub fn push(&self, item: u64) {
        self.items.fetch_add(item, Relaxed);
    }

    /// Ends it by hand.
    #[role(exclusive)]
    pub fn close(&mut self) {
        self.items.store(0, Relaxed);
    }
}

#[cdsspec::contract(mpmc)]
impl Drop for Closing {
    #[role(exclusive)]
    fn drop(&mut self) {
        self.items.store(0, Relaxed);
    }
}
