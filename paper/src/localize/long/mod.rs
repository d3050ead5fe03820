//! Six faults that show after many calls alone, each in a structure of its own, and without it.
//!
//! Methods have ordering points, under which all calls are ordered: so the engine `random` checks them against their specification.

mod blocks;
mod epochs;
mod journal;
mod lap_ring;
mod ring;
mod shared_work;
#[cfg(test)]
mod tests;

use super::objects::all_of;
use blocks::Blocks;
use cdsspec_runtime::scenario::Scenario;
use epochs::Epochs;
use journal::Journal;
use lap_ring::LapRing;
use ring::Ring;
use shared_work::SharedWork;

/// A fault that many calls show.
pub(crate) struct Long<T> {
    pub(crate) name: &'static str,
    /// What the fault is.
    pub(crate) fault: &'static str,
    pub(crate) scenario: Scenario<T>,
    pub(crate) correct: Scenario<T>,
    /// What is called first.
    pub(crate) initial: Vec<&'static str>,
    /// What two threads call.
    pub(crate) columns: [Vec<&'static str>; 2],
    /// So many runs are enough to find the fault.
    pub(crate) runs: u64,
}

/// The same calls over and over.
fn times(count: usize, calls: &[&'static str]) -> Vec<&'static str> {
    calls.repeat(count)
}

/// Who goes through all of them.
pub(crate) trait LongVisitor {
    /// Here is one.
    fn visit<T: Send + Sync + 'static>(&mut self, long: Long<T>);
}

/// Shows all six.
pub(crate) fn long_faults(visitor: &mut impl LongVisitor) {
    visitor.visit(Long {
        name: "Ring",
        fault: "8-bit positions are compared in 16 bits",
        scenario: all_of("Ring::faulty", Ring::faulty),
        correct: all_of("Ring::correct", Ring::correct),
        initial: times(252, &["send(1)", "receive()"]),
        columns: [times(8, &["send(2)"]), times(2, &["receive()"])],
        runs: 1,
    });
    visitor.visit(Long {
        name: "Journal",
        fault: "a 16-bit tag wraps",
        scenario: all_of("Journal::faulty", Journal::faulty),
        correct: all_of("Journal::correct", Journal::correct),
        initial: Vec::new(),
        columns: [
            [times(31, &["write(1)", "write(2)"]), times(2, &["write(1)"])].concat(),
            times(10, &["read()"]),
        ],
        runs: 50,
    });
    visitor.visit(Long {
        name: "SharedWork",
        fault: "a steal is beside a resize of the buffer",
        scenario: all_of("SharedWork::faulty", SharedWork::faulty),
        correct: all_of("SharedWork::correct", SharedWork::correct),
        initial: Vec::new(),
        columns: [times(10, &["put(1)", "put(2)"]), times(20, &["steal()"])],
        runs: 50,
    });
    visitor.visit(Long {
        name: "LapRing",
        fault: "a node is used again after a lap of the ring",
        scenario: all_of("LapRing::faulty", LapRing::faulty),
        correct: all_of("LapRing::correct", LapRing::correct),
        initial: Vec::new(),
        columns: [
            times(8, &["put(1)", "put(2)", "take()", "put(3)", "take()", "take()"]),
            times(8, &["take()"]),
        ],
        runs: 50,
    });
    visitor.visit(Long {
        name: "Blocks",
        fault: "a block is taken back while a thief still counts it finished",
        scenario: all_of("Blocks::faulty", Blocks::faulty),
        correct: all_of("Blocks::correct", Blocks::correct),
        initial: Vec::new(),
        columns: [times(8, &["put(1)", "put(2)", "put(3)"]), times(24, &["take()"])],
        runs: 50,
    });
    visitor.visit(Long {
        name: "Epochs",
        fault: "two threads disagree on an epoch",
        scenario: all_of("Epochs::faulty", Epochs::faulty),
        correct: all_of("Epochs::correct", Epochs::correct),
        initial: vec!["get()", "set(1)", "set(2)"],
        columns: [times(5, &["set(1)", "set(2)"]), times(8, &["get()"])],
        runs: 50,
    });
}
