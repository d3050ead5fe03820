//! A sequence lock over two words.

use super::Started;
use cdsspec_runtime::hint;
use cdsspec_runtime::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec_runtime::sync::atomic::{AtomicUsize, fence};

static SEQUENCE: AtomicUsize = AtomicUsize::new(0);
static FIRST: AtomicUsize = AtomicUsize::new(0);
static SECOND: AtomicUsize = AtomicUsize::new(0);

fn write(value: usize) {
    loop {
        let before = SEQUENCE.load(Acquire);
        if before.is_multiple_of(2) && SEQUENCE.compare_exchange(before, before + 1, Acquire, Relaxed).is_ok()
        {
            break;
        }
        hint::spin_loop();
    }
    fence(Release);
    FIRST.store(value, Relaxed);
    SECOND.store(value, Relaxed);
    SEQUENCE.fetch_add(1, Release);
}

fn read() -> [usize; 2] {
    loop {
        let before = SEQUENCE.load(Acquire);
        if before.is_multiple_of(2) {
            let first = FIRST.load(Relaxed);
            let second = SECOND.load(Relaxed);
            fence(Acquire);
            if SEQUENCE.load(Relaxed) == before {
                return [first, second];
            }
        }
        hint::spin_loop();
    }
}

/// Threads that each write, and threads that each read.
pub(in super::super) fn seqlock(writers: usize, readers: usize) {
    Started::all(writers, |index| write(index + 1))
        .and(readers, |_| {
            read();
        })
        .join();
}
