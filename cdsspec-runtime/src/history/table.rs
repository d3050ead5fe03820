//! A hash table that compares what it finds.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Entries by hash; those of one hash are chained, and compared by whoever looks.
pub(crate) struct Table<E> {
    /// The newest entry of each hash.
    heads: HashMap<u64, usize, BuildHasherDefault<AsIs>>,
    entries: Vec<(E, Option<usize>)>,
}

/// The key is a hash already.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("cdsspec bug: the keys are words");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl<E> Default for Table<E> {
    fn default() -> Self {
        Self { heads: HashMap::default(), entries: Vec::new() }
    }
}

impl<E> Table<E> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(&E) -> bool) -> Option<&E> {
        self.find_index(hash, |_, entry| is_it(entry)).map(|index| &self.entries[index].0)
    }

    /// The index of the entry of this hash that is it; `is_it` is told indices, too.
    pub(super) fn find_index(&self, hash: u64, is_it: impl Fn(usize, &E) -> bool) -> Option<usize> {
        let mut at = self.heads.get(&hash).copied();
        while let Some(index) = at {
            let (entry, older) = &self.entries[index];
            if is_it(index, entry) {
                return Some(index);
            }
            at = *older;
        }
        None
    }

    /// Adds an entry; its index.
    pub(crate) fn insert(&mut self, hash: u64, entry: E) -> usize {
        let index = self.entries.len();
        let older = self.heads.insert(hash, index);
        self.entries.push((entry, older));
        index
    }

    pub(super) fn entry(&self, index: usize) -> &E {
        &self.entries[index].0
    }

    pub(super) fn entry_mut(&mut self, index: usize) -> &mut E {
        &mut self.entries[index].0
    }
}
