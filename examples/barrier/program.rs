//! The programs that are explored, with two parties.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::barrier::Barrier;
use cdsspec::Scenario;
use cdsspec::cell::UnsafeCell;
use cdsspec::thread;

/// Two threads meet.
pub(crate) fn once() {
    let barrier = Barrier::<2>::default();
    thread::scope(|scope| {
        scope.spawn(|| barrier.wait());
        scope.spawn(|| barrier.wait());
    });
}

/// Two threads meet twice.
pub(crate) fn twice() {
    let barrier = Barrier::<2>::default();
    let wait_twice = || {
        barrier.wait();
        barrier.wait();
    };
    thread::scope(|scope| {
        scope.spawn(wait_twice);
        scope.spawn(wait_twice);
    });
}

/// A word for each of two threads.
struct Words {
    barrier: Barrier<2>,
    words: [UnsafeCell<i32>; 2],
}

// SAFETY: a word is written by its thread alone before the barrier, and only read after it.
unsafe impl Sync for Words {}

impl Words {
    fn exchange(&self, mine: usize) -> i32 {
        // SAFETY: nobody else uses it yet.
        self.words[mine].with_mut(|word| unsafe { *word = 1 });
        self.barrier.wait();
        // SAFETY: nobody writes any more.
        self.words[1 - mine].with(|word| unsafe { *word })
    }
}

/// Two threads that each write a word, meet, and read the other's.
pub(crate) fn exchange() {
    let words = Words { barrier: Barrier::default(), words: [UnsafeCell::new(0), UnsafeCell::new(0)] };
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(words.exchange(0), 1));
        scope.spawn(|| assert_eq!(words.exchange(1), 1));
    });
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<Barrier<2>> {
    Scenario::new(Barrier::<2>::default).op("wait()", |barrier| barrier.wait().into())
}
