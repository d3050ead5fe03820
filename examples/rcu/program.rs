//! The programs that are explored.

use crate::rcu::Rcu;
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
