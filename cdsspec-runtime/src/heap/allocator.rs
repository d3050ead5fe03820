//! The allocator that lets the engines see the heap.

use super::header::{BlockState, Header, prefix, whole};
use super::installed::GLOBAL;
use super::running::{self, Running};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::Ordering;

/// A global allocator around `Inner`, which lets engines see what the program under test allocates and frees.
///
/// In an execution, what the program frees stays as it is until the execution ends: so nothing is reused in it, and an access after the
/// free is no crash, but found. All else is `Inner`'s: what the checker, std threads, and programs outside an execution
/// allocate. A block is larger by 16 bytes, or by its alignment if that is more.
///
/// [`allocator!`](macro@crate::allocator) declares it; a crate that has an allocator of its own puts this around it:
///
/// ```
/// use std::alloc::System;
///
/// #[global_allocator]
/// static ALLOCATOR: cdsspec_runtime::heap::Allocator<System> = cdsspec_runtime::heap::Allocator::around(System);
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator<Inner = System>(Inner);

impl Allocator {
    /// Around the system's allocator.
    pub const fn new() -> Self {
        Self(System)
    }
}

impl<Inner> Allocator<Inner> {
    /// Around an allocator.
    pub const fn around(inner: Inner) -> Self {
        Self(inner)
    }

    fn address(&self) -> *mut () {
        std::ptr::from_ref(self).cast_mut().cast()
    }
}

/// Declares [`Allocator`](crate::heap::Allocator) as the global allocator, once in a test crate:
///
/// ```
/// cdsspec_runtime::allocator!();
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! allocator {
    () => {
        const _: () = {
            #[global_allocator]
            static ALLOCATOR: $crate::heap::Allocator = $crate::heap::Allocator::new();
        };
    };
}

impl<Inner: GlobalAlloc> Allocator<Inner> {
    /// Whether code of the program asks the global allocator, whose blocks an execution may hold.
    fn is_for_program(&self) -> bool {
        running::now() == Running::Program && std::ptr::eq(GLOBAL.load(Ordering::Relaxed), self.address())
    }

    /// What is to be done for a new block, by what runs.
    ///
    /// # Safety
    /// `memory` is null, or memory of the layout `whole(layout)` that is the caller's.
    unsafe fn begin(&self, memory: *mut u8, layout: Layout) -> *mut u8 {
        if memory.is_null() {
            return memory;
        }
        // SAFETY: the memory is that long.
        let block = unsafe { memory.add(prefix(layout)) };
        // SAFETY: as above.
        unsafe { Header::write(block) };
        match running::now() {
            Running::Checker => {}
            Running::Program if self.is_for_program() => {
                // SAFETY: the block is new.
                unsafe { super::table::note_allocation(block, layout) };
            }
            Running::Program => {}
            Running::Probe => GLOBAL.store(self.address(), Ordering::Relaxed),
        }
        block
    }

    /// Whether a block that is being freed is to be given back now.
    ///
    /// # Safety
    /// `block` is of this allocator, and the caller gives it up.
    unsafe fn ends(&self, block: *mut u8, layout: Layout) -> bool {
        if self.is_for_program()
            // SAFETY: the caller gives it up.
            && unsafe { super::table::note_free(block, layout) }
        {
            return false;
        }
        // SAFETY: the block has a header, and is there.
        let header = unsafe { Header::of(block) };
        loop {
            match header.state() {
                BlockState::Nobodys => return true,
                BlockState::Live(execution) => {
                    if header.change(BlockState::Live(execution), BlockState::FreedElsewhere(execution)) {
                        return false;
                    }
                }
                // Freed twice, across the border: once is enough.
                BlockState::Freed(_) | BlockState::FreedElsewhere(_) => return false,
            }
        }
    }
}

// SAFETY: a block lies within memory of `Inner`'s that nobody else has until the block is freed, at the least; what stands before it keeps
// its alignment.
unsafe impl<Inner: GlobalAlloc> GlobalAlloc for Allocator<Inner> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if self.is_for_program()
            && let Some(block) = super::table::take_spare(layout)
        {
            return block;
        }
        let Some(whole) = whole(layout) else { return std::ptr::null_mut() };
        // SAFETY: the whole has a header, and so is not empty.
        let memory = unsafe { self.0.alloc(whole) };
        // SAFETY: it was just made.
        unsafe { self.begin(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(whole) = whole(layout) else { return std::ptr::null_mut() };
        // SAFETY: the whole has a header, and so is not empty.
        let memory = unsafe { self.0.alloc_zeroed(whole) };
        // SAFETY: it was just made.
        unsafe { self.begin(memory, layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller gives it up.
        if !unsafe { self.ends(block, layout) } {
            return;
        }
        let whole = whole(layout).expect("it was allocated");
        // SAFETY: the block lies so far within its memory.
        let memory = unsafe { block.sub(prefix(layout)) };
        // SAFETY: it was allocated with this layout, and nobody has it.
        unsafe { self.0.dealloc(memory, whole) };
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the block has a header, and is there.
        let header = unsafe { Header::of(block) };
        let Ok(new_layout) = Layout::from_size_align(size, layout.align()) else {
            return std::ptr::null_mut();
        };
        if running::now() != Running::Program
            && header.state() == BlockState::Nobodys
            && let (Some(old), Some(new)) = (whole(layout), whole(new_layout))
        {
            // SAFETY: the block lies so far within its memory.
            let memory = unsafe { block.sub(prefix(layout)) };
            // SAFETY: it was allocated with this layout, and nobody else has it. The header is copied with the rest.
            let memory = unsafe { self.0.realloc(memory, old, new.size()) };
            if memory.is_null() {
                return memory;
            }
            // SAFETY: it is that long, with the same alignment.
            return unsafe { memory.add(prefix(layout)) };
        }
        // SAFETY: the size is not 0.
        let new = unsafe { self.alloc(new_layout) };
        if !new.is_null() {
            // SAFETY: both are at least that long, and they are two.
            unsafe { std::ptr::copy_nonoverlapping(block, new, layout.size().min(size)) };
            // SAFETY: the caller gives it up.
            unsafe { self.dealloc(block, layout) };
        }
        new
    }
}
