//! The lock of Mellor-Crummey and Scott. Each thread takes and frees it once. Nodes are told by number, from 1; 0 is none.

use super::Started;
use cdsspec_runtime::hint;
use cdsspec_runtime::sync::atomic::AtomicUsize;
use cdsspec_runtime::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

struct Node {
    next: AtomicUsize,
    is_closed: AtomicUsize,
}

const NONE: usize = 0;
static TAIL: AtomicUsize = AtomicUsize::new(NONE);
static NODES: [Node; 5] =
    [const { Node { next: AtomicUsize::new(NONE), is_closed: AtomicUsize::new(0) } }; 5];

fn lock(mine: usize) {
    let node = &NODES[mine];
    node.next.store(NONE, Relaxed);
    node.is_closed.store(1, Relaxed);
    let before = TAIL.swap(mine, AcqRel);
    if before == NONE {
        return;
    }
    NODES[before].next.store(mine, Release);
    while node.is_closed.load(Acquire) == 1 {
        hint::spin_loop();
    }
}

fn unlock(mine: usize) {
    let node = &NODES[mine];
    let mut next = node.next.load(Acquire);
    if next == NONE {
        if TAIL.compare_exchange(mine, NONE, Release, Relaxed).is_ok() {
            return;
        }
        loop {
            next = node.next.load(Acquire);
            if next != NONE {
                break;
            }
            hint::spin_loop();
        }
    }
    NODES[next].is_closed.store(0, Release);
}

/// So many threads that each lock and unlock.
pub(in super::super) fn mcs_lock(threads: usize) {
    Started::all(threads, |index| {
        lock(index + 1);
        unlock(index + 1);
    })
    .join();
}
