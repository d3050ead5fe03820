//! Memory whose leaks are found.

pub use std::alloc::Layout;

/// std's `alloc`.
///
/// # Safety
/// As of std's.
#[track_caller]
pub unsafe fn alloc(layout: Layout) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe { std::alloc::alloc(layout) }
}

/// std's `alloc_zeroed`.
///
/// # Safety
/// As of std's.
#[track_caller]
pub unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe { std::alloc::alloc_zeroed(layout) }
}

/// std's `dealloc`.
///
/// # Safety
/// As of std's.
#[track_caller]
pub unsafe fn dealloc(block: *mut u8, layout: Layout) {
    // SAFETY: as the caller promises.
    unsafe { std::alloc::dealloc(block, layout) }
}

/// A value that is to be dropped before the execution ends.
#[derive(Debug)]
pub struct Track<T> {
    value: T,
}

impl<T> Track<T> {
    /// From here on.
    #[track_caller]
    pub fn new(value: T) -> Self {
        Self { value }
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
