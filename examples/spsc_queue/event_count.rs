//! An event count: something to wait on without a lock around what is waited for.
//!
//! A thread that wants to wait calls [`EventCount::get`], looks once more whether it must, and calls [`EventCount::wait`], which returns at
//! once if there was a signal in between.

use cdsspec::example::seeded;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::{Relaxed, SeqCst};
use cdsspec::sync::{Condvar, Mutex, MutexGuard};

/// Somebody is about to wait.
const WAITER: u32 = 1 << 31;

/// How many events there were that somebody was about to wait for.
pub(crate) struct EventCount {
    /// The count, and `WAITER`.
    count: AtomicU32,
    mutex: Mutex<()>,
    condvar: Condvar,
}

impl EventCount {
    /// No event yet.
    pub(crate) const fn new() -> Self {
        Self { count: AtomicU32::new(0), mutex: Mutex::new(()), condvar: Condvar::new() }
    }

    /// Says that the caller is about to wait, and returns the count.
    pub(crate) fn get(&self) -> u32 {
        self.count.fetch_or(WAITER, SeqCst) & !WAITER
    }

    /// Waits until the count is another one. May return before that.
    pub(crate) fn wait(&self, seen: u32) {
        if self.count.load(SeqCst) & !WAITER != seen {
            return;
        }
        let guard = self.lock();
        if self.count.load(SeqCst) & !WAITER == seen {
            drop(self.condvar.wait(guard).expect("nobody panics with the lock"));
        }
    }

    /// Something happened: wakes all that wait for it.
    pub(crate) fn signal(&self) {
        let mut count = self.count.fetch_add(0, SeqCst);
        if count & WAITER == 0 {
            return;
        }
        let _guard = self.lock();
        while let Err(now) = self.count.compare_exchange_weak(count, (count + 1) & !WAITER, Relaxed, Relaxed)
        {
            count = now;
        }
        if !seeded("does_not_notify") {
            self.condvar.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.mutex.lock().expect("nobody panics with the lock")
    }
}
