//! Read, copy, update: readers look at a version that never changes, writers make a changed copy and put it in place of the old one.
//!
//! The scheme is that of McKenney and Slingwine (*Read-copy update: using execution history to solve concurrency problems*, PDCS 1998);
//! here with several writers, of which the one that loses copies anew.
//!
//! # Ordering points
//! - `write`: the compare-exchange that put the new version in place. Each version is made from the one before, which its writer
//!   acquired, so all writes are ordered.
//! - `read`: the load of the pointer. It decides which version is read, and is ordered after the write that made it.
//!
//! # What is specified
//! Two numbers. Every execution is admissible. A `read` returns what some order of exactly the writes before it adds up to: a whole
//! version, and none that a write before the read replaced. Of a concurrent write it shows nothing.
//!
//! # What is left out
//! Grace periods: old versions live as long as the structure does.

use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicI32, AtomicPtr};
use std::ptr;

/// Two numbers that are changed together.
pub(crate) struct Rcu {
    current: AtomicPtr<Version>,
}

/// A version. It is not changed any more once it is in place.
struct Version {
    first: AtomicI32,
    second: AtomicI32,
    /// The version that it replaced, if any.
    previous: *mut Version,
}

// SAFETY: versions are shared, never handed out, and freed only with the structure.
unsafe impl Send for Rcu {}
// SAFETY: as above. What is read of a version are atomics.
unsafe impl Sync for Rcu {}

#[cdsspec::spec]
#[declare_state(numbers: (i32, i32))]
impl Rcu {
    /// Both numbers are 0.
    pub(crate) fn new() -> Self {
        Self { current: AtomicPtr::new(Version::alloc()) }
    }

    /// Both numbers.
    #[justifying_post_condition(c_ret == *numbers)]
    pub(crate) fn read(&self) -> (i32, i32) {
        #[op_define]
        let current = self.current.load(Acquire);
        // SAFETY: versions are freed only with the structure.
        let mut version = unsafe { &*current };
        if seeded("returns_old_numbers") {
            // SAFETY: as above.
            version = unsafe { version.previous.as_ref() }.unwrap_or(version);
        }
        if seeded("reads_the_first_numbers") {
            return (0, 0);
        }
        (version.first.load(Relaxed), version.second.load(Relaxed))
    }

    /// Adds to both numbers.
    #[side_effect(*numbers = (numbers.0 + first, numbers.1 + second))]
    pub(crate) fn write(&self, first: i32, second: i32) {
        let new = Version::alloc();
        loop {
            let old = self.current.load(Acquire);
            // SAFETY: versions are freed only with the structure.
            let replaced = unsafe { &*old };
            // SAFETY: nobody else knows the new version.
            let version = unsafe { &mut *new };
            version.previous = old;
            version.first.store(replaced.first.load(Relaxed) + first, Relaxed);
            version.second.store(replaced.second.load(Relaxed) + second, Relaxed);
            #[op_define(is_in_place)]
            let is_in_place = self.current.compare_exchange(old, new, Release, Relaxed).is_ok();
            if is_in_place {
                return;
            }
            hint::spin_loop();
        }
    }
}

impl Version {
    /// A version of which nobody else knows.
    fn alloc() -> *mut Self {
        let (first, second) = (AtomicI32::new(0), AtomicI32::new(0));
        Box::into_raw(Box::new(Self { first, second, previous: ptr::null_mut() }))
    }
}

impl Drop for Rcu {
    fn drop(&mut self) {
        let mut next = *self.current.get_mut();
        while !next.is_null() {
            // SAFETY: `alloc` made it, nobody else is left, and no other version has this one as its previous one.
            let version = unsafe { Box::from_raw(next) };
            next = version.previous;
        }
    }
}
