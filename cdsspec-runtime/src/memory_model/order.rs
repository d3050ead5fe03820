//! The order in which operations take effect in one memory that all threads share: what Sc, Tso and Pso require to have no cycle.

use crate::graph::{Event, EventId, Graph, Label, ReadsFrom, ThreadIndex};
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;
use std::sync::atomic::Ordering::{AcqRel, Release, SeqCst};

/// What of sb is preserved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Preserved {
    /// All.
    All,
    /// All but a store and a later load.
    StoresInOrder,
    /// All but a store and a later load, or two stores to different locations.
    StoresInAnyOrder,
}

/// How an event takes part in the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// Not.
    None,
    /// It is before whatever its thread does later.
    Load,
    /// It is in the queue of its thread for a while; first a barrier is, if it releases.
    Store { has_barrier: bool },
    /// It is a barrier in the queue.
    Barrier,
    /// It waits until the queue is empty.
    Flush,
}

/// A graph of events, and of barriers that stand before events: an edge leads to what takes effect later.
pub(super) struct Order<'a> {
    graph: &'a Graph,
    /// The node that each edge leads to, with the number of the next edge from the same node; 0: none.
    edges: Vec<(u32, u32)>,
    /// The first edge from each node.
    first: Vec<u32>,
    /// How many edges lead to each node.
    degrees: Vec<u32>,
}

/// What later events of a thread come after.
#[derive(Clone, Default)]
struct Front {
    /// The last event that is before all later ones.
    last: Option<u32>,
    /// The last barrier, or what is one, before all later stores.
    barrier: Option<u32>,
    /// The stores since then that later ones may overtake.
    stores: SmallVec<[u32; 8]>,
}

impl<'a> Order<'a> {
    /// The order of a graph's events.
    pub(super) fn new(graph: &'a Graph, preserved: Preserved) -> Self {
        let count = graph.events.len();
        let edges = Vec::with_capacity(4 * count + 1);
        let mut order = Self { graph, edges, first: vec![0; count], degrees: vec![0; count] };
        order.edges.push((0, 0));
        order.add_threads(preserved);
        order.add_locations(preserved);
        order
    }

    fn node(&mut self) -> u32 {
        self.first.push(0);
        self.degrees.push(0);
        self.first.len() as u32 - 1
    }

    fn edge(&mut self, from: u32, to: u32) {
        let first = &mut self.first[from as usize];
        self.edges.push((to, *first));
        *first = self.edges.len() as u32 - 1;
        self.degrees[to as usize] += 1;
    }

    /// The part of sb that is preserved. Events are in an order that extends sb and the creation and end of threads.
    fn add_threads(&mut self, preserved: Preserved) {
        let mut fronts = vec![Front::default(); self.graph.threads.len()];
        let mut begun = FixedBitSet::with_capacity(fronts.len());
        for id in 0..self.graph.events.len() as EventId {
            let event = *self.graph.event(id);
            if !begun.put(event.thread) {
                let creation = self.graph.creators[event.thread];
                fronts[event.thread] = Front { last: creation, barrier: creation, ..Front::default() };
            }
            if let Label::Join { child } = event.label {
                self.add_join(&mut fronts, child, id);
            }
            let part = part(&event, preserved);
            self.add_event(&mut fronts[event.thread], id, part, preserved);
        }
    }

    /// All that a thread has done is before what joins it.
    fn add_join(&mut self, fronts: &mut [Front], child: ThreadIndex, join: EventId) {
        let front = std::mem::take(&mut fronts[child]);
        let before = front.last.into_iter().chain(front.barrier).chain(front.stores.iter().copied());
        // A thread without events has ended after its creation.
        before.chain(self.graph.creators[child]).for_each(|from| self.edge(from, join));
        fronts[child] = front;
    }

    fn add_event(&mut self, front: &mut Front, id: EventId, part: Part, preserved: Preserved) {
        if part == Part::None {
            return;
        }
        if part != Part::Barrier
            && let Some(last) = front.last
        {
            self.edge(last, id);
        }
        match part {
            Part::None => {}
            Part::Load => front.last = Some(id),
            Part::Store { has_barrier } => {
                if has_barrier {
                    let barrier = self.node();
                    self.add_barrier(front, barrier);
                }
                if let Some(barrier) = front.barrier {
                    self.edge(barrier, id);
                }
                match preserved {
                    Preserved::StoresInAnyOrder => front.stores.push(id),
                    _ => front.barrier = Some(id),
                }
            }
            Part::Barrier => self.add_barrier(front, id),
            Part::Flush => {
                self.add_barrier(front, id);
                front.last = Some(id);
            }
        }
    }

    fn add_barrier(&mut self, front: &mut Front, barrier: u32) {
        let before = front.barrier.into_iter().chain(front.stores.drain(..));
        before.for_each(|from| self.edge(from, barrier));
        front.barrier = Some(barrier);
    }

    /// mo, rb, and rf: that of other threads only, where a thread sees its own stores before the others do.
    fn add_locations(&mut self, preserved: Preserved) {
        let graph = self.graph;
        for (location, known) in (0..).zip(&graph.locations) {
            known.writes.windows(2).for_each(|pair| self.edge(pair[0], pair[1]));
            for &read in &known.reads {
                let event = graph.event(read);
                if event.reads_from == ReadsFrom::Bottom {
                    continue;
                }
                if let ReadsFrom::Event(store) = event.reads_from
                    && (preserved == Preserved::All || graph.event(store).thread != event.thread)
                {
                    self.edge(store, read);
                }
                // Of a read-modify-write that is in its place, mo says it.
                let position = graph.position(location, event.reads_from);
                if let Some(&next) = known.writes.get(position).filter(|&&next| next != read) {
                    self.edge(read, next);
                }
            }
        }
    }

    /// The nodes in an order in which all edges lead forwards; fewer, if there is none.
    fn sorted(&self) -> Vec<u32> {
        let mut left = self.degrees.clone();
        let mut sorted: Vec<u32> = (0..left.len() as u32).filter(|&node| left[node as usize] == 0).collect();
        let mut done = 0;
        while let Some(&node) = sorted.get(done) {
            done += 1;
            let mut edge = self.first[node as usize];
            while edge != 0 {
                let (to, next) = self.edges[edge as usize];
                left[to as usize] -= 1;
                if left[to as usize] == 0 {
                    sorted.push(to);
                }
                edge = next;
            }
        }
        sorted
    }

    /// Whether nothing comes before itself.
    pub(super) fn is_acyclic(&self) -> bool {
        self.sorted().len() == self.first.len()
    }

    /// The pairs of SeqCst events that are ordered. The order has no cycle.
    pub(super) fn sc_pairs(&self) -> Vec<(EventId, EventId)> {
        let count = self.graph.events.len();
        let is_sc = |node: u32| (node as usize) < count && self.graph.event(node).is_sc();
        let mut after = vec![FixedBitSet::with_capacity(count); self.first.len()];
        let mut pairs = Vec::new();
        for &node in self.sorted().iter().rev() {
            let mut reached = FixedBitSet::with_capacity(count);
            let mut edge = self.first[node as usize];
            while edge != 0 {
                let (to, next) = self.edges[edge as usize];
                reached.union_with(&after[to as usize]);
                if is_sc(to) {
                    reached.insert(to as usize);
                }
                edge = next;
            }
            if is_sc(node) {
                pairs.extend(reached.ones().map(|second| (node, second as EventId)));
            }
            after[node as usize] = reached;
        }
        pairs
    }
}

/// How an event takes part.
fn part(event: &Event, preserved: Preserved) -> Part {
    if let Label::Create { .. } | Label::Join { .. } = event.label {
        return Part::Flush;
    }
    match (event.label, preserved) {
        (Label::Cell { .. } | Label::Choice { .. }, _) => Part::None,
        (_, Preserved::All) => Part::Flush,
        (Label::Load { .. } | Label::WaitLoad { .. }, _) => Part::Load,
        (Label::Store { order: SeqCst } | Label::Fence { order: SeqCst }, _) => Part::Flush,
        (Label::Store { order }, _) => {
            Part::Store { has_barrier: preserved == Preserved::StoresInAnyOrder && order == Release }
        }
        (Label::Fence { order: Release | AcqRel }, Preserved::StoresInAnyOrder) => Part::Barrier,
        (Label::Fence { .. }, _) => Part::None,
        // Read-modify-writes, and compare-exchanges that failed.
        _ => Part::Flush,
    }
}
