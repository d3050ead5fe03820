//! The order in which operations take effect in one memory that all threads share: what Sc, Tso and Pso require to have no cycle.

use crate::graph::{Action, Event, EventId, Graph, Label, ReadsFrom, ThreadIndex};
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;
use std::cell::Cell;
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
    tables: Tables,
}

/// The edges. They are kept for the next order: a run asks for one so often that to allocate them would be most of the cost.
#[derive(Default)]
struct Tables {
    /// The node that each edge leads to, with the number of the next edge from the same node; 0: none.
    edges: Vec<(u32, u32)>,
    /// The first edge from each node.
    first: Vec<u32>,
    /// How many edges lead to each node.
    degrees: Vec<u32>,
    /// The nodes that are sorted so far.
    sorted: Vec<u32>,
    /// What comes before the next event of each thread.
    fronts: Vec<Front>,
}

thread_local! {
    static TABLES: Cell<Option<Tables>> = const { Cell::new(None) };
}

/// What later events of a thread come after.
#[derive(Clone, Default)]
struct Front {
    has_begun: bool,
    /// The last event that is before all later ones.
    last: Option<u32>,
    /// The last barrier, or what is one, before all later stores.
    barrier: Option<u32>,
    /// The stores since then that later ones may overtake.
    stores: SmallVec<[u32; 4]>,
}

impl Front {
    fn restart(&mut self) {
        self.has_begun = false;
        (self.last, self.barrier) = (None, None);
        self.stores.clear();
    }
}

impl Tables {
    fn restart(&mut self, graph: &Graph) {
        self.edges.clear();
        self.edges.push((0, 0));
        self.first.clear();
        self.first.resize(graph.events.len(), 0);
        self.degrees.clear();
        self.degrees.resize(graph.events.len(), 0);
        self.fronts.iter_mut().for_each(Front::restart);
        self.fronts.resize(graph.threads.len(), Front::default());
    }
}

impl Drop for Order<'_> {
    fn drop(&mut self) {
        TABLES.set(Some(std::mem::take(&mut self.tables)));
    }
}

impl<'a> Order<'a> {
    /// The order of a graph's events.
    pub(super) fn new(graph: &'a Graph, preserved: Preserved) -> Self {
        let mut tables = TABLES.take().unwrap_or_default();
        tables.restart(graph);
        let mut order = Self { graph, tables };
        order.add_threads(preserved);
        order.add_locations(preserved);
        order
    }

    fn node(&mut self) -> u32 {
        self.tables.first.push(0);
        self.tables.degrees.push(0);
        self.tables.first.len() as u32 - 1
    }

    #[inline]
    fn edge(&mut self, from: u32, to: u32) {
        let tables = &mut self.tables;
        let first = &mut tables.first[from as usize];
        tables.edges.push((to, *first));
        *first = tables.edges.len() as u32 - 1;
        tables.degrees[to as usize] += 1;
    }

    /// The part of sb that is preserved. Events are in an order that extends sb and the creation and end of threads.
    fn add_threads(&mut self, preserved: Preserved) {
        let graph = self.graph;
        let mut fronts = std::mem::take(&mut self.tables.fronts);
        for (id, event) in (0..).zip(&graph.events) {
            if !fronts[event.thread].has_begun {
                let creation = graph.creators[event.thread];
                let front = &mut fronts[event.thread];
                (front.has_begun, front.last, front.barrier) = (true, creation, creation);
            }
            if let Label::Join { child } = event.label {
                self.add_join(&fronts[child], child, id);
            }
            self.add_event(&mut fronts[event.thread], id, part(event, preserved), preserved);
        }
        self.tables.fronts = fronts;
    }

    /// All that a thread has done is before what joins it. One without events has ended after its creation.
    fn add_join(&mut self, front: &Front, child: ThreadIndex, join: EventId) {
        let before = front.last.into_iter().chain(front.barrier).chain(front.stores.iter().copied());
        before.chain(self.graph.creators[child]).for_each(|from| self.edge(from, join));
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

    /// Sorts the nodes so that all edges lead forwards; those that are on a cycle, or after one, are left out.
    fn sort(&mut self) {
        let Tables { edges, first, degrees, sorted, .. } = &mut self.tables;
        sorted.clear();
        sorted.extend((0..).zip(degrees.iter()).filter(|&(_, &degree)| degree == 0).map(|(node, _)| node));
        let mut done = 0;
        while let Some(&node) = sorted.get(done) {
            done += 1;
            let mut edge = first[node as usize];
            while edge != 0 {
                let (to, next) = edges[edge as usize];
                degrees[to as usize] -= 1;
                if degrees[to as usize] == 0 {
                    sorted.push(to);
                }
                edge = next;
            }
        }
    }

    /// Whether nothing comes before itself.
    pub(super) fn is_acyclic(&mut self) -> bool {
        self.sort();
        self.tables.sorted.len() == self.tables.first.len()
    }

    /// The pairs of SeqCst events that are ordered. The order has no cycle.
    pub(super) fn sc_pairs(mut self) -> Vec<(EventId, EventId)> {
        self.sort();
        let count = self.graph.events.len();
        let is_sc = |node: u32| (node as usize) < count && self.graph.event(node).is_sc();
        let mut after = vec![FixedBitSet::with_capacity(count); self.tables.first.len()];
        let mut pairs = Vec::new();
        for &node in self.tables.sorted.iter().rev() {
            let mut reached = FixedBitSet::with_capacity(count);
            let mut edge = self.tables.first[node as usize];
            while edge != 0 {
                let (to, next) = self.tables.edges[edge as usize];
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
        (Label::Access(Action::BeginCell { .. }) | Label::Choice { .. }, _) => Part::None,
        (_, Preserved::All) => Part::Flush,
        (Label::Access(Action::Load { .. } | Action::WaitLoad { .. }), _) => Part::Load,
        (Label::Access(Action::Store { order: SeqCst, .. }) | Label::Fence { order: SeqCst }, _) => {
            Part::Flush
        }
        (Label::Access(Action::Store { order, .. }), _) => {
            Part::Store { has_barrier: preserved == Preserved::StoresInAnyOrder && order == Release }
        }
        (Label::Fence { order: Release | AcqRel }, Preserved::StoresInAnyOrder) => Part::Barrier,
        (Label::Fence { .. }, _) => Part::None,
        // Read-modify-writes, and compare-exchanges that failed.
        _ => Part::Flush,
    }
}
