//! RC11 as a formula: Lahav, Vafeiadis, Kang, Hur and Dreyer, *Repairing sequential consistency in C/C++11*, PLDI 2017, with the release sequences of C++20.
//!
//! An execution is a graph: program order, reads-from, and the modification order of each location. The memory order of the encoding is any total order
//! that has all of program order and reads-from, so that these are acyclic together (no-thin-air). Happens-before and what else is defined by
//! recursion is so along that order: an equivalence for each pair has one solution. Operations before and behind the threads happen before them and
//! after them.
//!
//! An access without an order counts as `Relaxed`. X-Y fences mean nothing. A data race with a non-atomic access is an error.
//!
//! | module | what is there |
//! |---|---|
//! | [`event`] | accesses and fences as events; pairs of them |
//! | [`reads`] | reads-from, modification order, coherence, atomicity |
//! | [`happens`] | release sequences, happens-before, races |
//! | [`psc`] | the order of what is sequentially consistent |
//!
//! Armv8 has events, reads-from, coherence and atomicity in common with RC11: so its formula is here, too ([`armv8`], with [`depends`]).

mod armv8;
mod depends;
mod event;
mod happens;
mod psc;
mod reads;

use super::Encoding;
use super::order::MemoryOrder;
use crate::flat::Flat;
use crate::range::Ranges;
use event::Events;
use happens::HappensBefore;
use reads::Reads;

impl Encoding {
    /// All axioms of RC11.
    pub(super) fn add_rc11(&mut self, flat: &Flat, ranges: &Ranges) {
        let events = Events::new(self, flat, ranges);
        let order = MemoryOrder::in_program_order(flat, &mut self.solver);
        let reads = Reads::new(self, flat, &events, Some(&order));
        self.order = order;
        let happens = HappensBefore::new(&mut self.solver, &events, &reads);
        reads.add_coherence(&mut self.solver, &events, &happens.before);
        reads.add_atomicity(&mut self.solver, &events);
        psc::add(&mut self.solver, &events, &reads, &happens);
        self.races = happens.races(&mut self.solver, &events);
        self.flows = reads.flows(&events);
    }
}
