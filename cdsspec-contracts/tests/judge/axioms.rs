//! happens-before, by the words of the standard, from what was read: sb ∪ sw, closed. Slow, and sharing nothing with the clocks.
//!
//! # Paper
//! C++20, 6.9.2.2 (release sequences: a store and the read-modify-writes that chain from it) and 31.11 (fences).

use crate::log::{Id, Node, What};
use crate::program::BOUND;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// For each pair of nodes, whether the first happens before the second.
pub(crate) struct HappensBefore {
    count: usize,
    before: Vec<bool>,
}

fn is_acquire(order: Ordering) -> bool {
    [Acquire, AcqRel, SeqCst].contains(&order)
}

fn is_release(order: Ordering) -> bool {
    [Release, AcqRel, SeqCst].contains(&order)
}

impl HappensBefore {
    /// Of nodes in which each thread's are in its order.
    pub(crate) fn of(nodes: &[Node]) -> Self {
        let count = nodes.len();
        let mut this = Self { count, before: vec![false; count * count] };
        for (first, second) in edges(nodes) {
            this.before[first * count + second] = true;
        }
        for middle in 0..count {
            for first in 0..count {
                if this.get(first, middle) {
                    for second in 0..count {
                        this.before[first * count + second] |= this.get(middle, second);
                    }
                }
            }
        }
        this
    }

    pub(crate) fn get(&self, first: usize, second: usize) -> bool {
        self.before[first * self.count + second]
    }
}

fn edges(nodes: &[Node]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for (first, a) in nodes.iter().enumerate() {
        for (second, b) in nodes.iter().enumerate() {
            let is_edge = is_sb(nodes, first, second)
                || match (&a.what, &b.what) {
                    (What::Unlock, What::Lock { unlocks }) => unlocks.contains(&a.id),
                    (What::Send, What::Receive { message, .. }) => *message == a.id,
                    (What::Initialise, What::Get { by }) => *by == a.id,
                    (What::Arrive { round }, What::Leave { round: left }) => round == left,
                    _ => false,
                }
                || matches!(a.what, What::Spawn { child } if b.thread == child)
                || matches!(b.what, What::Join { child } if a.thread == child);
            if is_edge {
                edges.push((first, second));
            }
        }
    }
    edges.extend(synchronised(nodes));
    edges.extend(rooms(nodes));
    edges
}

fn is_sb(nodes: &[Node], first: usize, second: usize) -> bool {
    nodes[first].thread == nodes[second].thread && nodes[first].id < nodes[second].id
}

/// The node of an operation; none: what was there before all.
fn find(nodes: &[Node], id: Id) -> Option<usize> {
    nodes.iter().position(|node| node.id == id)
}

/// From what releases to what acquires, over each pair of a read and a write of the release sequence that it reads from.
fn synchronised(nodes: &[Node]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for (reader, node) in nodes.iter().enumerate() {
        let (What::Load { order, read } | What::Update { order, read }) = node.what else { continue };
        let mut acquires: Vec<usize> =
            fences(nodes, is_acquire).filter(|&f| is_sb(nodes, reader, f)).collect();
        if is_acquire(order) {
            acquires.push(reader);
        }
        for writer in release_sequence(nodes, read) {
            let mut releases: Vec<usize> =
                fences(nodes, is_release).filter(|&f| is_sb(nodes, f, writer)).collect();
            if let What::Store { order } | What::Update { order, .. } = nodes[writer].what
                && is_release(order)
            {
                releases.push(writer);
            }
            edges.extend(
                releases.iter().flat_map(|&first| acquires.iter().map(move |&second| (first, second))),
            );
        }
    }
    edges
}

/// The writes of whose release sequences the one with this id is a part.
fn release_sequence(nodes: &[Node], id: Id) -> Vec<usize> {
    let mut writes = Vec::new();
    let mut next = find(nodes, id);
    while let Some(writer) = next {
        writes.push(writer);
        next = match nodes[writer].what {
            What::Update { read, .. } => find(nodes, read),
            _ => None,
        };
    }
    writes
}

fn fences(nodes: &[Node], is_wanted: fn(Ordering) -> bool) -> impl Iterator<Item = usize> {
    let is_fence = move |node: &Node| matches!(node.what, What::Fence { order } if is_wanted(order));
    (0..nodes.len()).filter(move |&fence| is_fence(&nodes[fence]))
}

/// From the receive that makes room in the channel with a bound to the send that takes it. Messages come in the order in which they were sent, and the
/// first thread receives all.
fn rooms(nodes: &[Node]) -> Vec<(usize, usize)> {
    let mut receives: Vec<(Id, usize, Id)> = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        if let What::Receive { channel: 1, message } = node.what {
            receives.push((node.id, index, message));
        }
    }
    receives.sort_unstable();
    let pairs = receives.iter().zip(receives.iter().skip(BOUND));
    pairs.filter_map(|((_, receive, _), (_, _, message))| Some((*receive, find(nodes, *message)?))).collect()
}
