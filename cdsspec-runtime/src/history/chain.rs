//! Down-sets as numbers: how many calls of each chain of the order are in them.
//!
//! The calls are parted into chains, in each of which every call is before the next. A down-set has with each call all that are before it, so
//! of each chain it has the first few, and how many tells which. The calls of a thread are mostly one chain, so there are few.

use super::hash::mix;
use crate::relation::OrderRelation;

/// The calls of an order, parted into chains.
pub(super) struct Chains {
    /// The chain that each call is in.
    of: Vec<u32>,
    count: usize,
}

impl Chains {
    /// Each call in turn goes to the first chain whose last call is before it. Cost: O(calls · chains + pairs).
    pub(super) fn new(relation: &OrderRelation) -> Self {
        let count = relation.calls().len();
        let mut slots: Vec<(usize, usize)> =
            (0..count).map(|slot| (relation.predecessor_count(slot), slot)).collect();
        // Who is before another one has fewer predecessors.
        slots.sort_unstable();
        let (mut of, mut last) = (vec![0; count], Vec::new());
        for (_, slot) in slots {
            let chain = last.iter().position(|&earlier| relation.is_slot_ordered(earlier, slot));
            let chain = chain.unwrap_or_else(|| {
                last.push(slot);
                last.len() - 1
            });
            last[chain] = slot;
            of[slot] = chain as u32;
        }
        Self { of, count: last.len() }
    }
}

/// A down-set that grows and shrinks call by call.
pub(super) struct DownSet<'a> {
    chains: &'a Chains,
    counts: Vec<u32>,
    hash: u64,
}

impl<'a> DownSet<'a> {
    /// The one without calls.
    pub(super) fn new(chains: &'a Chains) -> Self {
        Self { chains, counts: vec![0; chains.count], hash: 0 }
    }

    /// A call is added all of whose predecessors are there.
    #[inline]
    pub(super) fn insert(&mut self, slot: usize) {
        self.counts[self.chains.of[slot] as usize] += 1;
        self.hash ^= mix(slot as u64 + 1);
    }

    /// A call is taken out none of whose successors is there.
    #[inline]
    pub(super) fn remove(&mut self, slot: usize) {
        self.counts[self.chains.of[slot] as usize] -= 1;
        self.hash ^= mix(slot as u64 + 1);
    }

    /// How many calls of each chain it has: two down-sets of one order with the same numbers are one.
    #[inline]
    pub(super) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Equal ones have equal hashes.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::CallId;
    use crate::relation::sample::{distances, edge_sets};
    use std::collections::HashMap;

    /// The order of `count` calls that these edges give; `None` if they have a cycle.
    fn relation(count: usize, edges: &[(usize, usize)]) -> Option<OrderRelation> {
        let distance = distances(count, edges);
        let pairs = edges.iter().map(|&(first, second)| (CallId::new(first), CallId::new(second)));
        let is_acyclic = (0..count).all(|call| distance[call][call].is_none());
        is_acyclic.then(|| OrderRelation::from_pairs((0..count).map(CallId::new).collect(), pairs))?
    }

    /// Visits every order in which the calls can be added, with the set that is there each time.
    fn visit(
        relation: &OrderRelation,
        done: u32,
        set: &mut DownSet<'_>,
        see: &mut impl FnMut(u32, &DownSet<'_>),
    ) {
        see(done, set);
        for slot in 0..relation.calls().len() {
            let is_there = |slot: usize| done & 1 << slot != 0;
            if !is_there(slot) && relation.slot_predecessors(slot).all(is_there) {
                set.insert(slot);
                visit(relation, done | 1 << slot, set, see);
                set.remove(slot);
            }
        }
    }

    #[test]
    fn down_sets_of_all_orders_of_four_calls_are_told_by_their_numbers() {
        let (mut orders, mut sets) = (0, 0);
        for edges in edge_sets(4) {
            let Some(relation) = relation(4, &edges) else { continue };
            orders += 1;
            let chains = Chains::new(&relation);
            let mut seen: HashMap<u32, (Vec<u32>, u64)> = HashMap::new();
            visit(&relation, 0, &mut DownSet::new(&chains), &mut |done, set| {
                let numbers = (set.counts().to_vec(), set.hash());
                assert_eq!(*seen.entry(done).or_insert_with(|| numbers.clone()), numbers);
            });
            sets += seen.len();
            let mut different: Vec<_> = seen.into_values().map(|(counts, _)| counts).collect();
            let count = different.len();
            different.sort();
            different.dedup();
            assert_eq!(different.len(), count, "{edges:?}");
        }
        assert_eq!((orders, sets), (543, 3_550));
    }
}
