//! A hash map that is read without locks, after an early `ConcurrentHashMap` of Doug Lea's: segments of it have locks for writing, and for
//! reading anew what a reader without the lock did not find.
//!
//! # Ordering points
//! - `get`: the load of the value, if it returns that one: it is sequentially consistent, as the store that replaces a value is, so the
//!   two are ordered even if the load reads what was there before. Otherwise the lock of the segment.
//! - `put`: the store of the value: under the lock, and sequentially consistent if it replaces one. The first store to a new entry is
//!   relaxed: the store of the entry in its bucket releases it.
//!
//! # What is specified
//! A map in which every key has the value 0 at first. Every execution is admissible, and no call may do anything at will.
//!
//! # What is left out
//! Growing, removal, and values other than numbers, which must be atomics here; 0 stands for a value that is not there yet.

use cdsspec::example::seeded;
use cdsspec::sync::Mutex;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use cdsspec::sync::atomic::{AtomicI32, AtomicPtr};
use std::collections::BTreeMap;

const BUCKETS: usize = 16;
const SEGMENTS: usize = 4;

/// A map from numbers to numbers.
pub(crate) struct HashMap {
    buckets: [AtomicPtr<Entry>; BUCKETS],
    /// The lock of each bucket: some buckets have the same one.
    segments: [Mutex<()>; SEGMENTS],
}

/// A key and its value. An entry stays in its bucket, at its end or with an older one behind it.
struct Entry {
    key: usize,
    value: AtomicI32,
    next: AtomicPtr<Entry>,
}

#[cdsspec::spec]
#[declare_state(map: BTreeMap<usize, i32>)]
impl HashMap {
    /// A map of zeros.
    pub(crate) fn new() -> Self {
        Self {
            buckets: [const { AtomicPtr::new(std::ptr::null_mut()) }; BUCKETS],
            segments: [const { Mutex::new(()) }; SEGMENTS],
        }
    }

    /// The value of a key.
    #[side_effect(map.get(&key).copied().unwrap_or(0))]
    pub(crate) fn get(&self, key: usize) -> i32 {
        let bucket = &self.buckets[key % BUCKETS];
        if let Some(entry) = Entry::find(bucket.load(Acquire), key) {
            #[op_define(value != 0)]
            let value = entry.value.load(SeqCst);
            if value != 0 && !seeded("gets_nothing") {
                return value;
            }
        }
        if seeded("does_not_look_again") || seeded("gets_nothing") {
            return 0;
        }
        #[op_define]
        let _guard = self.segments[key % SEGMENTS].lock().expect("nobody panics with the lock");
        Entry::find(bucket.load(Relaxed), key).map_or(0, |entry| entry.value.load(Relaxed))
    }

    /// Sets the value of a key, which must not be 0; returns the one before.
    #[side_effect(map.insert(key, value).unwrap_or(0))]
    pub(crate) fn put(&self, key: usize, value: i32) -> i32 {
        let bucket = &self.buckets[key % BUCKETS];
        let _guard = self.segments[key % SEGMENTS].lock().expect("nobody panics with the lock");
        let first = bucket.load(Relaxed);
        if let Some(entry) = Entry::find(first, key) {
            let old = entry.value.load(Relaxed);
            #[op_define]
            entry.value.store(value, SeqCst);
            return if seeded("puts_as_if_it_was_new") { 0 } else { old };
        }
        let entry = Box::new(Entry { key, value: AtomicI32::new(0), next: AtomicPtr::default() });
        #[op_define]
        entry.value.store(value, Relaxed);
        entry.next.store(first, Relaxed);
        bucket.store(Box::into_raw(entry), Release);
        0
    }
}

impl Entry {
    /// The entry of a key in a bucket.
    fn find<'a>(first: *mut Self, key: usize) -> Option<&'a Self> {
        let mut next = first;
        loop {
            // SAFETY: entries are freed only with the map.
            let entry = unsafe { next.as_ref() }?;
            if entry.key == key {
                return Some(entry);
            }
            next = entry.next.load(Relaxed);
        }
    }
}

impl Drop for HashMap {
    fn drop(&mut self) {
        for bucket in &mut self.buckets {
            let mut next = *bucket.get_mut();
            while !next.is_null() {
                // SAFETY: `put` made it, it is in one bucket once, and nobody else is left.
                let mut entry = unsafe { Box::from_raw(next) };
                next = *entry.next.get_mut();
            }
        }
    }
}
