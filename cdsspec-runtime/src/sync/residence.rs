//! Objects with plain data in them, which no execution may take over from another one.

use crate::port::with;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which execution has used the data of an object: one at most, since the data cannot be made anew as a word can.
///
/// 0: none.
pub(crate) struct Residence(AtomicU64);

impl Residence {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Of an object that this execution has made.
    pub(crate) const fn of(execution: u64) -> Self {
        Self(AtomicU64::new(execution))
    }

    /// The running thread is about to use the data of a `name`. Ends the execution if another one has: an object of a program is made in it,
    /// or it is a static, and then it is to be in a `LazyLock`.
    pub(crate) fn enter(&self, name: &str) {
        with(|execution| {
            let number = execution.number();
            let is_ours = match self.0.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => true,
                Err(user) => user == number,
            };
            if !is_ours {
                execution.port().refuse(&format!(
                    "a {name} is used in two executions, and the second would see what the first has left in it: make it in the \
                     program, or, if it is a static, put it into a cdsspec::sync::LazyLock"
                ));
            }
        });
    }
}
