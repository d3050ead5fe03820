//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::seqlock::SeqLock;
use cdsspec::Scenario;
use cdsspec::thread;

pub(crate) fn write__read() {
    let lock = SeqLock::default();
    thread::scope(|scope| {
        scope.spawn(|| lock.write(1, 2));
        scope.spawn(|| lock.read());
    });
}

/// Two threads that write, one that reads.
pub(crate) fn two_writers() {
    let lock = SeqLock::default();
    thread::scope(|scope| {
        scope.spawn(|| lock.write(1, 2));
        scope.spawn(|| lock.write(3, 4));
        scope.spawn(|| lock.read());
    });
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<SeqLock> {
    Scenario::new(SeqLock::default)
        .op_for("write", [(1, 2), (3, 4)], |lock, (first, second)| lock.write(first, second).into())
        .op("read()", |lock| lock.read().into())
}
