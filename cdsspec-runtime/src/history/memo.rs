//! Remembers what was searched: (down-set, state) pairs, and each state once.
//!
//! It has two generations. New pairs go to the younger one; when that has its share of the memory, the older one is forgotten, and the
//! younger one takes its place. A search that comes to a forgotten pair searches from there again: that takes time, and changes nothing else.

use super::chain::DownSet;
use super::hash::{WordHasher, mix};
use super::state::State;
use super::table::Table;
use crate::record::SpecificationError;

/// From where the search went on before, and how many complete orders it found there.
pub(super) struct Memo<'a> {
    younger: Generation<'a>,
    older: Generation<'a>,
    /// How many younger generations there were before.
    number: usize,
    /// About so much memory a generation takes.
    bytes_max: usize,
    /// How many pairs were forgotten.
    forgotten: u64,
}

#[derive(Default)]
struct Generation<'a> {
    states: Table<State<'a>>,
    pairs: Table<Pair>,
    /// How many calls of each chain the down-set of each pair has.
    counts: Vec<u32>,
    bytes: usize,
}

/// What goes on from a pair.
struct Pair {
    state: usize,
    count: u64,
}

/// A pair in the memo; it may be forgotten.
pub(super) struct Entry {
    number: usize,
    index: usize,
}

/// What the memo says of a node.
pub(super) enum Known {
    /// So many complete orders go on from here; all were looked at.
    Count(u64),
    /// It is new; when it is done, tell this entry.
    New(Entry),
}

/// What an entry of a table takes beside itself: its link, its hash, and room in the map.
const ENTRY_BYTES: usize = 48;

impl<'a> Memo<'a> {
    /// One that keeps to about so much memory.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            younger: Generation::default(),
            older: Generation::default(),
            number: 0,
            bytes_max: bytes_max / 2,
            forgotten: 0,
        }
    }

    /// Looks a node up; adds it if it is new. States are compared, not only their hashes. Cost: a hash, and a copy of the state if it
    /// is new.
    pub(super) fn enter(
        &mut self,
        done: &DownSet<'_>,
        state: &State<'a>,
    ) -> Result<Known, SpecificationError> {
        let mut hasher = WordHasher::default();
        let state_hash = state.hash(&mut hasher)?;
        let hash = mix(state_hash ^ done.hash());
        for generation in [&self.younger, &self.older] {
            if let Some(count) = generation.find(done, state, state_hash, hash) {
                return Ok(Known::Count(count));
            }
        }
        if self.younger.bytes > self.bytes_max {
            let older = std::mem::replace(&mut self.older, std::mem::take(&mut self.younger));
            self.forgotten += older.pairs.len() as u64;
            self.number += 1;
        }
        let index = self.younger.insert(done, (state, state_hash, hasher.bytes()), hash)?;
        Ok(Known::New(Entry { number: self.number, index }))
    }

    /// A node is done.
    pub(super) fn leave(&mut self, entry: &Entry, count: u64) {
        let generation = match self.number - entry.number {
            0 => &mut self.younger,
            1 => &mut self.older,
            _ => return,
        };
        generation.pairs.entry_mut(entry.index).count = count;
    }

    /// How many pairs were forgotten.
    pub(super) fn forgotten(&self) -> u64 {
        self.forgotten
    }
}

impl<'a> Generation<'a> {
    /// How many orders go on from a pair, if it is there.
    fn find(&self, done: &DownSet<'_>, state: &State<'a>, state_hash: u64, hash: u64) -> Option<u64> {
        let counts = done.counts();
        let state = self.states.find_index(state_hash, |_, known| known.is_equal(state))?;
        let is_it = |index: usize, pair: &Pair| {
            pair.state == state && self.counts[index * counts.len()..][..counts.len()] == *counts
        };
        let index = self.pairs.find_index(hash, is_it)?;
        Some(self.pairs.entry(index).count)
    }

    fn insert(
        &mut self,
        done: &DownSet<'_>,
        (state, state_hash, state_bytes): (&State<'a>, u64, usize),
        hash: u64,
    ) -> Result<usize, SpecificationError> {
        let known = self.states.find_index(state_hash, |_, known| known.is_equal(state));
        let state = match known {
            Some(known) => known,
            None => {
                self.bytes += size_of::<State<'_>>() + ENTRY_BYTES + state.size() + state_bytes;
                self.states.insert(state_hash, state.copy()?)
            }
        };
        self.counts.extend_from_slice(done.counts());
        self.bytes += size_of::<Pair>() + ENTRY_BYTES + size_of_val(done.counts());
        Ok(self.pairs.insert(hash, Pair { state, count: 0 }))
    }
}
