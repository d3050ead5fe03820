//! A block that is taken back.

use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicI32, AtomicUsize, Ordering::SeqCst};
use std::collections::VecDeque;

/// How many items a block has.
const ITEMS: usize = 2;
/// A count stands beside the lap of its block, which it is less than.
const LAP: usize = 16;

/// Items that go through a block of the ring together.
struct Block {
    items: [AtomicI32; ITEMS],
    /// The lap, and how many items were written.
    written: AtomicUsize,
    /// The lap, and how many items somebody has reserved.
    reserved: AtomicUsize,
    /// How many items have been read by who has reserved them.
    finished: AtomicUsize,
}

/// Work in two blocks, which one thread fills in turns and others empty, as the blocks of a block-based work-stealing queue (Wang and others, *BWoS: formally verified block-based work stealing for
/// parallel processing*, 2023).
///
/// # Fault
/// A block is taken back when all of its items are reserved. A thief that has not read its item yet gets what is in its place then, and counts it finished in the next lap. Beside that `take` it
/// takes two calls of `put`, and four of `put` and one of `take` before.
///
/// # Correct
/// A block is taken back when all of its items are finished.
pub(crate) struct Blocks {
    ring: [Block; 2],
    /// The block that is filled, counted through all laps.
    filling: AtomicUsize,
    /// And the one that is emptied.
    emptying: AtomicUsize,
    waits_for_thieves: bool,
}

/// The lap in which a block has this number. Lap 0 is before the first one.
fn lap_of(number: usize) -> usize {
    number / 2 + 1
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(items: VecDeque<i32>)]
impl Blocks {
    fn new(waits_for_thieves: bool) -> Self {
        let block = |lap: usize, count: usize| Block {
            items: [const { AtomicI32::new(0) }; ITEMS],
            written: AtomicUsize::new(lap * LAP + count),
            reserved: AtomicUsize::new(lap * LAP + count),
            finished: AtomicUsize::new(count),
        };
        let (filling, emptying) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { ring: [block(1, 0), block(0, ITEMS)], filling, emptying, waits_for_thieves }
    }

    /// That looks at what is reserved.
    pub(crate) fn faulty() -> Self {
        Self::new(false)
    }

    /// That looks at what is finished.
    pub(crate) fn correct() -> Self {
        Self::new(true)
    }

    /// Puts an item in, unless the next block is in use.
    #[scenario(one_thread, args(1, 2, 3))]
    #[side_effect(if c_ret { items.push_back(item) })]
    pub(crate) fn put(&self, item: i32) -> bool {
        let mut number = self.filling.load(SeqCst);
        #[op_define]
        let mut written = self.ring[number % 2].written.load(SeqCst);
        if written % LAP == ITEMS {
            let next = &self.ring[(number + 1) % 2];
            let count = if self.waits_for_thieves { &next.finished } else { &next.reserved };
            #[op_clear_define]
            let is_free = count.load(SeqCst) % LAP == ITEMS;
            if !is_free {
                return false;
            }
            number += 1;
            written = lap_of(number) * LAP;
            next.finished.store(0, SeqCst);
            next.written.store(written, SeqCst);
            next.reserved.store(written, SeqCst);
            self.filling.store(number, SeqCst);
        }
        let block = &self.ring[number % 2];
        block.items[written % LAP].store(item, SeqCst);
        #[op_clear_define]
        block.written.store(written + 1, SeqCst);
        true
    }

    /// Takes the oldest item, if there is one.
    #[scenario]
    #[side_effect(items.pop_front())]
    pub(crate) fn take(&self) -> Option<i32> {
        loop {
            let number = self.emptying.load(SeqCst);
            let block = &self.ring[number % 2];
            #[op_clear_define]
            let reserved = block.reserved.load(SeqCst);
            if reserved / LAP < lap_of(number) {
                // The block is not filled yet, and all those before it are empty.
                return None;
            }
            #[op_clear_define]
            let written = block.written.load(SeqCst);
            let is_over = reserved / LAP > lap_of(number) || reserved % LAP == ITEMS;
            if is_over {
                _ = self.emptying.compare_exchange(number, number + 1, SeqCst, SeqCst);
            } else if written / LAP != lap_of(number) {
                hint::spin_loop();
            } else if written <= reserved {
                return None;
            } else {
                #[op_clear_define]
                let is_reserved =
                    block.reserved.compare_exchange(reserved, reserved + 1, SeqCst, SeqCst).is_ok();
                if is_reserved {
                    let item = block.items[reserved % LAP].load(SeqCst);
                    block.finished.fetch_add(1, SeqCst);
                    return Some(item);
                }
            }
        }
    }
}
