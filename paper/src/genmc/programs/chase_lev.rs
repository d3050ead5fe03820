//! The work-stealing deque of Chase and Lev, with the memory orders of Lê, Pop, Cohen and Zappa Nardelli; its array never grows.

use super::Started;
use cdsspec_runtime::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use cdsspec_runtime::sync::atomic::{AtomicUsize, fence};

static BOTTOM: AtomicUsize = AtomicUsize::new(1);
static TOP: AtomicUsize = AtomicUsize::new(1);
static SLOTS: [AtomicUsize; 8] = [const { AtomicUsize::new(0) }; 8];

fn push(item: usize) {
    let bottom = BOTTOM.load(Relaxed);
    let _top = TOP.load(Acquire);
    SLOTS[bottom].store(item, Relaxed);
    fence(Release);
    BOTTOM.store(bottom + 1, Relaxed);
}

fn take() -> Option<usize> {
    let bottom = BOTTOM.load(Relaxed) - 1;
    BOTTOM.store(bottom, Relaxed);
    fence(SeqCst);
    let top = TOP.load(Relaxed);
    if top > bottom {
        BOTTOM.store(bottom + 1, Relaxed);
        return None;
    }
    let item = SLOTS[bottom].load(Relaxed);
    if top < bottom {
        return Some(item);
    }
    let is_won = TOP.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok();
    BOTTOM.store(bottom + 1, Relaxed);
    is_won.then_some(item)
}

fn steal() -> Option<usize> {
    let top = TOP.load(Relaxed);
    fence(SeqCst);
    let bottom = BOTTOM.load(Acquire);
    if top >= bottom {
        return None;
    }
    let item = SLOTS[top].load(Relaxed);
    TOP.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok().then_some(item)
}

/// An owner that pushes three times and takes twice, beside so many thieves that each steal once.
pub(in super::super) fn chase_lev_deque(thieves: usize) {
    let thieves = Started::all(thieves, |_| {
        steal();
    });
    push(1);
    push(2);
    push(3);
    take();
    take();
    thieves.join();
}
