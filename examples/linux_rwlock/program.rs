//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::linux_rwlock::RwLock;
use super::strict::StrictRwLock;
use cdsspec::Scenario;
use cdsspec::cell::UnsafeCell;
use cdsspec::thread;

/// A word and the lock that guards it.
struct Shared {
    lock: RwLock,
    word: UnsafeCell<i32>,
}

// SAFETY: the word is accessed only by who holds the lock.
unsafe impl Sync for Shared {}

impl Shared {
    fn new() -> Self {
        Self { lock: RwLock::new(), word: UnsafeCell::new(0) }
    }

    /// The word, for one who holds the lock.
    fn load(&self) -> i32 {
        // SAFETY: nobody writes while the lock is held.
        self.word.with(|word| unsafe { *word })
    }

    /// Sets the word, for one who holds the lock for writing.
    fn store(&self, value: i32) {
        // SAFETY: nobody else reads or writes while the lock is held for writing.
        self.word.with_mut(|word| unsafe { *word = value });
    }
}

/// Two threads that each read, then write.
pub(crate) fn both() {
    let shared = Shared::new();
    let read_and_write = || {
        shared.lock.read_lock();
        shared.load();
        shared.lock.read_unlock();
        shared.lock.write_lock();
        shared.store(1);
        shared.lock.write_unlock();
    };
    thread::scope(|scope| {
        scope.spawn(read_and_write);
        scope.spawn(read_and_write);
    });
}

pub(crate) fn write__read() {
    let lock = RwLock::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            lock.write_lock();
            lock.write_unlock();
        });
        scope.spawn(|| {
            lock.read_lock();
            lock.read_unlock();
        });
    });
}

/// Two threads that try to write, of which one then tries to read.
pub(crate) fn try_try() {
    let lock = RwLock::new();
    let try_to_write = || {
        if lock.write_trylock() {
            lock.write_unlock();
        }
    };
    thread::scope(|scope| {
        scope.spawn(try_to_write);
        scope.spawn(|| {
            try_to_write();
            if lock.read_trylock() {
                lock.read_unlock();
            }
        });
    });
}

/// Locks of one thread beside trylocks of the other.
pub(crate) fn mixed() {
    let shared = Shared::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            shared.lock.write_lock();
            shared.store(17);
            shared.lock.write_unlock();
            if shared.lock.read_trylock() {
                shared.load();
                shared.lock.read_unlock();
            }
        });
        scope.spawn(|| {
            if shared.lock.write_trylock() {
                shared.store(16);
                shared.lock.write_unlock();
            }
            shared.lock.read_lock();
            shared.load();
            shared.lock.read_unlock();
        });
    });
}

/// Two threads that try to write, of which one tries again, under the specification that is too strict.
pub(crate) fn strict_try_try() {
    let lock = StrictRwLock::new();
    let try_to_write = || {
        if lock.write_trylock() {
            lock.write_unlock();
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            try_to_write();
            try_to_write();
        });
        scope.spawn(try_to_write);
    });
}

/// The locks, each with its unlock.
pub(crate) fn locks() -> Scenario<RwLock> {
    Scenario::new(RwLock::new)
        .op("read()", |lock| {
            lock.read_lock();
            lock.read_unlock().into()
        })
        .op("write()", |lock| {
            lock.write_lock();
            lock.write_unlock().into()
        })
}

/// The trylocks, each with its unlock where it worked. Not beside the locks: one of those makes a trylock fail when it tries in vain, and may be
/// ordered after it, by the attempt that works.
pub(crate) fn trylocks() -> Scenario<RwLock> {
    Scenario::new(RwLock::new)
        .op("try_read()", |lock| {
            let is_locked = lock.read_trylock();
            is_locked.then(|| lock.read_unlock());
            is_locked.into()
        })
        .op("try_write()", |lock| {
            let is_locked = lock.write_trylock();
            is_locked.then(|| lock.write_unlock());
            is_locked.into()
        })
}
