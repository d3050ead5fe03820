//! The programs that are explored, with two permits.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::semaphore::Semaphore;
use cdsspec::Scenario;
use cdsspec::cell::UnsafeCell;
use cdsspec::thread;

/// Two threads that go in and out, and one that stays.
pub(crate) fn three() {
    let semaphore = Semaphore::<2>::new();
    let enter_and_leave = || {
        semaphore.acquire();
        semaphore.release();
    };
    thread::scope(|scope| {
        scope.spawn(enter_and_leave);
        scope.spawn(enter_and_leave);
        scope.spawn(|| semaphore.acquire());
    });
}

/// One permit is taken; one thread takes the other one and gives it back, one tries to. At last one is there.
pub(crate) fn acquire__try() {
    let semaphore = Semaphore::<2>::new();
    semaphore.acquire();
    thread::scope(|scope| {
        scope.spawn(|| {
            semaphore.acquire();
            semaphore.release();
        });
        scope.spawn(|| {
            if semaphore.try_acquire() {
                semaphore.release();
            }
        });
    });
    semaphore.try_acquire();
}

/// A word that is guarded by the second of two permits, of which the first is taken for good.
struct Guarded {
    semaphore: Semaphore<2>,
    word: UnsafeCell<i32>,
}

// SAFETY: the word is accessed only by who has the second permit.
unsafe impl Sync for Guarded {}

impl Guarded {
    fn change(&self) {
        self.semaphore.acquire();
        // SAFETY: this thread has the second permit.
        self.word.with_mut(|word| unsafe { *word += 1 });
        self.semaphore.release();
    }
}

/// Two threads that change what one permit guards.
pub(crate) fn guards() {
    let guarded = Guarded { semaphore: Semaphore::new(), word: UnsafeCell::new(0) };
    guarded.semaphore.acquire();
    thread::scope(|scope| {
        scope.spawn(|| guarded.change());
        scope.spawn(|| guarded.change());
    });
    assert_eq!(guarded.word.into_inner(), 2);
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<Semaphore<2>> {
    Scenario::new(Semaphore::<2>::new)
        .op("acquire_and_release()", |semaphore| {
            semaphore.acquire();
            semaphore.release().into()
        })
        .op("try()", |semaphore| {
            let is_there = semaphore.try_acquire();
            is_there.then(|| semaphore.release());
            is_there.into()
        })
}
