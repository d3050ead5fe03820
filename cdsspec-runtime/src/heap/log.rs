//! Plain data: what one execution did to the heap.

use crate::record::{LocationId, SourceLocation, ThreadId};
use std::alloc::Layout;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How far a thread, and the execution, have come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The thread that is running.
    pub thread: ThreadId,
    /// How many operations it has done.
    pub position: u32,
    /// How many operations all threads have done.
    pub sequence: u32,
    /// Whether what happens now counts.
    pub is_observed: bool,
    /// Whether the thread is in a round of a loop that has had no effect so far.
    pub is_in_round: bool,
}

/// A block that the program allocated or freed in the execution. None is reused in it, so no two overlap but for those of others, which
/// may have gone before one of the program's came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) start: *mut u8,
    pub(super) layout: Layout,
    /// `None`: it was there before the execution, or is the checker's.
    pub(super) allocated: Option<Progress>,
    pub(super) freed: Option<Progress>,
    /// Whether it was freed while its thread dropped what a shared pointer of std's owned.
    pub(super) is_freed_in_last_drop: bool,
    pub(super) counts: Counts,
}

/// Whether std's `Arc` or `Rc` owns a block: as far as its first two words tell, at two moments at least.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counts {
    /// Not as far as is known.
    None,
    /// No: an instrumented object is where they would be.
    Never,
    /// They looked like two counts when an object behind them was used.
    Seen,
    /// The first has gone to zero: its value is being dropped. By whom, and since when.
    Dropping { thread: ThreadId, position: u32 },
    /// Both had, when the block was freed.
    Gone,
}

impl Block {
    /// Whether this address is in the block.
    pub(super) fn has(&self, address: usize) -> bool {
        address.wrapping_sub(self.start.addr()) < self.layout.size()
    }

    /// The first two words, where std's shared pointers keep the strong and the weak count (`repr(C)`), and the value behind them.
    pub(super) fn words(&self) -> Option<[usize; 2]> {
        let is_large = self.layout.size() >= 2 * size_of::<usize>();
        if !is_large || self.layout.align() < align_of::<usize>() {
            return None;
        }
        let start = self.start.cast::<usize>();
        let load = |index: usize| {
            // SAFETY: the block is that large.
            let word = unsafe { start.add(index) };
            // SAFETY: the block is aligned for it, and is there until the execution ends. Counts of std's are accessed atomically; what
            // else may be there is only compared.
            unsafe { AtomicUsize::from_ptr(word) }.load(Ordering::Relaxed)
        };
        Some([load(0), load(1)])
    }
}

impl Block {
    /// Every word of the block.
    pub(super) fn all_words(&self) -> impl Iterator<Item = usize> + '_ {
        let first = self.start.align_offset(align_of::<usize>());
        let count = self.layout.size().saturating_sub(first) / size_of::<usize>();
        (0..count).map(move |index| {
            // SAFETY: the block is that large.
            let word = unsafe { self.start.add(first + index * size_of::<usize>()) };
            // SAFETY: it is aligned, and there until the execution ends. Whoever else has the block does not run, or is another OS thread
            // that has no business with it.
            unsafe { AtomicUsize::from_ptr(word.cast()) }.load(Ordering::Relaxed)
        })
    }
}

/// Where an object is from some moment on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home {
    pub(super) location: LocationId,
    pub(super) address: usize,
    /// How many operations had been done before.
    pub(super) sequence: u32,
    /// Whether it is on a stack of the program, which does not outlive the execution.
    pub(super) is_on_stack: bool,
}

/// Memory that the program says it has initialised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Initialisation {
    pub(super) start: usize,
    pub(super) bytes: usize,
    pub(super) by: Progress,
    pub(super) source: SourceLocation,
}

/// While it lasts, the thread drops what a shared pointer of std's owned: it is the last one that has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastDrop {
    pub(super) thread: ThreadId,
    /// How many operations the thread had done when it began.
    pub(super) from: u32,
    /// And when it ended.
    pub(super) to: u32,
}

/// A free of what was freed already.
#[derive(Clone, Copy, Debug)]
pub(super) struct SecondFree {
    pub(super) block: usize,
    pub(super) by: Progress,
}

/// What one execution did to the heap.
#[derive(Default, Debug)]
pub(crate) struct Log {
    /// In the order in which the execution met them.
    pub(super) blocks: Vec<Block>,
    pub(super) homes: Vec<Home>,
    pub(super) initialisations: Vec<Initialisation>,
    pub(super) last_drops: Vec<LastDrop>,
    pub(super) second_frees: Vec<SecondFree>,
}

impl Log {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.homes.clear();
        self.initialisations.clear();
        self.last_drops.clear();
        self.second_frees.clear();
    }
}
