//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::ticket_lock::TicketLock;
use cdsspec::Scenario;
use cdsspec::thread;

/// Two threads that each lock twice.
pub(crate) fn twice() {
    let lock = TicketLock::default();
    let lock_twice = || {
        for _ in 0..2 {
            lock.lock();
            lock.unlock();
        }
    };
    thread::scope(|scope| {
        scope.spawn(lock_twice);
        scope.spawn(lock_twice);
    });
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<TicketLock> {
    Scenario::new(TicketLock::default).op("lock_and_unlock()", |lock| {
        lock.lock();
        lock.unlock().into()
    })
}
