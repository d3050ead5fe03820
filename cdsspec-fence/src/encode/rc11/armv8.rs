//! Armv8, in its multi-copy-atomic axiomatic form: Pulte, Flur, Deacon, French, Sarkar and Sewell, *Simplifying ARM concurrency*, POPL 2018.
//!
//! Orders are compiled as rustc does for AArch64: an acquiring load is `LDAR`, a releasing store `STLR`, an acquire fence `DMB ISHLD`, other fences
//! `DMB ISH`. A read-modify-write is one of LSE (`CAS`, `SWP`, `LDADD`) with the same orders: nothing depends on how it compares. Accesses that are not atomic are
//! plain ones. `ISB`, weaker acquires (`LDAPR`) and mixed sizes are not modelled.
//!
//! - internal: the accesses of one location are ordered with program order;
//! - external: ordered-before has no cycles: the memory order has it. It is made of what other threads observe, of dependencies (`dob`), of
//!   read-modify-writes (`aob`) and of barriers (`bob`);
//! - atomic: nothing comes between the load and the store of a read-modify-write.

use super::super::Encoding;
use super::super::order::MemoryOrder;
use super::depends::{Dependencies, dependencies};
use super::event::{Events, Relation, relation};
use super::reads::Reads;
use crate::flat::{Branch, Flat};
use crate::lsl::syntax::Order;
use crate::range::Ranges;
use crate::solver::{Bit, Solver};

impl Encoding {
    /// All axioms of Armv8; and, if that is asked for, that program order and reads-from are acyclic.
    pub(in super::super) fn add_armv8(&mut self, flat: &Flat, ranges: &Ranges, is_acyclic: bool) {
        let events = Events::new(self, flat, ranges);
        let along = is_acyclic.then(|| MemoryOrder::in_program_order(flat, &mut self.solver));
        let reads = Reads::new(self, flat, &events, along.as_ref());
        reads.add_coherence(&mut self.solver, &events, &events.program_order);
        reads.add_atomicity(&mut self.solver, &events);
        let depends = Depends::new(self, flat, &events);
        let solver = &mut self.solver;
        for first in 0..events.all.len() {
            for second in (0..events.all.len()).filter(|&second| second != first) {
                let [Some(x), Some(y)] = [events.all[first].access, events.all[second].access] else {
                    continue;
                };
                let mut ways = observed(&events, &reads, [first, second]);
                ways.extend(depends.ordered(solver, &events, &reads, [first, second]));
                ways.extend(by_update(solver, &events, &reads, [first, second]));
                ways.extend(by_barrier(solver, &events, &reads, [first, second]));
                let is_before = self.order.before(x, y);
                ways.iter().for_each(|&way| solver.implies(&[way], is_before));
            }
        }
        self.flows = reads.flows(&events);
    }
}

/// obs: what another thread reads, overwrites, or has not yet seen. And all that comes before or behind the threads.
fn observed(events: &Events, reads: &Reads, [first, second]: [usize; 2]) -> Vec<Bit> {
    if events.is_one_thread(first, second) {
        return Vec::new();
    }
    vec![
        reads.reads_from[first][second],
        reads.modification[first][second],
        reads.reads_before[first][second],
        events.program_order[first][second],
    ]
}

/// aob: a read-modify-write, and who acquires what it stored in its own thread.
fn by_update(solver: &mut Solver, events: &Events, reads: &Reads, [first, second]: [usize; 2]) -> Vec<Bit> {
    let [x, y] = [&events.all[first], &events.all[second]];
    let mut ways = Vec::new();
    if x.is_load() && y.is_store() && events.is_update(first, second) {
        ways.push(solver.and(events.program_order[first][second], events.is_same_location[first][second]));
    }
    let is_stored = events.loads().any(|load| events.is_update(load, first));
    if x.is_store() && is_stored && y.is_load() && y.order.is_acquire() && events.is_one_thread(first, second)
    {
        ways.push(reads.reads_from[first][second]);
    }
    ways
}

/// bob: fences, acquiring loads, releasing stores.
fn by_barrier(solver: &mut Solver, events: &Events, reads: &Reads, [first, second]: [usize; 2]) -> Vec<Bit> {
    let [x, y] = [&events.all[first], &events.all[second]];
    if !events.is_one_thread(first, second) {
        return Vec::new();
    }
    let order = &events.program_order;
    let mut ways = Vec::new();
    let is_acquire = |event: usize| events.all[event].is_load() && events.all[event].order.is_acquire();
    let is_release = |event: usize| events.all[event].is_store() && events.all[event].order.is_release();
    if is_acquire(first) || is_release(second) || is_release(first) && is_acquire(second) {
        ways.push(order[first][second]);
    }
    let is_other =
        |between: &usize| events.is_one_thread(first, *between) && *between != first && *between != second;
    for between in (0..events.all.len()).filter(is_other) {
        let is_full = events.all[between].is_fence() && events.all[between].order != Order::Acquire;
        let is_of_loads = events.all[between].is_fence() && x.is_load();
        if is_full || is_of_loads {
            ways.push(solver.and(order[first][between], order[between][second]));
        }
        if is_release(between) && y.is_store() {
            let is_overwritten = solver.and(order[between][second], reads.modification[between][second]);
            ways.push(solver.and(order[first][between], is_overwritten));
        }
    }
    ways
}

/// Which accesses depend on which loads.
struct Depends {
    address: Relation,
    data: Relation,
    control: Relation,
}

impl Depends {
    fn new(encoding: &mut Encoding, flat: &Flat, events: &Events) -> Self {
        let on = dependencies(encoding, flat);
        let bit = |of: &Dependencies, load: usize| {
            events.all[load].access.and_then(|load| of.get(&load)).copied().unwrap_or(Bit::FALSE)
        };
        let access = |event: usize| events.all[event].access.map(|access| &flat.accesses[access.0]);
        let order = &events.program_order;
        let address = relation(&events.all, |load, event| match access(event) {
            Some(access) => encoding.solver.and(order[load][event], bit(&on[access.address.0], load)),
            None => Bit::FALSE,
        });
        let data = relation(&events.all, |load, event| match access(event) {
            Some(access) if events.all[event].is_store() => {
                encoding.solver.and(order[load][event], bit(&on[access.value.0], load))
            }
            _ => Bit::FALSE,
        });
        let control = relation(&events.all, |load, event| {
            let (Some(from), Some(to)) = (access(load), access(event)) else { return Bit::FALSE };
            let is_between = |branch: &&Branch| {
                branch.sequence == to.sequence
                    && from.position < branch.position
                    && branch.position <= to.position
            };
            let mut ways = Vec::new();
            for branch in flat.branches.iter().filter(is_between) {
                let guard = encoding.guard(flat, branch.guard);
                ways.push(encoding.solver.and(guard, bit(&on[branch.condition.0], load)));
            }
            let depends = encoding.solver.any(&ways);
            encoding.solver.and(order[load][event], depends)
        });
        Self { address, data, control }
    }

    /// dob: dependencies, and what comes behind them.
    fn ordered(
        &self,
        solver: &mut Solver,
        events: &Events,
        reads: &Reads,
        [first, second]: [usize; 2],
    ) -> Vec<Bit> {
        if !events.all[first].is_load() || !events.is_one_thread(first, second) {
            return Vec::new();
        }
        let is_store = events.all[second].is_store();
        let mut ways = vec![self.address[first][second], self.data[first][second]];
        if is_store {
            ways.push(self.control[first][second]);
        }
        for between in (0..events.all.len()).filter(|&between| between != first && between != second) {
            let is_reached = solver.or(self.address[first][between], self.data[first][between]);
            if is_store {
                let order = events.program_order[between][second];
                ways.push(solver.and(self.address[first][between], order));
                let is_overwritten = solver.and(order, reads.modification[between][second]);
                ways.push(solver.and(self.data[first][between], is_overwritten));
            } else if events.is_one_thread(between, second) {
                ways.push(solver.and(is_reached, reads.reads_from[between][second]));
            }
        }
        ways
    }
}
