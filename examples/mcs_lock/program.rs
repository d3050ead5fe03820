//! The programs that are explored.

use crate::mcs_lock::{McsLock, Node};
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
