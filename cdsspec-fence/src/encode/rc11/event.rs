//! Accesses and fences as events.

use super::super::Encoding;
use crate::flat::{AccessId, Flat};
use crate::lsl::syntax::{AccessKind, FenceKind, Order};
use crate::range::Ranges;
use crate::solver::Bit;

/// An access, or a fence with an order.
pub(super) struct Event {
    /// None of a fence.
    pub(super) access: Option<AccessId>,
    pub(super) kind: Option<AccessKind>,
    pub(super) order: Order,
    /// Its atomic block: a load and a store of one are a read-modify-write.
    pub(super) block: Option<usize>,
    pub(super) executed: Bit,
    sequence: usize,
    position: usize,
}

/// A bit for each pair of events.
pub(super) type Relation = Vec<Vec<Bit>>;

/// All events of a program.
pub(super) struct Events {
    pub(super) all: Vec<Event>,
    /// Whether both are done, and the first comes before the second in its thread, or all of its thread does.
    pub(super) program_order: Relation,
    /// Whether both are of one location; of fences, false.
    pub(super) is_same_location: Relation,
}

impl Event {
    pub(super) fn is_load(&self) -> bool {
        self.kind == Some(AccessKind::Load)
    }

    pub(super) fn is_store(&self) -> bool {
        self.kind == Some(AccessKind::Store)
    }

    pub(super) fn is_fence(&self) -> bool {
        self.access.is_none()
    }

    pub(super) fn is_sc(&self) -> bool {
        self.order == Order::SequentiallyConsistent
    }

    pub(super) fn is_atomic(&self) -> bool {
        self.order != Order::NonAtomic
    }
}

impl Events {
    pub(super) fn new(encoding: &mut Encoding, flat: &Flat, ranges: &Ranges) -> Self {
        let mut all = Vec::new();
        for (index, access) in flat.accesses.iter().enumerate() {
            all.push(Event {
                access: Some(AccessId(index)),
                kind: Some(access.kind),
                order: access.order.unwrap_or(Order::Relaxed),
                block: access.block,
                executed: encoding.executed[index],
                sequence: access.sequence,
                position: access.position,
            });
        }
        for fence in &flat.fences {
            let FenceKind::Ordered(order) = fence.kind else { continue };
            let guard = encoding.guard(flat, fence.guard);
            let is_there = if fence.is_candidate { encoding.candidates[&fence.site] } else { Bit::TRUE };
            all.push(Event {
                access: None,
                kind: None,
                order,
                block: None,
                executed: encoding.solver.and(guard, is_there),
                sequence: fence.sequence,
                position: fence.position,
            });
        }
        let mut events = Self { all, program_order: Vec::new(), is_same_location: Vec::new() };
        events.program_order = relation(&events.all, |first, second| {
            if precedes(flat, &events.all[first], &events.all[second]) {
                encoding.solver.and(events.all[first].executed, events.all[second].executed)
            } else {
                Bit::FALSE
            }
        });
        events.is_same_location = relation(&events.all, |first, second| {
            match (events.all[first].access, events.all[second].access) {
                (Some(first), Some(second)) => {
                    encoding.is_same_address(ranges, &flat.accesses[first.0], &flat.accesses[second.0])
                }
                _ => Bit::FALSE,
            }
        });
        events
    }

    pub(super) fn loads(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.all.len()).filter(|&event| self.all[event].is_load())
    }

    pub(super) fn stores(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.all.len()).filter(|&event| self.all[event].is_store())
    }

    /// Whether they are a read-modify-write.
    pub(super) fn is_update(&self, load: usize, store: usize) -> bool {
        self.all[load].block.is_some() && self.all[load].block == self.all[store].block
    }

    /// Whether both are of one thread.
    pub(super) fn is_one_thread(&self, first: usize, second: usize) -> bool {
        self.all[first].sequence == self.all[second].sequence
    }
}

fn precedes(flat: &Flat, first: &Event, second: &Event) -> bool {
    if first.sequence == second.sequence {
        return first.position < second.position;
    }
    flat.is_initial(first.sequence) || flat.is_last(second.sequence)
}

/// A bit for each pair of different events.
pub(super) fn relation(all: &[Event], mut bit: impl FnMut(usize, usize) -> Bit) -> Relation {
    let mut row = |first: usize| -> Vec<Bit> {
        (0..all.len()).map(|second| if first == second { Bit::FALSE } else { bit(first, second) }).collect()
    };
    (0..all.len()).map(&mut row).collect()
}
