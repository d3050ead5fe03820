//! Which calls may come next.
//!
//! A call may come once its *immediate* predecessors are there, those that no other predecessor is after; the others are before these. So
//! to place a call costs as many steps as it has immediate successors, whatever the number of calls.

use crate::relation::OrderRelation;
use fixedbitset::FixedBitSet;

/// The immediate successors of each call of an object.
pub(super) struct Covers {
    /// Those of all calls, one call's after the other's.
    successors: Vec<u32>,
    /// Where those of each call begin; one more than there are calls.
    starts: Vec<u32>,
    /// How many immediate predecessors each call has.
    predecessor_counts: Vec<u32>,
}

impl Covers {
    /// Cost: O(calls² + pairs · calls / word).
    pub(super) fn new(relation: &OrderRelation) -> Self {
        let count = relation.calls().len();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut predecessor_counts = Vec::with_capacity(count);
        for slot in 0..count {
            let immediate = relation.immediate_predecessors(slot);
            predecessor_counts.push(immediate.len() as u32);
            pairs.extend(immediate.into_iter().map(|earlier| (earlier as u32, slot as u32)));
        }
        pairs.sort_unstable();
        let starts = (0..=count as u32).map(|slot| pairs.partition_point(|pair| pair.0 < slot) as u32);
        let starts = starts.collect();
        Self { successors: pairs.into_iter().map(|pair| pair.1).collect(), starts, predecessor_counts }
    }

    fn successors(&self, slot: usize) -> &[u32] {
        &self.successors[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

/// The calls of a down-set of an object that may come next, given those that are placed.
pub(super) struct Frontier<'a> {
    covers: &'a Covers,
    members: FixedBitSet,
    /// How many immediate predecessors of each call are not placed.
    missing: Vec<u32>,
    /// Those that may come next, ascending: no two of them are ordered, so they are few.
    ready: Vec<u32>,
}

impl<'a> Frontier<'a> {
    /// None is placed; `members` has with each call all its predecessors.
    pub(super) fn new(covers: &'a Covers, members: FixedBitSet) -> Self {
        let missing = covers.predecessor_counts.clone();
        let ready = members.ones().filter(|&slot| missing[slot] == 0).map(|slot| slot as u32).collect();
        Self { covers, members, missing, ready }
    }

    /// The first call from this slot on that may come next.
    pub(super) fn next(&self, from: usize) -> Option<usize> {
        self.ready.get(self.rank(from)).map(|&slot| slot as usize)
    }

    /// How many calls before this one may come next.
    #[inline]
    fn rank(&self, slot: usize) -> usize {
        self.ready.partition_point(|&ready| (ready as usize) < slot)
    }

    /// A call that may come next is placed.
    pub(super) fn place(&mut self, slot: usize) {
        self.ready.remove(self.rank(slot));
        for &later in self.covers.successors(slot) {
            self.missing[later as usize] -= 1;
            if self.missing[later as usize] == 0 && self.members.contains(later as usize) {
                self.ready.insert(self.rank(later as usize), later);
            }
        }
    }

    /// The call that was placed last is taken back.
    pub(super) fn take_back(&mut self, slot: usize) {
        for &later in self.covers.successors(slot) {
            if self.missing[later as usize] == 0 && self.members.contains(later as usize) {
                self.ready.remove(self.rank(later as usize));
            }
            self.missing[later as usize] += 1;
        }
        self.ready.insert(self.rank(slot), slot as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::CallId;

    /// As many calls as two words have bits and some more, each after the one two before it.
    #[test]
    fn what_is_ready_is_what_has_all_its_predecessors_placed() {
        const COUNT: usize = 150;
        let calls: Vec<CallId> = (0..COUNT).map(CallId::new).collect();
        let pairs = (2..COUNT).map(|slot| (CallId::new(slot - 2), CallId::new(slot)));
        let relation = OrderRelation::from_pairs(calls, pairs).expect("there is no cycle");
        let covers = Covers::new(&relation);
        assert_eq!(covers.successors.len(), COUNT - 2, "one immediate successor each, but for two");
        let mut members = FixedBitSet::with_capacity(COUNT);
        members.insert_range(..140);
        let mut frontier = Frontier::new(&covers, members.clone());
        let mut done = FixedBitSet::with_capacity(COUNT);
        let all = |frontier: &Frontier<'_>| {
            let next = |&slot: &usize| frontier.next(slot + 1);
            std::iter::successors(frontier.next(0), next).collect::<Vec<_>>()
        };
        let mut placed = Vec::new();
        let mut by_definition = Vec::new();
        for step in 0..140 {
            let is_ready = |slot: &usize| {
                members.contains(*slot) && !done.contains(*slot) && relation.is_slot_ready(*slot, &done)
            };
            let ready: Vec<usize> = (0..COUNT).filter(is_ready).collect();
            assert_eq!(all(&frontier), ready);
            let slot = ready[step % ready.len()];
            by_definition.push(ready);
            frontier.place(slot);
            done.insert(slot);
            placed.push(slot);
        }
        assert!(all(&frontier).is_empty());
        for (slot, ready) in placed.into_iter().zip(by_definition).rev() {
            frontier.take_back(slot);
            assert_eq!(all(&frontier), ready);
        }
    }
}
