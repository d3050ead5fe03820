//! The heap of the execution that runs: what it allocated, what it freed, where its objects are.
//!
//! # What std's shared pointers own
//! The counts of std's `Arc` are no operations, so that whoever drops the last one seems unordered with all who used the value. An
//! unordered free would be found that is none. So such blocks are recognised by their two counts: both are small and not zero when
//! an object behind them is used, the strong one is zero while the value is dropped, both are when the block is freed. What a thread does
//! from its first free in that drop to the last is not looked at. (An operation in it would make the program another one from run to run.)

use super::header::{BlockState, Header};
use super::left::LeftObjects;
use super::log::{Block, Counts, Home, Initialisation, LastDrop, Log, Progress, SecondFree};
use super::open::OpenAccesses;
use super::running::{self, Running};
use crate::record::{LocationId, SourceLocation};
use std::alloc::Layout;
use std::cell::{Cell, RefCell};
use std::ptr::NonNull;

thread_local! {
    /// The heap of the execution that this OS thread runs. Never destroyed, as the allocator asks at any time.
    static CURRENT: Cell<Option<NonNull<Heap>>> = const { Cell::new(None) };
}

/// The heap of one execution at a time.
pub(crate) struct Heap {
    /// Whether allocations are seen at all.
    is_active: bool,
    /// Of this execution: not zero while one runs.
    number: Cell<u64>,
    progress: Box<dyn Fn() -> Progress>,
    log: RefCell<Log>,
    /// Where each location is.
    addresses: RefCell<Vec<usize>>,
    /// Whether an object is in a block of the log.
    is_inhabited: Cell<bool>,
    /// Where the stack of each thread that runs its body begins, at the top.
    stacks: RefCell<Vec<usize>>,
    /// Whether what [`leaked`](Self::leaked) finds is freed when the execution ends.
    reclaims: Cell<bool>,
    leaked: RefCell<Vec<usize>>,
    /// What a thread has allocated and freed again in rounds without an effect: each round of its loop gets the same blocks, so that a loop that
    /// keeps nothing is known by its stack. Without an effect, nobody else has got to know them.
    spares: RefCell<Vec<usize>>,
    /// The blocks that look as if a shared pointer of std's owned them, and whose value is not being dropped.
    counted: RefCell<Vec<usize>>,
    left_objects: LeftObjects,
    open_accesses: OpenAccesses,
}

/// While it is there, the allocator tells the heap.
pub(crate) struct Current(());

impl Drop for Current {
    fn drop(&mut self) {
        CURRENT.set(None);
    }
}

/// So much below its beginning belongs to a stack for certain; what is deeper is not taken for dead.
const STACK_BYTES: usize = 32 * 1024;

/// Counts of shared pointers are smaller than this.
const COUNT_MAX: usize = 1 << 32;

impl Heap {
    /// A heap of an engine that tells how far it has come with `progress`.
    pub(crate) fn new(progress: impl Fn() -> Progress + 'static) -> Self {
        Self {
            is_active: super::installed::is_installed(),
            number: Cell::new(0),
            progress: Box::new(progress),
            log: RefCell::default(),
            addresses: RefCell::default(),
            is_inhabited: Cell::new(false),
            stacks: RefCell::default(),
            reclaims: Cell::new(false),
            leaked: RefCell::default(),
            spares: RefCell::default(),
            counted: RefCell::default(),
            left_objects: LeftObjects::default(),
            open_accesses: OpenAccesses::default(),
        }
    }

    /// Makes this the one that the allocator tells of what happens on this OS thread. It must not move until the result is dropped.
    pub(crate) fn enter(&self) -> Current {
        CURRENT.set(Some(NonNull::from(self)));
        Current(())
    }

    /// What happened.
    pub(crate) fn log(&self) -> std::cell::Ref<'_, Log> {
        self.log.borrow()
    }

    /// Whether the program has allocated or freed anything.
    pub(crate) fn is_used(&self) -> bool {
        !self.log.borrow().blocks.is_empty()
    }

    /// Whether the log can show a fault: whether an object is in a block of it, or in memory that was initialised, or a block was freed
    /// twice.
    pub(crate) fn can_show_a_fault(&self) -> bool {
        let log = self.log.borrow();
        self.is_inhabited.get() || !log.initialisations.is_empty() || !log.second_frees.is_empty()
    }

    /// An execution begins; the one before it ends.
    pub(crate) fn begin(&self, number: u64) {
        self.end();
        self.left_objects.forget();
        self.open_accesses.forget();
        self.number.set(number);
    }

    /// The accesses of cells that last.
    pub(crate) fn open_accesses(&self) -> &OpenAccesses {
        &self.open_accesses
    }

    /// The objects that the program is to end.
    pub(crate) fn left_objects(&self) -> &LeftObjects {
        &self.left_objects
    }

    /// The execution ends: what was freed in it is freed. What is left is whoever has it's to free.
    pub(crate) fn end(&self) {
        if !self.is_active || self.number.get() == 0 {
            return;
        }
        let _checker = running::begin(Running::Checker);
        let number = self.number.replace(0);
        let mut log = self.log.take();
        let leaked = std::mem::take(&mut *self.leaked.borrow_mut());
        for (index, block) in log.blocks.iter().enumerate() {
            // SAFETY: a block of the log is there until here.
            let header = unsafe { Header::of(block.start) };
            let is_reclaimed = self.reclaims.get() && leaked.binary_search(&index).is_ok();
            if is_reclaimed || !header.change(BlockState::Live(number), BlockState::Nobodys) {
                header.set(BlockState::Nobodys);
                // SAFETY: it was allocated with this layout, by the global allocator, and who had it gave it up.
                unsafe { std::alloc::dealloc(block.start, block.layout) };
            }
        }
        log.clear();
        // The memory of the tables is kept.
        *self.log.borrow_mut() = log;
        self.addresses.borrow_mut().clear();
        self.is_inhabited.set(false);
        self.stacks.borrow_mut().clear();
        self.spares.borrow_mut().clear();
        self.counted.borrow_mut().clear();
    }

    /// From here on, what [`leaked`](Self::leaked) finds is freed when its execution ends.
    ///
    /// # Safety
    /// Nothing may use it after that.
    pub(crate) unsafe fn reclaim_leaks(&self) {
        self.reclaims.set(true);
    }

    /// A thread of the program begins to run its body, from this address of its stack down.
    #[inline]
    pub(crate) fn note_stack(&self, top: usize) {
        if self.is_active {
            self.stacks.borrow_mut().push(top);
        }
    }

    /// The blocks that nobody can free any more, the execution having ended: when they were allocated, and their bytes. `newest` tells what
    /// an object holds, `stored` what any held at some time.
    pub(crate) fn leaked(
        &self,
        newest: &dyn Fn(LocationId) -> u64,
        stored: &mut dyn Iterator<Item = u64>,
    ) -> Vec<(Option<Progress>, usize)> {
        let number = self.number.get();
        // SAFETY: a block of the log is there until the execution ends.
        let is_left = |block: &Block| unsafe { Header::of(block.start) }.state() == BlockState::Live(number);
        let log = self.log.borrow();
        let leaked = super::leak::leaked(&log, &is_left, newest, stored);
        let found =
            leaked.iter().map(|&index| (log.blocks[index].allocated, log.blocks[index].layout.size()));
        let found = found.collect();
        *self.leaked.borrow_mut() = leaked;
        found
    }

    /// Which blocks will be left when the execution ends: how many, and their bytes.
    pub(crate) fn left(&self) -> (u64, u64) {
        let number = self.number.get();
        let leaked = self.leaked.borrow();
        let is_left = |(index, block): &(usize, &Block)| {
            let is_reclaimed = self.reclaims.get() && leaked.binary_search(index).is_ok();
            // SAFETY: a block of the log is there until the execution ends.
            !is_reclaimed && unsafe { Header::of(block.start) }.state() == BlockState::Live(number)
        };
        let log = self.log.borrow();
        let left = log.blocks.iter().enumerate().filter(is_left);
        left.fold((0, 0), |(count, bytes), (_, block)| (count + 1, bytes + block.layout.size() as u64))
    }

    /// An object is about to be used.
    #[inline]
    pub(crate) fn touch(&self, location: LocationId, address: usize) {
        if !self.is_active {
            return;
        }
        let is_known = self.addresses.borrow().get(location.index()) == Some(&address);
        if !is_known {
            self.move_in(location, address);
        }
    }

    /// An object is where it was not before.
    fn move_in(&self, location: LocationId, address: usize) {
        let mut addresses = self.addresses.borrow_mut();
        if addresses.len() <= location.index() {
            addresses.resize(location.index() + 1, 0);
        }
        addresses[location.index()] = address;
        let mut log = self.log.borrow_mut();
        let sequence = (self.progress)().sequence;
        let is_on_stack = self.stacks.borrow().iter().any(|top| top.wrapping_sub(address) < STACK_BYTES);
        log.homes.push(Home { location, address, sequence, is_on_stack });
        let mut blocks = log.blocks.iter_mut().enumerate().rev();
        let Some((index, block)) = blocks.find(|(_, block)| block.has(address)) else { return };
        self.is_inhabited.set(true);
        let is_behind = address - block.start.addr() >= 2 * size_of::<usize>();
        let is_count = |word: &usize| (1..COUNT_MAX).contains(word);
        if !is_behind {
            block.counts = Counts::Never;
        } else if is_behind
            && block.counts == Counts::None
            && block.words().is_some_and(|words| words.iter().all(is_count))
        {
            block.counts = Counts::Seen;
            self.counted.borrow_mut().push(index);
        }
    }

    /// Notes which shared pointers have begun to drop what they own.
    fn look_at_counts(&self) {
        let blocks = &mut self.log.borrow_mut().blocks;
        self.counted.borrow_mut().retain(|&index| {
            if blocks[index].counts != Counts::Seen {
                return false;
            }
            // All strong pointers together are one weak one, until what they own is dropped.
            let is_dropped = blocks[index].words().is_some_and(|[strong, weak]| strong == 0 && weak > 0);
            if is_dropped {
                let Progress { thread, position, .. } = (self.progress)();
                blocks[index].counts = Counts::Dropping { thread, position };
            }
            !is_dropped
        });
    }

    /// The program says that it has initialised this memory.
    pub(super) fn note_initialisation(&self, start: usize, bytes: usize, source: SourceLocation) {
        let by = (self.progress)();
        if by.is_observed {
            self.log.borrow_mut().initialisations.push(Initialisation { start, bytes, by, source });
        }
    }

    fn note_allocation(&self, block: *mut u8, layout: Layout, header: &Header) {
        let mut log = self.log.borrow_mut();
        header.set_index(log.blocks.len());
        header.set(BlockState::Live(self.number.get()));
        let allocated = Some((self.progress)());
        log.blocks.push(Block {
            start: block,
            layout,
            allocated,
            freed: None,
            counts: Counts::None,
            is_freed_in_last_drop: false,
        });
    }

    /// A block that a thread in a loop gets again.
    fn take_spare(&self, layout: Layout) -> Option<*mut u8> {
        let mut spares = self.spares.borrow_mut();
        if spares.is_empty() {
            return None;
        }
        let by = (self.progress)();
        let mut log = self.log.borrow_mut();
        let blocks = &mut log.blocks;
        let is_fit = |&index: &usize| {
            let freed = blocks[index].freed.is_some_and(|freed| freed.thread == by.thread);
            by.is_in_round && freed && blocks[index].layout == layout
        };
        let found = spares.iter().position(is_fit)?;
        let index = spares.remove(found);
        let start = blocks[index].start;
        blocks[index] = Block {
            start,
            layout,
            allocated: Some(by),
            freed: None,
            is_freed_in_last_drop: false,
            counts: Counts::None,
        };
        // SAFETY: a block of the log is there until the execution ends.
        unsafe { Header::of(start) }.set(BlockState::Live(self.number.get()));
        Some(start)
    }

    /// Whether it is held.
    fn note_free(&self, block: *mut u8, layout: Layout, header: &Header) -> bool {
        let number = self.number.get();
        let by = (self.progress)();
        match header.state() {
            BlockState::Live(execution) if execution == number => {
                if header.change(BlockState::Live(number), BlockState::Freed(number)) && by.is_observed {
                    self.free(header.index(), by);
                }
                true
            }
            BlockState::Freed(execution) if execution == number => {
                if by.is_observed {
                    self.log.borrow_mut().second_frees.push(SecondFree { block: header.index(), by });
                }
                true
            }
            BlockState::Nobodys if header.change(BlockState::Nobodys, BlockState::Freed(number)) => {
                let mut log = self.log.borrow_mut();
                header.set_index(log.blocks.len());
                let freed = by.is_observed.then_some(by);
                let counts = Counts::None;
                let is_freed_in_last_drop = false;
                let block =
                    Block { start: block, layout, allocated: None, freed, is_freed_in_last_drop, counts };
                if self.addresses.borrow().iter().any(|&address| block.has(address)) {
                    self.is_inhabited.set(true);
                }
                log.blocks.push(block);
                true
            }
            _ => false,
        }
    }

    fn free(&self, index: usize, by: Progress) {
        self.look_at_counts();
        let mut log = self.log.borrow_mut();
        // An operation in the drop would make the program another one from run to run: where the pointer's own block stays, since a weak
        // pointer is left, the drop is over by then.
        let is_dropping = |block: &Block| matches!(block.counts, Counts::Dropping { thread, position } if (thread, position) == (by.thread, by.position));
        let is_in_last_drop = log.blocks.iter().any(is_dropping);
        let block = &mut log.blocks[index];
        block.freed = Some(by);
        block.is_freed_in_last_drop = is_in_last_drop;
        let is_of_round = |allocated: Progress| allocated.is_in_round && allocated.thread == by.thread;
        if by.is_in_round && block.allocated.is_some_and(is_of_round) {
            self.spares.borrow_mut().push(index);
        }
        if matches!(block.counts, Counts::None | Counts::Never) || block.words() != Some([0, 0]) {
            return;
        }
        let from = match block.counts {
            Counts::Dropping { thread, position } if thread == by.thread => position,
            _ => by.position,
        };
        block.counts = Counts::Gone;
        log.last_drops.push(LastDrop { thread: by.thread, from, to: by.position });
    }
}

/// Asks the heap of this OS thread's execution, as the checker.
pub(super) fn with<R>(f: impl FnOnce(&Heap) -> R) -> Option<R> {
    let _checker = running::begin(Running::Checker);
    let heap = CURRENT.get()?;
    // SAFETY: `enter` set it from a reference that outlives what it returned, which takes it back.
    let heap = unsafe { heap.as_ref() };
    (heap.is_active && heap.number.get() != 0).then(|| f(heap))
}

/// The program has allocated a block.
///
/// # Safety
/// The block is new, and of the global allocator.
pub(super) unsafe fn note_allocation(block: *mut u8, layout: Layout) {
    with(|heap| {
        // SAFETY: it is there.
        let header = unsafe { Header::of(block) };
        heap.note_allocation(block, layout, header);
    });
}

/// A block that the program gets again, in place of a new one.
pub(super) fn take_spare(layout: Layout) -> Option<*mut u8> {
    with(|heap| heap.take_spare(layout)).flatten()
}

/// The program frees a block. Whether it is held until the execution ends.
///
/// # Safety
/// The block is of the global allocator, with this layout, and its owner gives it up.
pub(super) unsafe fn note_free(block: *mut u8, layout: Layout) -> bool {
    with(|heap| {
        // SAFETY: it is there.
        let header = unsafe { Header::of(block) };
        heap.note_free(block, layout, header)
    })
    .unwrap_or(false)
}
