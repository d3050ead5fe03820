//! Serial witnesses for every order of time that an execution under Sc stands for.
//!
//! An execution graph stands for many interleavings, and each for an interval order `<_H` of its own; no single one is the strongest. An invocation
//! may stand anywhere before its call's first operation, and a return anywhere after its last, so the orders of the boundaries are
//! the linear extensions of what [`Boundaries::is_before`](super::interval::Boundaries::is_before) says: those that the graph forces. The execution is refuted iff one of
//! these orders has no serial witness.
//!
//! The walk goes over the down-sets of boundaries, and carries which serial orders are still possible: nodes of a tree of them. A
//! call is taken into a serial order at the latest when it returns, after those calls that had begun by then and are taken as well:
//! whoever is taken earlier than it must be could be taken then just as well. So what is carried is empty iff no serial order keeps
//! the interval order of the boundaries passed. A return is passed as soon as it may be: moved to there, it precedes what it did and more, so an order that is
//! refuted is refuted still. What follows depends on the down-set and on what is carried alone: both are remembered.

use super::interval::Boundary;
use crate::scenario::Slot;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// So many boundaries fit into a set.
pub(super) const BOUNDARIES_MAX: usize = 128;

/// Serial orders of the same calls, as a tree. Node 0 is the root.
pub(super) struct Orders {
    nodes: Vec<Node>,
}

#[derive(Default)]
struct Node {
    children: BTreeMap<Slot, usize>,
    /// The calls on the way to it.
    taken: BTreeSet<Slot>,
}

impl Orders {
    pub(super) fn new(orders: &[Vec<Slot>]) -> Self {
        let mut nodes = vec![Node::default()];
        for order in orders {
            let mut node = 0;
            for &slot in order {
                node = match nodes[node].children.get(&slot) {
                    Some(&child) => child,
                    None => {
                        let mut taken = nodes[node].taken.clone();
                        taken.insert(slot);
                        let child = nodes.len();
                        nodes.push(Node { children: BTreeMap::new(), taken });
                        nodes[node].children.insert(slot, child);
                        child
                    }
                };
            }
        }
        Self { nodes }
    }

    /// Where the orders may be when a call returns, given where they were, and the calls that have begun.
    fn at_return(&self, nodes: &BTreeSet<usize>, slot: Slot, begun: &BTreeSet<Slot>) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<usize> = nodes.iter().copied().collect();
        while let Some(node) = open.pop() {
            if self.nodes[node].taken.contains(&slot) {
                reached.insert(node);
                continue;
            }
            let next = self.nodes[node].children.iter().filter(|(next, _)| begun.contains(*next));
            open.extend(next.map(|(_, &child)| child));
        }
        reached
    }
}

/// The walk over the down-sets of boundaries.
struct Walk<'a> {
    /// The boundaries that count: those of calls that the orders have.
    boundaries: Vec<Boundary>,
    /// For each of these, the ones before it.
    before: Vec<u128>,
    orders: &'a Orders,
    known: HashSet<(u128, BTreeSet<usize>)>,
    path: Vec<usize>,
}

/// An order of the boundaries of the calls that `is_counted` says for which none of the serial orders is a witness: `None` if there is none. `is_before` says of two
/// boundaries, by their places in the list, whether the one is before the other in every order.
///
/// # Panics
/// If there are more than [`BOUNDARIES_MAX`] boundaries.
pub(super) fn refute(
    boundaries: &[Boundary],
    is_before: impl Fn(usize, usize) -> bool,
    orders: &Orders,
    is_counted: impl Fn(Slot) -> bool,
) -> Option<Vec<Boundary>> {
    let is_counted = |index: &usize| match boundaries[*index] {
        Boundary::Invocation(slot) | Boundary::Return(slot) => is_counted(slot),
    };
    let counted: Vec<usize> = (0..boundaries.len()).filter(is_counted).collect();
    assert!(counted.len() <= BOUNDARIES_MAX, "cdsspec bug: a test with so many calls is refused");
    let set = |second: usize| {
        let firsts = counted.iter().enumerate().filter(|(_, first)| is_before(**first, second));
        firsts.fold(0, |set, (index, _)| set | 1 << index)
    };
    let before = counted.iter().map(|&second| set(second)).collect();
    let boundaries = counted.iter().map(|&index| boundaries[index]).collect();
    let mut walk = Walk { boundaries, before, orders, known: HashSet::new(), path: Vec::new() };
    walk.step(0, &BTreeSet::from([0]))
}

impl Walk<'_> {
    fn step(&mut self, passed: u128, nodes: &BTreeSet<usize>) -> Option<Vec<Boundary>> {
        if nodes.is_empty() {
            return Some(self.whole_path(passed));
        }
        if !self.known.insert((passed, nodes.clone())) {
            return None;
        }
        for next in self.worth_passing(passed) {
            let after = match self.boundaries[next] {
                Boundary::Invocation(_) => nodes.clone(),
                Boundary::Return(slot) => self.orders.at_return(nodes, slot, &self.begun(passed)),
            };
            self.path.push(next);
            let refuted = self.step(passed | 1 << next, &after);
            if refuted.is_some() {
                return refuted;
            }
            self.path.pop();
        }
        None
    }

    /// What is passed next: a return, if one may be, else any invocation that may be.
    fn worth_passing(&self, passed: u128) -> Vec<usize> {
        let open: Vec<usize> =
            (0..self.boundaries.len()).filter(|&next| self.may_pass(passed, next)).collect();
        let is_return = |next: &usize| matches!(self.boundaries[*next], Boundary::Return(_));
        match open.iter().copied().find(is_return) {
            Some(next) => vec![next],
            None => open,
        }
    }

    fn may_pass(&self, passed: u128, next: usize) -> bool {
        passed & 1 << next == 0 && self.before[next] & !passed == 0
    }

    /// The calls whose invocations were passed.
    fn begun(&self, passed: u128) -> BTreeSet<Slot> {
        let invoked = (0..self.boundaries.len()).filter(|&index| passed & 1 << index != 0);
        let slot = |index: usize| match self.boundaries[index] {
            Boundary::Invocation(slot) => Some(slot),
            Boundary::Return(_) => None,
        };
        invoked.filter_map(slot).collect()
    }

    /// The path with the rest of the boundaries in some order: what refutes the one refutes the other.
    fn whole_path(&self, mut passed: u128) -> Vec<Boundary> {
        let mut path = self.path.clone();
        while let Some(next) = (0..self.boundaries.len()).find(|&next| self.may_pass(passed, next)) {
            passed |= 1 << next;
            path.push(next);
        }
        path.into_iter().map(|index| self.boundaries[index]).collect()
    }
}

/// The interval order of some boundaries in the order of time: for so many calls, which had returned before which others began.
pub(super) fn precedes_in(boundaries: &[Boundary], call_count: usize) -> Vec<Vec<bool>> {
    let mut precedes = vec![vec![false; call_count]; call_count];
    for (index, first) in boundaries.iter().enumerate() {
        let Boundary::Return(returned) = first else { continue };
        for second in &boundaries[index..] {
            if let Boundary::Invocation(begun) = second {
                precedes[returned.index()][begun.index()] = true;
            }
        }
    }
    precedes
}
