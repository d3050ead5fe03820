//! What is sequentially consistent has a total order that contains psc (Lahav et al., section 3).

use super::event::{Events, Relation, relation};
use super::happens::HappensBefore;
use super::reads::{Reads, total_order};
use crate::solver::{Bit, Solver};

/// psc is acyclic: some total order has it.
pub(super) fn add(solver: &mut Solver, events: &Events, reads: &Reads, happens: &HappensBefore) {
    let some: Vec<usize> = (0..events.all.len()).filter(|&event| events.all[event].is_sc()).collect();
    if some.is_empty() {
        return;
    }
    let order = total_order(solver, events.all.len(), &some);
    let scb = scb(solver, events, reads, happens);
    let eco = eco(solver, events, reads);
    for &first in &some {
        for &second in &some {
            let mut ways = Vec::new();
            for (begin, begins) in ends(events, happens, first, true) {
                for (end, ended) in ends(events, happens, second, false) {
                    let reached = solver.and(begins, scb[begin][end]);
                    ways.push(solver.and(reached, ended));
                }
            }
            if events.all[first].is_fence() && events.all[second].is_fence() {
                ways.push(between_fences(solver, events, happens, &eco, [first, second]));
            }
            let is_ordered = order[first][second];
            ways.iter().for_each(|&way| solver.implies(&[way], is_ordered));
        }
    }
}

/// Where psc_base may begin at an event, or end: there, and at a fence also where happens-before leads from it, or to it.
fn ends(events: &Events, happens: &HappensBefore, event: usize, is_begin: bool) -> Vec<(usize, Bit)> {
    let mut ends = vec![(event, events.all[event].executed)];
    if events.all[event].is_fence() {
        let others = (0..events.all.len()).filter(|&other| other != event);
        let before = &happens.before;
        ends.extend(
            others.map(|other| (other, if is_begin { before[event][other] } else { before[other][event] })),
        );
    }
    ends
}

/// psc_F: happens-before, with the order of one location's accesses in between or without.
fn between_fences(
    solver: &mut Solver,
    events: &Events,
    happens: &HappensBefore,
    eco: &Relation,
    [first, second]: [usize; 2],
) -> Bit {
    let mut ways = vec![happens.before[first][second]];
    for begin in (0..events.all.len()).filter(|&begin| begin != first) {
        for end in (0..events.all.len()).filter(|&end| end != second) {
            let reached = solver.and(happens.before[first][begin], eco[begin][end]);
            ways.push(solver.and(reached, happens.before[end][second]));
        }
    }
    solver.any(&ways)
}

/// scb: program order; over other locations with happens-before in between; happens-before at one location; mo; rb.
fn scb(solver: &mut Solver, events: &Events, reads: &Reads, happens: &HappensBefore) -> Relation {
    let elsewhere = relation(&events.all, |first, second| {
        solver.and(events.program_order[first][second], !events.is_same_location[first][second])
    });
    // The first step, and happens-before; where the second step begins may be where the first ended.
    let left: Relation = (0..events.all.len())
        .map(|first| {
            let reach = |solver: &mut Solver, second: usize| {
                let mut ways = Vec::new();
                for between in (0..events.all.len()).filter(|&between| between != second) {
                    ways.push(solver.and(elsewhere[first][between], happens.before[between][second]));
                }
                solver.any(&ways)
            };
            (0..events.all.len()).map(|second| reach(solver, second)).collect()
        })
        .collect();
    let full = |solver: &mut Solver, first: usize, second: usize| {
        let mut ways = Vec::new();
        if first != second {
            let at_one = solver.and(happens.before[first][second], events.is_same_location[first][second]);
            ways.extend([events.program_order[first][second], at_one]);
            ways.extend([reads.modification[first][second], reads.reads_before[first][second]]);
        }
        for between in 0..events.all.len() {
            ways.push(solver.and(left[first][between], elsewhere[between][second]));
        }
        solver.any(&ways)
    };
    (0..events.all.len())
        .map(|first| (0..events.all.len()).map(|second| full(solver, first, second)).collect())
        .collect()
}

/// eco: rf, and mo or rb with rf behind them or without.
fn eco(solver: &mut Solver, events: &Events, reads: &Reads) -> Relation {
    relation(&events.all, |first, second| {
        let direct = |solver: &mut Solver, second: usize| {
            solver.or(reads.modification[first][second], reads.reads_before[first][second])
        };
        let mut ways = vec![reads.reads_from[first][second], direct(solver, second)];
        for store in events.stores() {
            let reached = direct(solver, store);
            ways.push(solver.and(reached, reads.reads_from[store][second]));
        }
        solver.any(&ways)
    })
}
