//! A flag and a value that it publishes.

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, Ordering};

/// A value that one thread sets, and others take when they see it.
pub struct Slot {
    is_set: AtomicBool,
    value: UnsafeCell<u32>,
    published: Ordering,
}

// SAFETY: the value is written before the flag is set, and read after it was seen, if `published` releases.
unsafe impl Sync for Slot {}

impl Slot {
    /// One whose flag is set with this order.
    pub fn new(published: Ordering) -> Self {
        Self { is_set: AtomicBool::new(false), value: UnsafeCell::new(0), published }
    }

    /// Sets the value, once.
    pub fn set(&self, value: u32) {
        // SAFETY: nobody reads it as long as the flag is not set.
        self.value.with_mut(|place| unsafe { *place = value });
        self.is_set.store(true, self.published);
    }

    /// The value, if it is set.
    pub fn get(&self) -> Option<u32> {
        // SAFETY: nobody writes it any more.
        self.is_set.load(Ordering::Acquire).then(|| self.value.with(|place| unsafe { *place }))
    }
}
