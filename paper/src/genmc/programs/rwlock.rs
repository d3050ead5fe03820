//! The reader-writer lock of Linux: a count of what is free, of which a reader takes one and a writer all.

use super::Started;
use cdsspec_runtime::hint;
use cdsspec_runtime::sync::atomic::AtomicIsize;
use cdsspec_runtime::sync::atomic::Ordering::{Acquire, Relaxed, Release};

const ALL: isize = 0x10_0000;
static FREE: AtomicIsize = AtomicIsize::new(ALL);

/// Subtracts, looks, and adds back what was too much.
fn lock(count: isize, is_enough: impl Fn(isize) -> bool) {
    let mut before = FREE.fetch_sub(count, Acquire);
    while !is_enough(before) {
        FREE.fetch_add(count, Relaxed);
        while !is_enough(FREE.load(Relaxed)) {
            hint::spin_loop();
        }
        before = FREE.fetch_sub(count, Acquire);
    }
}

fn unlock(count: isize) {
    FREE.fetch_add(count, Release);
}

/// Threads that each lock to read, and threads that each lock to write.
pub(in super::super) fn linux_rwlock(readers: usize, writers: usize) {
    Started::all(readers, |_| {
        lock(1, |before| before > 0);
        unlock(1);
    })
    .and(writers, |_| {
        lock(ALL, |before| before == ALL);
        unlock(ALL);
    })
    .join();
}
