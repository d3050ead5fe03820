//! Memory whose leaks are found: what is left when an execution ends is the verdict `leak`.

use cdsspec_runtime::port::{self, Tracked};
use cdsspec_runtime::record::SourceLocation;
use std::cell::RefCell;
use std::collections::HashMap;

pub use std::alloc::Layout;

std::thread_local! {
    /// The blocks of the current execution, by address.
    static BLOCKS: RefCell<HashMap<usize, Tracked>> = RefCell::default();
}

/// A new execution begins.
pub(crate) fn begin() {
    BLOCKS.take();
}

/// Takes note of a block that was allocated here. In a program: what is outside of one ends when its user wants.
#[track_caller]
fn track(block: *mut u8) -> *mut u8 {
    if port::with(|_| ()).is_some() && !block.is_null() {
        let tracked = Tracked::new("block of memory", SourceLocation::caller());
        BLOCKS.with_borrow_mut(|blocks| blocks.insert(block.addr(), tracked));
    }
    block
}

/// std's `alloc`.
///
/// # Safety
/// As of std's.
#[track_caller]
pub unsafe fn alloc(layout: Layout) -> *mut u8 {
    // SAFETY: as the caller promises.
    track(unsafe { std::alloc::alloc(layout) })
}

/// std's `alloc_zeroed`.
///
/// # Safety
/// As of std's.
#[track_caller]
pub unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: as the caller promises.
    track(unsafe { std::alloc::alloc_zeroed(layout) })
}

/// std's `dealloc`.
///
/// # Safety
/// As of std's.
pub unsafe fn dealloc(block: *mut u8, layout: Layout) {
    BLOCKS.with_borrow_mut(|blocks| blocks.remove(&block.addr()));
    // SAFETY: as the caller promises.
    unsafe { std::alloc::dealloc(block, layout) }
}

/// A value that is to be dropped, or taken out, before the execution ends.
#[derive(Debug)]
pub struct Track<T> {
    value: T,
    _tracked: Tracked,
}

impl<T> Track<T> {
    /// From here on.
    #[track_caller]
    pub fn new(value: T) -> Self {
        Self { value, _tracked: Tracked::new("Track", SourceLocation::caller()) }
    }

    /// The value.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// The value.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// The value, which need not be dropped any more.
    pub fn into_inner(self) -> T {
        self.value
    }
}
