//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::slot_ring::SlotRing;
use cdsspec::Scenario;
use cdsspec::thread;

fn write(ring: &SlotRing) {
    if let Some(slot) = ring.write_prepare() {
        ring.write_publish(slot);
    }
}

fn read(ring: &SlotRing) {
    if let Some(slot) = ring.read_fetch() {
        ring.read_consume(slot);
    }
}

/// One thread writes, one reads.
pub(crate) fn write__read() {
    let ring = SlotRing::new(2);
    thread::scope(|scope| {
        scope.spawn(|| write(&ring));
        scope.spawn(|| read(&ring));
    });
}

/// The same, and the slot is full before.
pub(crate) fn full() {
    let ring = SlotRing::new(1);
    write(&ring);
    thread::scope(|scope| {
        scope.spawn(|| write(&ring));
        scope.spawn(|| read(&ring));
    });
}

/// Two threads that want to write to the same slot.
pub(crate) fn write__write() {
    let ring = SlotRing::new(1);
    thread::scope(|scope| {
        scope.spawn(|| write(&ring));
        scope.spawn(|| write(&ring));
    });
    read(&ring);
}

/// Two slots, and three threads.
pub(crate) fn write__write__read() {
    let ring = SlotRing::new(2);
    thread::scope(|scope| {
        scope.spawn(|| write(&ring));
        scope.spawn(|| write(&ring));
        scope.spawn(|| read(&ring));
    });
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<SlotRing> {
    Scenario::new(|| SlotRing::new(2))
        .op("write()", |ring| write(ring).into())
        .op("read()", |ring| read(ring).into())
}
