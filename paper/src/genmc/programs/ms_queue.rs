//! The queue of Michael and Scott. Nodes are told by number and used once; 0 is none, 1 the first dummy.

use super::Started;
use cdsspec_runtime::hint;
use cdsspec_runtime::sync::atomic::AtomicUsize;
use cdsspec_runtime::sync::atomic::Ordering::{Acquire, Relaxed, Release};

const NONE: usize = 0;
const DUMMY: usize = 1;
static HEAD: AtomicUsize = AtomicUsize::new(DUMMY);
static TAIL: AtomicUsize = AtomicUsize::new(DUMMY);
/// The node behind each node.
static NEXT: [AtomicUsize; 8] = [const { AtomicUsize::new(NONE) }; 8];

fn enqueue(node: usize) {
    let last = loop {
        let tail = TAIL.load(Acquire);
        let next = NEXT[tail].load(Acquire);
        if next == NONE {
            if NEXT[tail].compare_exchange(NONE, node, Release, Relaxed).is_ok() {
                break tail;
            }
        } else {
            let _helped = TAIL.compare_exchange(tail, next, Release, Relaxed);
        }
        hint::spin_loop();
    };
    let _moved = TAIL.compare_exchange(last, node, Release, Relaxed);
}

fn dequeue() -> Option<usize> {
    loop {
        let head = HEAD.load(Acquire);
        let tail = TAIL.load(Acquire);
        let next = NEXT[head].load(Acquire);
        if head == tail {
            if next == NONE {
                return None;
            }
            let _helped = TAIL.compare_exchange(tail, next, Release, Relaxed);
        } else if HEAD.compare_exchange(head, next, Release, Relaxed).is_ok() {
            return Some(next);
        }
        hint::spin_loop();
    }
}

/// Threads that each enqueue, and threads that each dequeue.
pub(in super::super) fn ms_queue(writers: usize, readers: usize) {
    Started::all(writers, |index| enqueue(DUMMY + 1 + index))
        .and(readers, |_| {
            dequeue();
        })
        .join();
}

/// Threads that each enqueue and then dequeue.
pub(in super::super) fn ms_queue_pairs(threads: usize) {
    Started::all(threads, |index| {
        enqueue(DUMMY + 1 + index);
        dequeue();
    })
    .join();
}
