//! Positions that wrap.

use cdsspec::sync::atomic::{AtomicI32, AtomicU8, Ordering::Relaxed, Ordering::SeqCst};
use std::collections::VecDeque;

/// How many items there is room for.
const ROOM: u16 = 4;

/// A ring of four places for one who sends and one who receives, whose positions have 8 bits.
///
/// # Fault
/// The distance of the positions is computed in 16 bits. It is wrong while one position has wrapped and the other one has not: then the ring is never full, and an item is
/// overwritten that nobody has received. It takes 252 calls of `send` that succeed, and five more with nothing received in between.
///
/// # Correct
/// The distance has 8 bits, as the positions have.
pub(crate) struct Ring {
    items: [AtomicI32; ROOM as usize],
    head: AtomicU8,
    tail: AtomicU8,
    is_wide: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(items: VecDeque<i32>)]
impl Ring {
    /// Whose distance has 16 bits.
    pub(crate) fn faulty() -> Self {
        let items = [const { AtomicI32::new(0) }; ROOM as usize];
        Self { items, head: AtomicU8::new(0), tail: AtomicU8::new(0), is_wide: true }
    }

    /// Whose distance has 8.
    pub(crate) fn correct() -> Self {
        Self { is_wide: false, ..Self::faulty() }
    }

    /// Sends an item; whether there is room.
    #[scenario(one_thread, args(1, 2))]
    #[side_effect(items.len() < usize::from(ROOM) && { items.push_back(item); true })]
    pub(crate) fn send(&self, item: i32) -> bool {
        let tail = self.tail.load(Relaxed);
        #[op_define]
        let head = self.head.load(SeqCst);
        let wide = u16::from(tail).wrapping_sub(u16::from(head));
        if ROOM == if self.is_wide { wide } else { wide & 0xFF } {
            return false;
        }
        self.items[usize::from(tail) % self.items.len()].store(item, Relaxed);
        #[op_clear_define]
        self.tail.store(tail.wrapping_add(1), SeqCst);
        true
    }

    /// Receives the oldest item, if there is one.
    #[scenario(one_thread)]
    #[side_effect(items.pop_front())]
    pub(crate) fn receive(&self) -> Option<i32> {
        let head = self.head.load(Relaxed);
        #[op_define]
        let tail = self.tail.load(SeqCst);
        if head == tail {
            return None;
        }
        let item = self.items[usize::from(head) % self.items.len()].load(Relaxed);
        #[op_clear_define]
        self.head.store(head.wrapping_add(1), SeqCst);
        Some(item)
    }
}
