//! Reads-from, the modification order, coherence and atomicity.

use super::super::Encoding;
use super::super::order::MemoryOrder;
use super::event::{Events, Relation, relation};
use crate::flat::{AccessId, Flat};
use crate::solver::{Bit, Solver};
use std::collections::BTreeMap;

pub(super) struct Reads {
    /// Whether a load reads a store: the store first.
    pub(super) reads_from: Relation,
    /// The modification order: of two stores that are done, and are of one location.
    pub(super) modification: Relation,
    /// Whether a load reads what a store comes after: the load first.
    pub(super) reads_before: Relation,
}

impl Reads {
    /// With reads-from along some order, or without.
    pub(super) fn new(
        encoding: &mut Encoding,
        flat: &Flat,
        events: &Events,
        along: Option<&MemoryOrder>,
    ) -> Self {
        let (reads_from, is_initial) = reads_from(encoding, flat, events, along);
        let solver = &mut encoding.solver;
        let modification = modification(solver, events);
        let mut reads_before = relation(&events.all, |_, _| Bit::FALSE);
        for load in events.loads() {
            for store in events.stores() {
                let is_same = solver.and(events.is_same_location[load][store], events.all[store].executed);
                let mut ways = vec![solver.and(is_initial[load], is_same)];
                for source in events.stores().filter(|&source| source != store) {
                    let is_later = modification[source][store];
                    ways.push(solver.and(reads_from[source][load], is_later));
                }
                reads_before[load][store] = solver.any(&ways);
            }
        }
        Self { reads_from, modification, reads_before }
    }

    /// Coherence: no cycle of happens-before and the order of one location's accesses.
    pub(super) fn add_coherence(&self, solver: &mut Solver, events: &Events, before: &Relation) {
        for first in events.stores() {
            for second in events.stores().filter(|&second| second != first) {
                let is_same = events.is_same_location[first][second];
                solver.implies(&[before[first][second], is_same], self.modification[first][second]);
            }
        }
        for load in events.loads() {
            for store in events.stores() {
                // A load reads neither what is overwritten before it, nor a store after it, nor what is behind that.
                solver.clause(&[!before[store][load], !self.reads_before[load][store]]);
                solver.clause(&[!before[load][store], !self.reads_from[store][load]]);
                for source in events.stores().filter(|&source| source != store) {
                    let is_same = events.is_same_location[source][store];
                    let read = self.reads_from[source][load];
                    solver.implies(&[read, before[load][store], is_same], self.modification[source][store]);
                }
                self.add_read_read(solver, events, before, [load, store]);
            }
        }
    }

    /// A load that happens after another one does not read from before what that read.
    fn add_read_read(
        &self,
        solver: &mut Solver,
        events: &Events,
        before: &Relation,
        [load, store]: [usize; 2],
    ) {
        for later in events.loads().filter(|&later| later != load) {
            let read = self.reads_from[store][load];
            solver.clause(&[!read, !before[load][later], !self.reads_before[later][store]]);
        }
    }

    /// Nothing comes between the load and the store of a read-modify-write.
    pub(super) fn add_atomicity(&self, solver: &mut Solver, events: &Events) {
        for load in events.loads() {
            for store in events.stores().filter(|&store| events.is_update(load, store)) {
                let is_same = events.is_same_location[load][store];
                for other in events.stores().filter(|&other| other != store) {
                    let is_between =
                        [self.reads_before[load][other], self.modification[other][store], is_same];
                    solver.clause(&is_between.map(|bit| !bit));
                }
            }
        }
    }

    /// For each load, the stores that it may read, and whether it does.
    pub(super) fn flows(&self, events: &Events) -> BTreeMap<AccessId, Vec<(AccessId, Bit)>> {
        let access = |event: usize| events.all[event].access.expect("a load or a store is an access");
        let of = |load: usize| {
            let stores = events.stores().map(|store| (access(store), self.reads_from[store][load]));
            stores.filter(|(_, flow)| *flow != Bit::FALSE).collect()
        };
        events.loads().map(|load| (access(load), of(load))).collect()
    }
}

/// Each load that is done reads one store of its location, if there is an order, one that comes before it there, or what was there at first.
fn reads_from(
    encoding: &mut Encoding,
    flat: &Flat,
    events: &Events,
    along: Option<&MemoryOrder>,
) -> (Relation, Vec<Bit>) {
    let mut reads_from = relation(&events.all, |_, _| Bit::FALSE);
    let mut is_initial = vec![Bit::FALSE; events.all.len()];
    for load in events.loads() {
        let id = events.all[load].access.expect("a load is an access");
        let access = &flat.accesses[id.0];
        let word = encoding.words[access.value.0].clone();
        let initial = encoding.solver.variable();
        is_initial[load] = initial;
        encoding.solver.implies(&[initial], events.all[load].executed);
        encoding.add_initial(flat, access, &word, initial);
        let mut sources = vec![initial];
        for store in events.stores() {
            let is_same = events.is_same_location[store][load];
            let from = events.all[store].access.expect("a store is an access");
            let is_before = along.map_or(Bit::TRUE, |order| order.before(from, id));
            if is_same == Bit::FALSE || is_before == Bit::FALSE {
                continue;
            }
            let flow = encoding.solver.variable();
            for needed in [is_same, is_before, events.all[store].executed, events.all[load].executed] {
                encoding.solver.implies(&[flow], needed);
            }
            let stored = encoding.words[flat.accesses[from.0].value.0].clone();
            word.require_equal(&stored, flow, &mut encoding.solver);
            sources.iter().for_each(|&other| encoding.solver.clause(&[!flow, !other]));
            sources.push(flow);
            reads_from[store][load] = flow;
        }
        sources.push(!events.all[load].executed);
        encoding.solver.clause(&sources);
    }
    (reads_from, is_initial)
}

/// A total order of the stores, of which only pairs of one location that are done count.
fn modification(solver: &mut Solver, events: &Events) -> Relation {
    let stores: Vec<usize> = events.stores().collect();
    let order = total_order(solver, events.all.len(), &stores);
    relation(&events.all, |first, second| {
        if order[first][second] == Bit::FALSE {
            return Bit::FALSE;
        }
        let are_done = solver.and(events.all[first].executed, events.all[second].executed);
        let counts = solver.and(are_done, events.is_same_location[first][second]);
        solver.and(counts, order[first][second])
    })
}

/// A total order of some of so many events.
pub(super) fn total_order(solver: &mut Solver, count: usize, some: &[usize]) -> Relation {
    let mut order = vec![vec![Bit::FALSE; count]; count];
    for (place, &first) in some.iter().enumerate() {
        for &second in &some[place + 1..] {
            let is_before = solver.variable();
            order[first][second] = is_before;
            order[second][first] = !is_before;
        }
    }
    for &first in some {
        for &second in some.iter().filter(|&&second| second != first) {
            for &third in some.iter().filter(|&&third| third != first && third != second) {
                solver.implies(&[order[first][second], order[second][third]], order[first][third]);
            }
        }
    }
    order
}
