//! Treiber's stack. Nodes are told by number and used once; 0 is none.

use super::Started;
use cdsspec_runtime::hint;
use cdsspec_runtime::sync::atomic::AtomicUsize;
use cdsspec_runtime::sync::atomic::Ordering::{Acquire, Relaxed, Release};

const NONE: usize = 0;
static TOP: AtomicUsize = AtomicUsize::new(NONE);
/// The node below each node.
static BELOW: [AtomicUsize; 8] = [const { AtomicUsize::new(NONE) }; 8];

fn push(node: usize) {
    loop {
        let top = TOP.load(Acquire);
        BELOW[node].store(top, Relaxed);
        if TOP.compare_exchange(top, node, Release, Relaxed).is_ok() {
            return;
        }
        hint::spin_loop();
    }
}

fn pop() -> Option<usize> {
    loop {
        let top = TOP.load(Acquire);
        if top == NONE {
            return None;
        }
        let below = BELOW[top].load(Relaxed);
        if TOP.compare_exchange(top, below, Release, Relaxed).is_ok() {
            return Some(top);
        }
        hint::spin_loop();
    }
}

/// Threads that each push, and threads that each pop.
pub(in super::super) fn treiber_stack(writers: usize, readers: usize) {
    Started::all(writers, |index| push(index + 1))
        .and(readers, |_| {
            pop();
        })
        .join();
}
