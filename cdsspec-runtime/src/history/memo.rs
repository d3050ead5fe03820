//! Remembers what was searched: (down-set, state) pairs.

use super::state::State;
use super::table::Table;
use crate::record::SpecificationError;
use fixedbitset::FixedBitSet;
use std::hash::{DefaultHasher, Hash};

/// From where the search went on before, and how many complete orders it found there.
#[derive(Default)]
pub(super) struct Memo<'a>(Table<Entry<'a>>);

struct Entry<'a> {
    done: FixedBitSet,
    state: State<'a>,
    count: u64,
}

/// What the memo says of a node.
pub(super) enum Known {
    /// So many complete orders go on from here; all were looked at.
    Count(u64),
    /// It is new; when it is done, tell this entry.
    New(usize),
}

impl<'a> Memo<'a> {
    /// Looks a node up; adds it if it is new. States are compared, not only their hashes. Cost: a hash, and a copy of the state if it
    /// is new.
    pub(super) fn enter(
        &mut self,
        done: &FixedBitSet,
        state: &State<'a>,
    ) -> Result<Known, SpecificationError> {
        let mut hasher = DefaultHasher::new();
        done.as_slice().hash(&mut hasher);
        let hash = state.hash(&mut hasher)?;
        let found = self.0.find(hash, |entry| entry.done == *done && entry.state.is_equal(state));
        if let Some(entry) = found {
            return Ok(Known::Count(entry.count));
        }
        let entry = Entry { done: done.clone(), state: state.copy()?, count: 0 };
        Ok(Known::New(self.0.insert(hash, entry)))
    }

    /// A node is done.
    pub(super) fn leave(&mut self, entry: usize, count: u64) {
        self.0.entry_mut(entry).count = count;
    }
}
