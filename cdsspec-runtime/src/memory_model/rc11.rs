//! RC11: coherence, and an order of SeqCst operations, psc, that must be acyclic. Orders are in force as they are written.
//!
//! # Paper
//! Lahav, Vafeiadis, Kang, Hur, Dreyer, *Repairing sequential consistency in C/C++11*, PLDI 2017, section 3.3: scb = sb ∪ sb|≠loc ; hb ; sb|≠loc ∪ hb|loc ∪ mo ∪ rb;
//! psc_base = ([Esc] ∪ [Fsc] ; hb?) ; scb ; ([Esc] ∪ hb? ; [Fsc]); psc_F = [Fsc] ; (hb ∪ hb ; eco ; hb) ; [Fsc].

use super::Axioms;
use super::order::{Order, Preserved};
use crate::graph::{Action, Event, EventId, Graph, Label, ReadsFrom};
use fixedbitset::FixedBitSet;

/// C11 as repaired.
pub(super) struct Rc11;

impl Axioms for Rc11 {
    fn in_force(&self, label: Label) -> Label {
        label
    }

    fn is_consistent(&self, graph: &Graph) -> bool {
        graph.is_sc_consistent()
    }

    fn sc_pairs(&self, graph: &Graph) -> Vec<(EventId, EventId)> {
        graph.psc_pairs()
    }

    fn may_leave_counts_out(&self) -> bool {
        true
    }
}

/// A relation over the events of a graph: row `a` holds the events after `a`.
struct Relation(Vec<FixedBitSet>);

impl Relation {
    fn new(count: usize) -> Self {
        Self(vec![FixedBitSet::with_capacity(count); count])
    }

    fn insert(&mut self, first: EventId, second: EventId) {
        self.0[first as usize].insert(second as usize);
    }

    /// The events that `row` reaches in one step through a set.
    fn after(&self, set: &FixedBitSet) -> FixedBitSet {
        let mut after = FixedBitSet::with_capacity(self.0.len());
        for event in set.ones() {
            after.union_with(&self.0[event]);
        }
        after
    }
}

impl Graph {
    /// Whether psc is acyclic. True at once if fewer than two threads have SeqCst events: psc is within sb then, or in hb.
    ///
    /// psc is within the closure of sb ∪ rf ∪ mo ∪ rb, since hb is, and eco. Whether that has a cycle is seen in linear time. If it has
    /// none, psc has none; if all accesses are SeqCst, psc has one where it has: sb, mo and rb are in scb then, and rf in hb|loc. Only
    /// what is mixed, and not sequentially consistent, is looked at in full: O(events³ / word).
    fn is_sc_consistent(&self) -> bool {
        if !self.has_sc_threads() || Order::new(self, Preserved::All).is_acyclic() {
            return true;
        }
        !self.has_only_sc_accesses() && is_acyclic(&self.psc())
    }

    /// Whether all accesses of atomic locations are SeqCst. Fences between those add nothing: sb passes them.
    fn has_only_sc_accesses(&self) -> bool {
        self.events.iter().all(|event| match event.label {
            Label::Create { .. }
            | Label::Join { .. }
            | Label::Access(Action::BeginCell { .. })
            | Label::Fence { .. }
            | Label::Choice { .. } => true,
            _ => event.is_sc(),
        })
    }

    /// The pairs of SeqCst events that psc orders.
    fn psc_pairs(&self) -> Vec<(EventId, EventId)> {
        if !self.has_sc_threads() {
            // Within one thread psc is sb.
            let sc: Vec<_> = (0..self.events.len() as EventId).filter(|&id| self.event(id).is_sc()).collect();
            return sc.windows(2).map(|pair| (pair[0], pair[1])).collect();
        }
        let pairs = self.psc();
        let row = |(first, after): (usize, &FixedBitSet)| -> Vec<_> {
            after.ones().map(|second| (first as EventId, second as EventId)).collect()
        };
        pairs.0.iter().enumerate().flat_map(row).collect()
    }

    fn has_sc_threads(&self) -> bool {
        if !self.may_have_sc {
            return false;
        }
        let mut threads = self.events.iter().filter(|event| event.is_sc()).map(|event| event.thread);
        let first = threads.next();
        threads.any(|thread| Some(thread) != first)
    }

    fn psc(&self) -> Relation {
        let count = self.events.len();
        let (hb, scb, eco) = self.sc_parts();
        let mut psc = Relation::new(count);
        let is_fence = |event: &Event| matches!(event.label, Label::Fence { .. });
        let sc_events: Vec<usize> = (0..count).filter(|&id| self.events[id].is_sc()).collect();
        for &first in &sc_events {
            let mut from = FixedBitSet::with_capacity(count);
            from.insert(first);
            if is_fence(&self.events[first]) {
                from.union_with(&hb.0[first]);
            }
            let to = scb.after(&from);
            let to_hb = hb.after(&to);
            let hb_eco_hb = hb.after(&eco.after(&hb.0[first]));
            for &second in &sc_events {
                let is_base = to.contains(second) || is_fence(&self.events[second]) && to_hb.contains(second);
                let is_fences = is_fence(&self.events[first])
                    && is_fence(&self.events[second])
                    && (hb.0[first].contains(second) || hb_eco_hb.contains(second));
                if is_base || is_fences {
                    psc.insert(first as EventId, second as EventId);
                }
            }
        }
        psc
    }

    /// hb, scb and eco.
    fn sc_parts(&self) -> (Relation, Relation, Relation) {
        let count = self.events.len();
        let (mut hb, mut scb, mut eco) = (Relation::new(count), Relation::new(count), Relation::new(count));
        // sb to events of other locations, both ways.
        let (mut sb_other, mut sb) = (Relation::new(count), Relation::new(count));
        for (second, event) in self.events.iter().enumerate() {
            let known = self.hb(second as EventId);
            for (first, other) in self.events.iter().enumerate() {
                if first == second || !other.is_in(known) {
                    continue;
                }
                let pair = (first as EventId, second as EventId);
                hb.insert(pair.0, pair.1);
                let (a, b) = (other.location, event.location);
                if a.is_some() && a == b {
                    scb.insert(pair.0, pair.1);
                }
                if other.thread == event.thread {
                    sb.insert(pair.0, pair.1);
                    if a.is_none() || a != b {
                        sb_other.insert(pair.0, pair.1);
                    }
                }
            }
        }
        for first in 0..count {
            let through = self.through_hb(first, &sb_other, &hb);
            scb.0[first].union_with(&sb.0[first]);
            scb.0[first].union_with(&through);
        }
        self.add_eco(&mut scb, &mut eco);
        (hb, scb, eco)
    }

    /// What is after an event by sb|≠loc ; hb ; sb|≠loc. The start and the end of a thread are events there, as in C++20 (\[intro.races\]:
    /// what comes before the creation of a thread *strongly happens before* all that the thread does), though the graph has none: a
    /// creation is before the start, an end before each join.
    fn through_hb(&self, first: usize, sb_other: &Relation, hb: &Relation) -> FixedBitSet {
        let mut middle = hb.after(&sb_other.0[first]);
        for (join, event) in self.events.iter().enumerate() {
            if matches!(event.label, Label::Join { child } if child == self.events[first].thread) {
                middle.insert(join);
                middle.union_with(&hb.0[join]);
            }
        }
        let mut through = sb_other.after(&middle);
        for creation in middle.union(&sb_other.0[first]) {
            if let Label::Create { child } = self.events[creation].label {
                self.threads[child].iter().for_each(|&event| through.insert(event as usize));
            }
        }
        through
    }

    /// mo and rb into scb; their closure with rf, from the end of each modification order, into eco.
    fn add_eco(&self, scb: &mut Relation, eco: &mut Relation) {
        for location in &self.locations {
            let readers = |store: ReadsFrom| {
                let of = move |read: &EventId| self.event(*read).reads_from == store;
                location.reads.iter().copied().filter(of).collect::<Vec<_>>()
            };
            let mut later = FixedBitSet::with_capacity(self.events.len());
            let mut later_writes: Vec<EventId> = Vec::new();
            for position in (0..=location.writes.len()).rev() {
                let store = match position.checked_sub(1) {
                    Some(index) => ReadsFrom::Event(location.writes[index]),
                    None => ReadsFrom::Initial,
                };
                let readers = readers(store);
                for &reader in &readers {
                    eco.0[reader as usize].union_with(&later);
                    for &write in later_writes.iter().filter(|&&write| write != reader) {
                        scb.insert(reader, write);
                    }
                    eco.0[reader as usize].remove(reader as usize);
                }
                if let ReadsFrom::Event(write) = store {
                    eco.0[write as usize].union_with(&later);
                    for &reader in &readers {
                        eco.insert(write, reader);
                    }
                    for &other in &later_writes {
                        scb.insert(write, other);
                    }
                    later_writes.push(write);
                    later.insert(write as usize);
                }
                for &reader in &readers {
                    later.insert(reader as usize);
                }
            }
        }
    }
}

fn is_acyclic(relation: &Relation) -> bool {
    // 0: not seen, 1: on the path, 2: done.
    fn descend(relation: &Relation, at: usize, colours: &mut [u8]) -> bool {
        colours[at] = 1;
        for next in relation.0[at].ones() {
            if colours[next] == 1 || colours[next] == 0 && !descend(relation, next, colours) {
                return false;
            }
        }
        colours[at] = 2;
        true
    }
    let mut colours = vec![0; relation.0.len()];
    (0..relation.0.len()).all(|start| colours[start] != 0 || descend(relation, start, &mut colours))
}
