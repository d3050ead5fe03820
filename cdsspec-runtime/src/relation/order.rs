//! The order r over a set of calls.

use super::matrix::BitMatrix;
use crate::record::CallId;
use fixedbitset::FixedBitSet;

/// The order r over a set of calls (CDSSpec, section 3.1).
///
/// A strict partial order: irreflexive and transitive. The calls are in order of invocation; the *slot* of a call is its number
/// among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderRelation {
    calls: Vec<CallId>,
    /// Row `b` is the set of slots before `b`.
    before: BitMatrix,
}

impl OrderRelation {
    /// The order that these pairs of calls give, closed; `None` if they have a cycle. Cost: O(calls³ / word).
    ///
    /// # Panics
    /// If `calls` is not strictly ascending, or a pair names another call.
    pub fn from_pairs(calls: Vec<CallId>, pairs: impl IntoIterator<Item = (CallId, CallId)>) -> Option<Self> {
        assert!(calls.is_sorted_by(|a, b| a < b), "cdsspec bug: calls are in order of invocation");
        let mut before = BitMatrix::new(calls.len());
        let slot = |call| calls.binary_search(&call).expect("a pair names calls of the relation");
        for (first, second) in pairs {
            before.insert(slot(second), slot(first));
        }
        Self::close(calls, before)
    }

    /// A relation that is closed and has no cycle.
    pub(super) fn of_closed(calls: Vec<CallId>, before: BitMatrix) -> Self {
        Self { calls, before }
    }

    /// Closes a relation; `None` if it has a cycle.
    pub(super) fn close(calls: Vec<CallId>, mut before: BitMatrix) -> Option<Self> {
        before.close();
        let is_acyclic = (0..before.size()).all(|slot| !before.contains(slot, slot));
        is_acyclic.then_some(Self { calls, before })
    }

    /// The calls, in order of invocation.
    pub fn calls(&self) -> &[CallId] {
        &self.calls
    }

    /// Whether `first` r `second`; false for calls that are not among these.
    pub fn is_ordered(&self, first: CallId, second: CallId) -> bool {
        match (self.slot(first), self.slot(second)) {
            (Some(first), Some(second)) => self.is_slot_ordered(first, second),
            _ => false,
        }
    }

    /// The calls that are unordered with this one, in order of invocation (CDSSpec, section 3.1).
    pub fn concurrent(&self, call: CallId) -> impl Iterator<Item = CallId> + '_ {
        let slot = self.slot(call);
        (0..self.calls.len())
            .filter(move |&other| slot.is_some_and(|slot| self.is_slot_concurrent(slot, other)))
            .map(|other| self.calls[other])
    }

    /// The calls before this one, in order of invocation.
    pub fn predecessors(&self, call: CallId) -> impl Iterator<Item = CallId> + '_ {
        self.slot(call).into_iter().flat_map(|slot| self.before.columns(slot)).map(|other| self.calls[other])
    }

    /// The part of the order that orders these calls. What goes by calls that are left out is kept.
    ///
    /// Cost: O(calls²).
    ///
    /// # Panics
    /// If `calls` is not an ascending list of calls of the relation.
    #[must_use]
    pub fn restrict(&self, calls: Vec<CallId>) -> Self {
        if calls == self.calls {
            return self.clone();
        }
        debug_assert!(calls.is_sorted_by(|a, b| a < b), "cdsspec bug: calls are in order of invocation");
        let slots: Vec<usize> =
            calls.iter().map(|call| self.slot(*call).expect("a call of the relation")).collect();
        Self { before: self.before.part(&slots), calls }
    }

    /// The same, with these calls one after the other, which must not contradict it. Cost: O(calls³ / word).
    ///
    /// # Panics
    /// If it does.
    pub(super) fn with_chain(&self, slots: &[usize]) -> Self {
        let mut before = self.before.clone();
        for pair in slots.windows(2) {
            before.insert(pair[1], pair[0]);
        }
        Self::close(self.calls.clone(), before).expect("cdsspec bug: a total order extends the partial one")
    }

    /// All that the justification of a call looks at, as words: which calls are before it, in which order these are, and which are after it.
    /// The rest is concurrent with it. Cost: O(calls²).
    pub(crate) fn surroundings(&self, slot: usize) -> Vec<usize> {
        let predecessors = std::iter::once(slot).chain(self.before.columns(slot));
        let mut words: Vec<usize> =
            predecessors.flat_map(|earlier| self.before.row(earlier)).copied().collect();
        let mut after = FixedBitSet::with_capacity(self.calls.len());
        after.extend((0..self.calls.len()).filter(|&later| self.is_slot_ordered(slot, later)));
        words.extend(after.as_slice());
        words
    }

    /// Whether every two calls are ordered: there is one sequential history.
    pub fn is_total(&self) -> bool {
        let count = self.calls.len();
        let pairs: u32 = self.before.words().iter().map(|word| word.count_ones()).sum();
        pairs as usize == count * count.saturating_sub(1) / 2
    }

    /// Whether it is what it promises to be: irreflexive and transitive. Cost: O(calls³ / word).
    pub(crate) fn is_closed(&self) -> bool {
        (0..self.calls.len()).all(|slot| {
            let is_within = |earlier| self.before.is_row_within_row(earlier, slot);
            !self.before.contains(slot, slot) && self.before.columns(slot).all(is_within)
        })
    }

    pub(crate) fn is_slot_ordered(&self, first: usize, second: usize) -> bool {
        self.before.contains(second, first)
    }

    pub(crate) fn is_slot_concurrent(&self, first: usize, second: usize) -> bool {
        first != second && !self.is_slot_ordered(first, second) && !self.is_slot_ordered(second, first)
    }

    /// Whether all predecessors of a call are in a set of slots.
    pub(crate) fn is_slot_ready(&self, slot: usize, done: &FixedBitSet) -> bool {
        self.before.is_row_within(slot, done)
    }

    /// The slots before this one.
    pub(crate) fn slot_predecessors(&self, slot: usize) -> impl Iterator<Item = usize> + '_ {
        self.before.columns(slot)
    }

    /// How many slots are before this one.
    pub(crate) fn predecessor_count(&self, slot: usize) -> usize {
        self.before.row(slot).iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The slots before this one that no other slot before it is after.
    pub(crate) fn immediate_predecessors(&self, slot: usize) -> Vec<usize> {
        let predecessors: Vec<usize> = self.slot_predecessors(slot).collect();
        let mut behind = FixedBitSet::with_capacity(self.calls.len());
        for &earlier in &predecessors {
            for (word, further) in behind.as_mut_slice().iter_mut().zip(self.before.row(earlier)) {
                *word |= further;
            }
        }
        predecessors.into_iter().filter(|&earlier| !behind.contains(earlier)).collect()
    }

    fn slot(&self, call: CallId) -> Option<usize> {
        self.calls.binary_search(&call).ok()
    }
}
