//! The reader-writer spinlock of the Linux kernel, as it was on x86 until 2014, with the memory orders that Norris and Demsky gave it for
//! CDSChecker.
//!
//! One number: a reader takes 1 from it, a writer the whole [`BIAS`]. Who finds too little there puts back what it took, and waits or
//! gives up; meanwhile it may make others fail.
//!
//! # Ordering points
//! - The locks: the subtraction that succeeded; it acquires what the unlocks before it released.
//! - The trylocks: the subtraction, also if it fails: that is when the call knows.
//! - The unlocks: the addition, which releases.
//!
//! # What is specified
//! A writer or any number of readers. Every execution is admissible. A trylock may fail only if somebody holds the lock, or if a call
//! that it can have collided with is concurrent: for a reader, one of a writer; for a writer, any. So a trylock may fail although, and
//! because, another one fails: `strict.rs` has a specification that forbids that, and does not hold.
//!
//! # What is left out
//! - A trylock beside a lock that waits. While that tries in vain it makes others fail, but it is ordered by the attempt that works: after a
//!   trylock whose thread has locked and unlocked since. Then nothing is concurrent with the trylock that failed, and the specification refutes a lock
//!   that is correct: `--explore` found a `try_write` beside a `read` and a third thread.
//! - Guards and the data behind them, and more than `BIAS` readers.
//! - Stronger orders. Whom a trylock collides with is concurrent only because a subtraction does not release: were it `AcqRel`, a `write_trylock` that
//!   fails, and has not yet put back what it took, would come before the trylock that fails because of it, and the specification would refute
//!   a lock that is correct. So `--advise --from relaxed`, which begins with the strongest orders, ends there. To allow a failure after every
//!   failed trylock would be too much: one that does not put back at all would not be found.

use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicI32;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// What a writer takes: more than there are readers.
const BIAS: i32 = 0x10_0000;

/// A lock for one writer or many readers.
pub(crate) struct RwLock {
    /// `BIAS`, less 1 for each reader and `BIAS` for each writer.
    free: AtomicI32,
}

#[cdsspec::spec]
#[declare_state(is_written: bool, readers: u32)]
impl RwLock {
    /// A lock that is free.
    pub(crate) const fn new() -> Self {
        Self { free: AtomicI32::new(BIAS) }
    }

    /// Waits until nobody writes, and takes the lock for reading.
    #[pre_condition(!*is_written)]
    #[side_effect(*readers += 1)]
    pub(crate) fn read_lock(&self) {
        let mut free = self.free.fetch_sub(1, Acquire);
        while free <= 0 {
            self.free.fetch_add(1, Relaxed);
            while self.free.load(Relaxed) <= 0 {
                hint::spin_loop();
            }
            free = self.free.fetch_sub(1, Acquire);
        }
        cdsspec::op_define!();
    }

    /// Waits until nobody holds the lock, and takes it for writing.
    #[pre_condition(!*is_written && *readers == 0)]
    #[side_effect(*is_written = true)]
    pub(crate) fn write_lock(&self) {
        let mut free = self.free.fetch_sub(BIAS, Acquire);
        while free != BIAS {
            self.free.fetch_add(BIAS, Relaxed);
            while self.free.load(Relaxed) != BIAS {
                hint::spin_loop();
            }
            free = self.free.fetch_sub(BIAS, Acquire);
        }
        cdsspec::op_define!();
    }

    /// Takes the lock for reading, if nobody writes.
    #[pre_condition(c_ret != *is_written || !c_ret && (concurrent.write_lock().any(|_| true)
        || concurrent.write_trylock().any(|_| true) || concurrent.write_unlock().any(|_| true)))]
    #[side_effect(*readers += u32::from(c_ret))]
    pub(crate) fn read_trylock(&self) -> bool {
        #[op_define]
        let free = self.free.fetch_sub(1, Acquire);
        let is_free = if seeded("readers_keep_readers_out") { free == BIAS } else { free > 0 };
        if is_free && !seeded("read_trylock_always_fails") {
            return true;
        }
        self.free.fetch_add(1, Relaxed);
        false
    }

    /// Takes the lock for writing, if nobody holds it.
    #[pre_condition(c_ret == (!*is_written && *readers == 0) || !c_ret && !concurrent.is_empty())]
    #[side_effect(*is_written |= c_ret)]
    pub(crate) fn write_trylock(&self) -> bool {
        #[op_define]
        let free = self.free.fetch_sub(BIAS, Acquire);
        if free == BIAS && !seeded("write_trylock_always_fails") {
            return true;
        }
        if !seeded("does_not_put_back") {
            self.free.fetch_add(BIAS, Relaxed);
        }
        false
    }

    /// Gives back a lock that the caller holds for reading.
    #[pre_condition(*readers > 0)]
    #[side_effect(*readers -= 1)]
    pub(crate) fn read_unlock(&self) {
        #[op_define]
        self.free.fetch_add(1, Release);
    }

    /// Gives back a lock that the caller holds for writing.
    #[pre_condition(*is_written)]
    #[side_effect(*is_written = false)]
    pub(crate) fn write_unlock(&self) {
        #[op_define]
        self.free.fetch_add(BIAS, Release);
    }
}
