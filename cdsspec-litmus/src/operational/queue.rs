//! The stores of a thread that have not entered the memory.

use super::OperationalModel;
use crate::syntax::LocationIndex;

/// What waits in a queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Entry {
    /// A store of this value to this location.
    Store(LocationIndex, i64),
    /// Nothing behind it leaves before it.
    Barrier,
}

/// The queue of a thread, the oldest entry first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct StoreQueue(Vec<Entry>);

impl StoreQueue {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    /// Takes the entry at this position out.
    pub(super) fn take(&mut self, position: usize) -> Entry {
        self.0.remove(position)
    }

    /// The value of the newest store to a location.
    pub(super) fn newest(&self, location: LocationIndex) -> Option<i64> {
        let value_there = |entry: &Entry| match *entry {
            Entry::Store(stored, value) if stored == location => Some(value),
            _ => None,
        };
        self.0.iter().rev().find_map(value_there)
    }

    /// The positions of the entries that may leave now.
    pub(super) fn leaving(&self, model: OperationalModel) -> Vec<usize> {
        (0..self.0.len()).filter(|&position| self.may_leave(position, model)).collect()
    }

    fn may_leave(&self, position: usize, model: OperationalModel) -> bool {
        let older = &self.0[..position];
        match self.0[position] {
            Entry::Store(location, _) if !model.is_first_in_first_out() => {
                let holds_back = |entry: &Entry| match *entry {
                    Entry::Store(other, _) => other == location,
                    Entry::Barrier => true,
                };
                !older.iter().any(holds_back)
            }
            _ => older.is_empty(),
        }
    }
}
