//! Release sequences, happens-before, and data races.

use super::event::{Event, Events, Relation, relation};
use super::reads::Reads;
use crate::lsl::syntax::AccessKind;
use crate::solver::{Bit, Solver};

pub(super) struct HappensBefore {
    /// Whether an event happens before another one.
    pub(super) before: Relation,
}

impl HappensBefore {
    pub(super) fn new(solver: &mut Solver, events: &Events, reads: &Reads) -> Self {
        let released = released(solver, events, reads);
        let steps = relation(&events.all, |first, second| {
            let synchronizes = synchronizes(solver, events, reads, &released, [first, second]);
            solver.or(events.program_order[first][second], synchronizes)
        });
        let before = relation(&events.all, |_, _| solver.variable());
        for first in 0..events.all.len() {
            for second in (0..events.all.len()).filter(|&second| second != first) {
                let mut ways = vec![steps[first][second]];
                for between in (0..events.all.len()).filter(|&other| other != first && other != second) {
                    ways.push(solver.and(before[first][between], steps[between][second]));
                }
                require_any(solver, before[first][second], &ways);
            }
        }
        Self { before }
    }

    /// Whether two accesses of one location, of which one writes and one is not atomic, are unordered: for each such pair.
    pub(super) fn races(&self, solver: &mut Solver, events: &Events) -> Vec<Bit> {
        let mut races = Vec::new();
        for first in 0..events.all.len() {
            for second in first + 1..events.all.len() {
                let [x, y] = [&events.all[first], &events.all[second]];
                let is_conflict = (x.is_store() || y.is_store()) && !(x.is_atomic() && y.is_atomic());
                if !is_conflict || events.is_one_thread(first, second) {
                    continue;
                }
                races.push(solver.all(&[
                    x.executed,
                    y.executed,
                    events.is_same_location[first][second],
                    !self.before[first][second],
                    !self.before[second][first],
                ]));
            }
        }
        races
    }
}

/// The bit is true exactly if one of these is.
fn require_any(solver: &mut Solver, bit: Bit, ways: &[Bit]) {
    ways.iter().for_each(|&way| solver.implies(&[way], bit));
    let clause: Vec<Bit> = ways.iter().copied().chain([!bit]).collect();
    solver.clause(&clause);
}

/// For each event that releases and each store, whether who reads the store reads what the event released: the store is the event or behind that fence, or
/// the store of a read-modify-write that reads such a one.
fn released(solver: &mut Solver, events: &Events, reads: &Reads) -> Relation {
    let is_head = |event: &Event| event.order.is_release() && event.kind != Some(AccessKind::Load);
    let mut released = vec![vec![Bit::FALSE; events.all.len()]; events.all.len()];
    for head in (0..events.all.len()).filter(|&head| is_head(&events.all[head])) {
        for store in events.stores() {
            released[head][store] = solver.variable();
        }
        for store in events.stores() {
            let is_fence = events.all[head].is_fence() && events.all[store].is_atomic();
            let mut ways = Vec::new();
            if store == head {
                ways.push(events.all[head].executed);
            } else if is_fence && events.is_one_thread(head, store) {
                ways.push(events.program_order[head][store]);
            }
            for load in events.loads().filter(|&load| events.is_update(load, store)) {
                let is_same = solver.and(events.is_same_location[load][store], events.all[store].executed);
                for source in events.stores() {
                    let is_read = solver.and(reads.reads_from[source][load], released[head][source]);
                    ways.push(solver.and(is_read, is_same));
                }
            }
            require_any(solver, released[head][store], &ways);
        }
    }
    released
}

/// Whether the first event releases what the second one acquires.
fn synchronizes(
    solver: &mut Solver,
    events: &Events,
    reads: &Reads,
    released: &Relation,
    [release, acquire]: [usize; 2],
) -> Bit {
    let event = &events.all[acquire];
    if !event.order.is_acquire() || event.kind == Some(AccessKind::Store) {
        return Bit::FALSE;
    }
    let mut ways = Vec::new();
    for load in events.loads() {
        let is_acquired = match event.is_fence() {
            false => Bit::Constant(load == acquire),
            true if !events.all[load].is_atomic() || !events.is_one_thread(load, acquire) => Bit::FALSE,
            true => events.program_order[load][acquire],
        };
        if is_acquired == Bit::FALSE {
            continue;
        }
        for store in events.stores() {
            let is_read = solver.and(released[release][store], reads.reads_from[store][load]);
            ways.push(solver.and(is_read, is_acquired));
        }
    }
    solver.any(&ways)
}
