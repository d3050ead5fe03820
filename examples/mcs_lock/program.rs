//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::mcs_lock::{McsLock, Node};
use cdsspec::Scenario;
use cdsspec::thread;

/// Two threads that each lock twice, with the same node.
pub(crate) fn twice() {
    let nodes = [Node::default(), Node::default()];
    let lock = McsLock::new();
    thread::scope(|scope| {
        for node in &nodes {
            let lock = &lock;
            scope.spawn(move || {
                for _ in 0..2 {
                    lock.lock(node);
                    lock.unlock(node);
                }
            });
        }
    });
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<McsLock<'static>> {
    Scenario::new(McsLock::new).op("lock_and_unlock()", |lock| {
        let node = Box::leak(Box::default());
        lock.lock(node);
        lock.unlock(node).into()
    })
}
