//! A bounded queue of many producers and many consumers: the counts of what is reserved, in one word, and of what is done. There is room for all
//! that is written here.

use super::Started;
use cdsspec_runtime::hint;
use cdsspec_runtime::sync::atomic::AtomicUsize;
use cdsspec_runtime::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// How many slots were reserved to be read (times [`ONE`]) and to be written.
static RESERVED: AtomicUsize = AtomicUsize::new(0);
static READ: AtomicUsize = AtomicUsize::new(0);
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

const ONE: usize = 0x100;
const SLOTS: usize = 16;

/// What is reserved to be read, and to be written.
fn counts(reserved: usize) -> [usize; 2] {
    [reserved / ONE, reserved % ONE]
}

/// A round begins with the value that the failed exchange of the one before saw.
fn write() {
    let mut reserved = RESERVED.load(Acquire);
    let read = loop {
        let [read, written] = counts(reserved);
        if written - read == SLOTS {
            return;
        }
        match RESERVED.compare_exchange(reserved, reserved + 1, AcqRel, Acquire) {
            Ok(_) => break read,
            Err(now) => reserved = now,
        }
        hint::spin_loop();
    };
    while READ.load(Acquire) != read {
        hint::spin_loop();
    }
    WRITTEN.fetch_add(1, Release);
}

fn read() {
    let mut reserved = RESERVED.load(Acquire);
    let written = loop {
        let [read, written] = counts(reserved);
        if written == read {
            return;
        }
        match RESERVED.compare_exchange(reserved, reserved + ONE, AcqRel, Acquire) {
            Ok(_) => break written,
            Err(now) => reserved = now,
        }
        hint::spin_loop();
    };
    while WRITTEN.load(Acquire) != written {
        hint::spin_loop();
    }
    READ.fetch_add(1, Release);
}

/// Threads that each write, and threads that each read.
pub(in super::super) fn mpmc_queue(writers: usize, readers: usize) {
    Started::all(writers, |_| write()).and(readers, |_| read()).join();
}
