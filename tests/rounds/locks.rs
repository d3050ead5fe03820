//! Locks whose waiters write in each round, go round by turns, or back off: right ones, and each with an order that is too weak.

use cdsspec::cell::UnsafeCell;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicBool, AtomicUsize};
use cdsspec::{hint, thread};

/// A lock, whose operations release in this order when it is unlocked.
pub(crate) trait Lock: Send + Sync + 'static {
    fn new(unlock: Ordering) -> Self;
    fn lock(&self);
    fn unlock(&self);
}

/// A word that one thread at a time may access.
struct Guarded<L> {
    lock: L,
    word: UnsafeCell<usize>,
}

// SAFETY: the word is accessed only with the lock; where that is not enough, the checker says so.
unsafe impl<L: Lock> Sync for Guarded<L> {}

impl<L: Lock> Guarded<L> {
    fn add(&self) {
        self.lock.lock();
        self.word.with_mut(|word| {
            // SAFETY: the lock is held.
            unsafe { *word += 1 };
        });
        self.lock.unlock();
    }
}

/// Two threads add to a word under a lock, and main looks.
pub(crate) fn two_adders<L: Lock>(unlock: Ordering) {
    let shared = Arc::new(Guarded { lock: L::new(unlock), word: UnsafeCell::new(0) });
    let other = shared.clone();
    let child = thread::spawn(move || other.add());
    shared.add();
    child.join().expect("it does not panic");
    // SAFETY: the other thread has been joined.
    shared.word.with(|word| assert_eq!(unsafe { *word }, 2));
}

pub(crate) struct TestAndSet(AtomicBool, Ordering);

impl Lock for TestAndSet {
    fn new(unlock: Ordering) -> Self {
        Self(AtomicBool::new(false), unlock)
    }

    fn lock(&self) {
        while self.0.swap(true, Acquire) {
            hint::spin_loop();
        }
    }

    fn unlock(&self) {
        self.0.store(false, self.1);
    }
}

pub(crate) struct Ticket {
    next: AtomicUsize,
    serving: AtomicUsize,
    unlock: Ordering,
}

impl Lock for Ticket {
    fn new(unlock: Ordering) -> Self {
        Self { next: AtomicUsize::new(0), serving: AtomicUsize::new(0), unlock }
    }

    fn lock(&self) {
        let mine = self.next.fetch_add(1, Relaxed);
        while self.serving.load(Acquire) != mine {
            hint::spin_loop();
        }
    }

    fn unlock(&self) {
        let mine = self.serving.load(Relaxed);
        self.serving.store(mine + 1, self.unlock);
    }
}

/// Each failed try waits twice as long as the one before.
pub(crate) struct BackOff(AtomicBool, Ordering);

impl Lock for BackOff {
    fn new(unlock: Ordering) -> Self {
        Self(AtomicBool::new(false), unlock)
    }

    fn lock(&self) {
        let mut wait = 1;
        while self.0.compare_exchange_weak(false, true, Acquire, Relaxed).is_err() {
            (0..wait).for_each(|_| hint::spin_loop());
            wait = (2 * wait).min(8);
        }
    }

    fn unlock(&self) {
        self.0.store(false, self.1);
    }
}

/// A lock for readers and a writer that adds first, and looks then.
pub(crate) struct AddThenCheck(AtomicUsize, Ordering);

const WRITER: usize = 256;

impl AddThenCheck {
    fn read_lock(&self) {
        while self.0.fetch_add(1, Acquire) & WRITER != 0 {
            self.0.fetch_sub(1, Relaxed);
            hint::spin_loop();
        }
    }

    fn read_unlock(&self) {
        self.0.fetch_sub(1, self.1);
    }
}

impl Lock for AddThenCheck {
    fn new(unlock: Ordering) -> Self {
        Self(AtomicUsize::new(0), unlock)
    }

    fn lock(&self) {
        while self.0.compare_exchange(0, WRITER, Acquire, Relaxed).is_err() {
            hint::spin_loop();
        }
    }

    fn unlock(&self) {
        self.0.fetch_sub(WRITER, self.1);
    }
}

/// A writer adds, and a reader sees nothing half done.
pub(crate) fn reader_and_writer(unlock: Ordering) {
    let shared = Arc::new(Guarded { lock: AddThenCheck::new(unlock), word: UnsafeCell::new(0) });
    let other = shared.clone();
    let reader = thread::spawn(move || {
        other.lock.read_lock();
        // SAFETY: the lock is held for reading.
        other.word.with(|word| assert!(unsafe { *word } < 2));
        other.lock.read_unlock();
    });
    shared.add();
    reader.join().expect("it does not panic");
}

/// A program, by its lock, which releases in this order.
pub(crate) type Row = (&'static str, fn(Ordering));

/// The programs.
pub(crate) fn rows() -> [Row; 4] {
    [
        ("test and set", two_adders::<TestAndSet>),
        ("ticket", two_adders::<Ticket>),
        ("back off", two_adders::<BackOff>),
        ("add, then check", reader_and_writer),
    ]
}

pub(crate) const STRONG: Ordering = Release;
pub(crate) const WEAK: Ordering = Relaxed;
