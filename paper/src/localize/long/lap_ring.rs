//! A lap of a ring.

use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicI32, AtomicUsize, Ordering::SeqCst};
use std::collections::VecDeque;

/// How many nodes there are; one of them is always free.
const NODES: usize = 4;

/// A ring of nodes, which one thread fills and any thread empties.
///
/// # Fault
/// Positions are those of the nodes, and say nothing of how often all of them were used. A `take` has read the item of a node, and others take that and fill the node again, a lap later; its
/// compare-exchange wins, and it returns the item that was taken before. Beside it, it takes four calls of `put` and four of `take`.
///
/// # Correct
/// Positions are never the same again.
pub(crate) struct LapRing {
    items: [AtomicI32; NODES],
    head: AtomicUsize,
    tail: AtomicUsize,
    counts_laps: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(items: VecDeque<i32>)]
impl LapRing {
    /// Whose positions come back.
    pub(crate) fn faulty() -> Self {
        let items = [const { AtomicI32::new(0) }; NODES];
        Self { items, head: AtomicUsize::new(0), tail: AtomicUsize::new(0), counts_laps: false }
    }

    /// Whose positions do not.
    pub(crate) fn correct() -> Self {
        Self { counts_laps: true, ..Self::faulty() }
    }

    /// The position behind another one.
    fn behind(&self, position: usize) -> usize {
        if self.counts_laps { position + 1 } else { (position + 1) % NODES }
    }

    /// Puts an item in; whether there is room.
    #[scenario(one_thread, args(1, 2, 3))]
    #[side_effect(items.len() < NODES - 1 && { items.push_back(item); true })]
    pub(crate) fn put(&self, item: i32) -> bool {
        let tail = self.tail.load(SeqCst);
        #[op_define]
        let head = self.head.load(SeqCst);
        let behind = self.behind(tail);
        if behind % NODES == head % NODES {
            return false;
        }
        self.items[tail % NODES].store(item, SeqCst);
        #[op_clear_define]
        self.tail.store(behind, SeqCst);
        true
    }

    /// Takes the oldest item, if there is one.
    #[scenario]
    #[side_effect(items.pop_front())]
    pub(crate) fn take(&self) -> Option<i32> {
        loop {
            let head = self.head.load(SeqCst);
            #[op_clear_define]
            let tail = self.tail.load(SeqCst);
            if head == tail {
                return None;
            }
            let item = self.items[head % NODES].load(SeqCst);
            #[op_clear_define]
            let is_taken = self.head.compare_exchange(head, self.behind(head), SeqCst, SeqCst).is_ok();
            if is_taken {
                return Some(item);
            }
            hint::spin_loop();
        }
    }
}
