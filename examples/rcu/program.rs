//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::rcu::Rcu;
use cdsspec::Scenario;
use cdsspec::thread;

/// Two threads that each change one of the numbers, and one that reads them.
pub(crate) fn three() {
    let numbers = Rcu::new();
    thread::scope(|scope| {
        scope.spawn(|| numbers.write(1, 0));
        scope.spawn(|| numbers.write(0, 2));
        scope.spawn(|| numbers.read());
    });
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<Rcu> {
    Scenario::new(Rcu::new)
        .op_for("write", [(1, 0), (0, 2)], |numbers, (first, second)| numbers.write(first, second).into())
        .op("read()", |numbers| numbers.read().into())
}
