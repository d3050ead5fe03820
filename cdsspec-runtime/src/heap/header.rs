//! What stands in front of each block: whose it is.
//!
//! A block can be freed by any OS thread at any time, also while the execution in which it was allocated runs on another one. Who
//! frees it asks the header: one atomic word, without a lock.

use std::alloc::Layout;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// The state of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockState {
    /// No execution knows it: it is the checker's, or what an execution left behind. Freeing it frees it.
    Nobodys,
    /// The program allocated it in this execution, which has not ended.
    Live(u64),
    /// The program freed it in this execution, which has not ended: it is there until then.
    Freed(u64),
    /// The program allocated it in this execution, and somebody else freed it: it is there until the execution ends.
    FreedElsewhere(u64),
}

const TAG_BITS: u32 = 2;

impl BlockState {
    fn bits(self) -> u64 {
        match self {
            Self::Nobodys => 0,
            Self::Live(execution) => execution << TAG_BITS | 1,
            Self::Freed(execution) => execution << TAG_BITS | 2,
            Self::FreedElsewhere(execution) => execution << TAG_BITS | 3,
        }
    }

    fn from_bits(bits: u64) -> Self {
        let execution = bits >> TAG_BITS;
        match bits & ((1 << TAG_BITS) - 1) {
            0 => Self::Nobodys,
            1 => Self::Live(execution),
            2 => Self::Freed(execution),
            _ => Self::FreedElsewhere(execution),
        }
    }
}

/// The header of a block.
#[derive(Debug)]
pub(super) struct Header {
    state: AtomicU64,
    /// Its number in the table of the execution that its state names.
    index: AtomicU64,
}

/// The bytes of the header; a block that is aligned to more has more bytes before it.
const HEADER_BYTES: usize = size_of::<Header>();

/// How many bytes stand before a block of this layout.
pub(super) fn prefix(layout: Layout) -> usize {
    layout.align().max(HEADER_BYTES)
}

/// The layout of the whole: what stands before the block, and the block. `None` if there is no memory as large as that.
pub(super) fn whole(layout: Layout) -> Option<Layout> {
    let size = layout.size().checked_add(prefix(layout))?;
    Layout::from_size_align(size, layout.align().max(HEADER_BYTES)).ok()
}

impl Header {
    /// Writes the header of a new block that is nobody's.
    ///
    /// # Safety
    /// `block` begins `prefix` bytes after the beginning of memory that is the caller's.
    pub(super) unsafe fn write(block: *mut u8) {
        let header = Self { state: AtomicU64::new(BlockState::Nobodys.bits()), index: AtomicU64::new(0) };
        // SAFETY: the header lies within the prefix.
        let place = unsafe { block.sub(HEADER_BYTES) }.cast::<Self>();
        // SAFETY: the memory is the caller's; a prefix is a multiple of the header's size, and so the place is aligned.
        unsafe { place.write(header) };
    }

    /// The header of a block.
    ///
    /// # Safety
    /// [`write`](Self::write) was called for `block`, whose memory was not given back during `'a`.
    pub(super) unsafe fn of<'a>(block: *mut u8) -> &'a Self {
        // SAFETY: the header lies within the prefix.
        let place = unsafe { block.sub(HEADER_BYTES) }.cast::<Self>();
        // SAFETY: it was written, and is only accessed atomically since.
        unsafe { &*place }
    }

    pub(super) fn state(&self) -> BlockState {
        BlockState::from_bits(self.state.load(Acquire))
    }

    pub(super) fn set(&self, state: BlockState) {
        self.state.store(state.bits(), Release);
    }

    /// Whether the state was `old`, and is `new` now.
    pub(super) fn change(&self, old: BlockState, new: BlockState) -> bool {
        self.state.compare_exchange(old.bits(), new.bits(), AcqRel, Acquire).is_ok()
    }

    pub(super) fn index(&self) -> usize {
        usize::try_from(self.index.load(Relaxed)).expect("cdsspec bug: it was an index")
    }

    pub(super) fn set_index(&self, index: usize) {
        self.index.store(index as u64, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_back_as_it_was_written() {
        for state in [
            BlockState::Nobodys,
            BlockState::Live(1),
            BlockState::Freed(7),
            BlockState::FreedElsewhere(1 << 40),
        ] {
            assert_eq!(BlockState::from_bits(state.bits()), state);
        }
    }

    #[test]
    fn a_block_keeps_its_alignment_and_has_room_for_its_header() {
        for align in [1, 8, 16, 64, 4096] {
            let layout = Layout::from_size_align(3, align).unwrap();
            let whole = whole(layout).unwrap();
            assert_eq!((whole.align() % align, prefix(layout) % align), (0, 0));
            assert!(prefix(layout) >= HEADER_BYTES && whole.size() == prefix(layout) + 3);
        }
    }

    #[test]
    fn memory_that_is_too_large_is_refused() {
        let largest = Layout::from_size_align(isize::MAX as usize, 1).unwrap();
        assert!(whole(largest).is_none());
    }
}
