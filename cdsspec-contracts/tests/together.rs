//! Value and clock of an atomic change together, also while threads run side by side.
#![allow(clippy::unwrap_used, reason = "tests")]

use cdsspec_contracts::sync::atomic::AtomicU64;
use cdsspec_contracts::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use cdsspec_contracts::thread;
use cdsspec_contracts::threads::Moment;
use cdsspec_contracts::{Epoch, ThreadIndex};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

const READS: usize = 5_000;

/// A moment, in a value.
fn packed(epoch: Epoch) -> u64 {
    u64::from(epoch.thread.0) << 40 | epoch.step
}

fn epoch_of(value: u64) -> Epoch {
    Epoch { thread: ThreadIndex((value >> 40) as u32), step: value & ((1 << 40) - 1) }
}

/// Two threads write the moment before each write, by stores, and by exchanges; one reads. The write is the step after the moment. So who reads a value
/// knows this step of its writer, and none after it: those come with values that are written later, and who has read one of them reads no earlier one.
#[test]
fn who_reads_a_value_learns_what_was_released_with_it_and_no_more() {
    let (atomic, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let write = |number: u64| {
        let mut count = number;
        while !is_over.load(SeqCst) {
            let value = packed(Moment::now().unwrap().epoch);
            count += 1;
            match count % 3 {
                0 => drop(atomic.swap(value, AcqRel)),
                _ => atomic.store(value, Release),
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| write(0));
        scope.spawn(|| write(1));
        // What was known, and what was written: pairs, so that the writers end before anything is said.
        let mut pairs = Vec::new();
        while pairs.len() < READS {
            let value = atomic.load(Acquire);
            if value != 0 {
                let (epoch, moment) = (epoch_of(value), Moment::of_last_operation().unwrap());
                pairs.push((moment.clock.get(epoch.thread), epoch.step + 1));
            }
        }
        is_over.store(true, SeqCst);
        pairs.into_iter().for_each(|(known, written)| assert_eq!(known, written));
    });
}
