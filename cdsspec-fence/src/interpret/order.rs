//! Every memory order of some traces, and whether the axioms allow it (section 2.3.2 of the paper).

use super::run::{Access, Memory, Trace};
use crate::lsl::syntax::{AccessKind, FenceKind};
use crate::lsl::value::{Path, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A memory model of section 2.3.2 of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axioms {
    /// Sequential consistency, with operations that are not interleaved.
    Serial,
    /// Sequential consistency.
    SequentialConsistency,
    /// Relaxed.
    Relaxed,
}

/// What is kept of an execution.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Execution {
    /// At its end.
    pub(super) memory: Memory,
    /// Whether a value depends on itself.
    pub(super) is_circular: bool,
}

struct Event<'t> {
    thread: usize,
    /// Its index among the accesses of its thread.
    index: usize,
    access: &'t Access,
}

/// The memory orders of some traces.
pub(super) struct Orders<'t> {
    axioms: Axioms,
    memory: &'t Memory,
    /// Thread by thread, in program order.
    events: Vec<Event<'t>>,
    /// For each event those that come before it in memory order.
    earlier: Vec<Vec<usize>>,
    done: Vec<usize>,
    found: BTreeSet<Execution>,
}

impl<'t> Orders<'t> {
    pub(super) fn new(axioms: Axioms, traces: &[&'t Trace], memory: &'t Memory) -> Self {
        let mut events = Vec::new();
        let mut earlier = Vec::new();
        for (thread, trace) in traces.iter().enumerate() {
            let base = events.len();
            for (index, access) in trace.accesses.iter().enumerate() {
                let before = (0..index).filter(|&other| is_ordered(axioms, trace, other, index));
                earlier.push(before.map(|other| base + other).collect());
                events.push(Event { thread, index, access });
            }
        }
        Self { axioms, memory, events, earlier, done: Vec::new(), found: BTreeSet::new() }
    }

    /// What the allowed memory orders come to.
    pub(super) fn executions(mut self) -> BTreeSet<Execution> {
        if self.has_sources() {
            self.walk();
        }
        self.found
    }

    /// Whether each load has a value that was there at first, or is stored by somebody; else no order is allowed.
    fn has_sources(&self) -> bool {
        self.events.iter().filter(|event| event.access.kind == AccessKind::Load).all(|load| {
            let stores = |event: &&Event<'_>| event.access.kind == AccessKind::Store;
            let is_source = |store: &Event<'_>| {
                store.access.address == load.access.address && store.access.value == load.access.value
            };
            self.first(&load.access.address) == load.access.value
                || self.events.iter().filter(stores).any(is_source)
        })
    }

    fn first(&self, address: &Path) -> Value {
        self.memory.get(address).cloned().unwrap_or_default()
    }

    fn walk(&mut self) {
        if self.done.len() == self.events.len() {
            self.end();
            return;
        }
        let open = self.open();
        for event in 0..self.events.len() {
            let is_next = !self.done.contains(&event)
                && self.earlier[event].iter().all(|other| self.done.contains(other))
                && open.is_none_or(|thread| self.events[event].thread == thread);
            if is_next {
                self.done.push(event);
                self.walk();
                self.done.pop();
            }
        }
    }

    /// The thread in whose atomic block, or operation if these are not interleaved, the order has stopped: no other thread comes next.
    fn open(&self) -> Option<usize> {
        let part = |event: usize| {
            let event = &self.events[event];
            match self.axioms {
                Axioms::Serial => Some((event.thread, event.access.operation)),
                _ => event.access.block.map(|block| (event.thread, block)),
            }
        };
        let left: Vec<_> = (0..self.events.len()).filter(|event| !self.done.contains(event)).collect();
        let begun: BTreeSet<_> = self.done.iter().filter_map(|&event| part(event)).collect();
        left.into_iter().filter_map(part).find(|part| begun.contains(part)).map(|(thread, _)| thread)
    }

    /// Looks at the values of a complete order.
    fn end(&mut self) {
        let mut read = BTreeMap::new();
        for at in 0..self.done.len() {
            let load = self.done[at];
            let access = self.events[load].access;
            if access.kind == AccessKind::Store {
                continue;
            }
            let source = self.source(at);
            let value =
                source.map_or(self.first(&access.address), |store| self.events[store].access.value.clone());
            if value != access.value {
                return;
            }
            read.extend(source.map(|store| (load, store)));
        }
        let mut memory = self.memory.clone();
        for &event in &self.done {
            let access = self.events[event].access;
            if access.kind == AccessKind::Store {
                memory.insert(access.address.clone(), access.value.clone());
            }
        }
        let is_circular = self.is_circular(&read);
        self.found.insert(Execution { memory, is_circular });
    }

    /// The last store that is visible to the load at this place of the order: S(l), and its maximum.
    fn source(&self, at: usize) -> Option<usize> {
        let load = &self.events[self.done[at]];
        let is_visible = |&(place, &store): &(usize, &usize)| {
            let store = &self.events[store];
            let is_forwarded =
                self.axioms == Axioms::Relaxed && store.thread == load.thread && store.index < load.index;
            store.access.kind == AccessKind::Store
                && store.access.address == load.access.address
                && (place < at || is_forwarded)
        };
        self.done.iter().enumerate().rfind(is_visible).map(|(_, &store)| store)
    }

    /// Whether a load depends on itself, by what it reads and on what that depends.
    fn is_circular(&self, read: &BTreeMap<usize, usize>) -> bool {
        let reached = |load: usize| -> Vec<usize> {
            let Some(&store) = read.get(&load) else { return Vec::new() };
            let base = store - self.events[store].index;
            self.events[store].access.depends_on.iter().map(|index| base + index).collect()
        };
        (0..self.events.len()).any(|start| {
            let (mut seen, mut waiting) = (BTreeSet::new(), reached(start));
            while let Some(load) = waiting.pop() {
                if seen.insert(load) {
                    waiting.extend(reached(load));
                }
            }
            seen.contains(&start)
        })
    }
}

/// Whether axiom 1, an atomic block, or a fence orders two accesses of a thread.
fn is_ordered(axioms: Axioms, trace: &Trace, before: usize, after: usize) -> bool {
    let (x, y) = (&trace.accesses[before], &trace.accesses[after]);
    let is_fenced =
        |&(at, kind): &(usize, FenceKind)| before < at && at <= after && kind.orders(x.kind, y.kind);
    axioms != Axioms::Relaxed
        || x.address == y.address && y.kind == AccessKind::Store
        || x.block.is_some() && x.block == y.block
        || trace.fences.iter().any(is_fenced)
}
