//! A sequence lock: writers exclude each other, readers only look whether a writer was there, and try again.
//!
//! It is the lock of the Linux kernel for data that is read often; the memory orders are those that Boehm works out in *Can seqlocks
//! get along with programming language memory models?* (MSPC 2012).
//!
//! # Ordering points
//! - `write`: the store of the second number. The numbers are relaxed, but the store is between the compare-exchange that made the
//!   sequence number odd and the addition that makes it even again, which releases it.
//! - `read`: the load of the second number in the last try: it comes after the load that acquired the sequence number, so that all
//!   writes that this read has to know are ordered before it.
//!
//! # What is specified
//! Two numbers. Every execution is admissible. A `read` returns both numbers as some order of exactly the writes before it leaves
//! them: never one of each of two writes, nor numbers that a write before it replaced. Of a concurrent write it shows nothing.
//!
//! # What is left out
//! The wrap of the sequence number, and data that is not made of atomics: reading it beside a write would be a race.

use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicI32, AtomicUsize, fence};

/// Two numbers that are read and written together.
#[derive(Default)]
pub(crate) struct SeqLock {
    /// Odd while a writer is at work.
    sequence: AtomicUsize,
    first: AtomicI32,
    second: AtomicI32,
}

#[cdsspec::spec]
#[declare_state(numbers: (i32, i32))]
impl SeqLock {
    /// Both numbers.
    #[justifying_post_condition(c_ret == *numbers)]
    pub(crate) fn read(&self) -> (i32, i32) {
        loop {
            let before = self.sequence.load(Acquire);
            if is_odd(before) {
                hint::spin_loop();
                continue;
            }
            let first = self.first.load(Relaxed);
            #[op_clear_define]
            let second = self.second.load(Relaxed);
            fence(Acquire);
            if self.sequence.load(Relaxed) == before || seeded("does_not_look_again") {
                return if seeded("returns_old_numbers") { (0, 0) } else { (first, second) };
            }
            hint::spin_loop();
        }
    }

    /// Replaces both numbers.
    #[side_effect(*numbers = (first, second))]
    pub(crate) fn write(&self, first: i32, second: i32) {
        loop {
            let before = self.sequence.load(Acquire);
            if !is_odd(before)
                && self.sequence.compare_exchange(before, before.wrapping_add(1), Relaxed, Relaxed).is_ok()
            {
                break;
            }
            hint::spin_loop();
        }
        fence(Release);
        self.first.store(first, Relaxed);
        #[op_define]
        self.second.store(second, Relaxed);
        self.sequence.fetch_add(1, Release);
    }
}

fn is_odd(sequence: usize) -> bool {
    sequence % 2 == 1
}
