//! A steal beside a resize.

use super::super::objects::Arena;
use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering::SeqCst};
use std::collections::VecDeque;

/// How many items the first buffer has.
const FIRST: usize = 4;

/// Items by their positions, modulo the length.
type Buffer = Vec<AtomicI32>;

/// Work that one thread puts in and others steal, in a buffer that grows, as that of Chase and Lev's deque does (*Dynamic circular work-stealing deque*, 2005), whose owner here takes
/// nothing out itself.
///
/// # Fault
/// The new buffer is there for all before the items are in it. A `steal` beside the `put` that lets it grow takes what is no item. Before that, it takes four calls of `put`.
///
/// # Correct
/// The items are copied first. Nobody changes them in the old buffer any more, so that a slow `steal` may look there.
pub(crate) struct SharedWork {
    top: AtomicUsize,
    bottom: AtomicUsize,
    buffer: AtomicPtr<Buffer>,
    buffers: Arena<Buffer>,
    copies_first: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(items: VecDeque<i32>)]
impl SharedWork {
    fn new(copies_first: bool) -> Self {
        let buffers = Arena::new();
        let buffer = AtomicPtr::new(buffers.add(Self::buffer_of(FIRST)));
        Self { top: AtomicUsize::new(0), bottom: AtomicUsize::new(0), buffer, buffers, copies_first }
    }

    /// Whose new buffer is there too early.
    pub(crate) fn faulty() -> Self {
        Self::new(false)
    }

    /// Whose items are copied first.
    pub(crate) fn correct() -> Self {
        Self::new(true)
    }

    fn buffer_of(length: usize) -> Buffer {
        (0..length).map(|_| AtomicI32::new(0)).collect()
    }

    /// Puts an item in.
    #[scenario(one_thread, args(1, 2))]
    #[side_effect(items.push_back(item))]
    pub(crate) fn put(&self, item: i32) {
        let (bottom, top) = (self.bottom.load(SeqCst), self.top.load(SeqCst));
        let mut buffer = self.buffers.at(self.buffer.load(SeqCst));
        if bottom - top == buffer.len() {
            buffer = self.grow(buffer, top..bottom);
        }
        buffer[bottom % buffer.len()].store(item, SeqCst);
        #[op_define]
        self.bottom.store(bottom + 1, SeqCst);
    }

    fn grow(&self, old: &Buffer, positions: std::ops::Range<usize>) -> &Buffer {
        let link = self.buffers.add(Self::buffer_of(2 * old.len()));
        let new = self.buffers.at(link);
        if !self.copies_first {
            self.buffer.store(link, SeqCst);
        }
        for position in positions {
            let item = old[position % old.len()].load(SeqCst);
            new[position % new.len()].store(item, SeqCst);
        }
        if self.copies_first {
            self.buffer.store(link, SeqCst);
        }
        new
    }

    /// Takes the oldest item, if there is one.
    #[scenario]
    #[side_effect(items.pop_front())]
    pub(crate) fn steal(&self) -> Option<i32> {
        loop {
            let top = self.top.load(SeqCst);
            #[op_clear_define]
            let bottom = self.bottom.load(SeqCst);
            if top >= bottom {
                return None;
            }
            let buffer = self.buffers.at(self.buffer.load(SeqCst));
            let item = buffer[top % buffer.len()].load(SeqCst);
            #[op_clear_define]
            let is_taken = self.top.compare_exchange(top, top + 1, SeqCst, SeqCst).is_ok();
            if is_taken {
                return Some(item);
            }
            hint::spin_loop();
        }
    }
}
