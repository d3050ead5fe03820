//! A hash table that compares what it finds.

use std::collections::HashMap;

/// Entries by hash; those of one hash are chained, and compared by whoever looks.
pub(crate) struct Table<E> {
    /// The newest entry of each hash.
    heads: HashMap<u64, usize>,
    entries: Vec<(E, Option<usize>)>,
}

impl<E> Default for Table<E> {
    fn default() -> Self {
        Self { heads: HashMap::new(), entries: Vec::new() }
    }
}

impl<E> Table<E> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(&E) -> bool) -> Option<&E> {
        let mut at = self.heads.get(&hash).copied();
        while let Some(index) = at {
            let (entry, older) = &self.entries[index];
            if is_it(entry) {
                return Some(entry);
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

    pub(crate) fn entry_mut(&mut self, index: usize) -> &mut E {
        &mut self.entries[index].0
    }
}
