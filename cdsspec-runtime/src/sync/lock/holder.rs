//! Keeps executions that run at once, on several OS threads over one `static`, out of each other's data.

use crate::port::{is_running, with};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long an execution waits for another one before it gives up: they may wait for each other.
const WAIT_MAX: Duration = Duration::from_secs(20);

/// Which execution is in possession of the data of a lock. To an engine the lock is free at the start of every execution; the
/// data is there only once.
pub(crate) struct Holder(Mutex<Holding>);

struct Holding {
    /// The number of the execution; 0 for all that is outside of executions.
    execution: u64,
    /// How many of its guards there are.
    guard_count: usize,
}

/// Possession of the data, until dropped.
pub(crate) struct Hold<'a> {
    holder: &'a Holder,
    execution: u64,
}

impl Holder {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Holding { execution: 0, guard_count: 0 }))
    }

    /// Waits until no other execution holds the data. Within one execution, or outside of them, the lock itself keeps threads
    /// apart.
    ///
    /// # Panics
    /// If another execution does not let go of it for long.
    pub(crate) fn hold(&self) -> Hold<'_> {
        let execution = with(|execution| execution.number()).unwrap_or(0);
        let mut since = None;
        while !self.try_hold(execution) {
            let since = since.get_or_insert_with(Instant::now);
            assert!(
                since.elapsed() < WAIT_MAX,
                "a lock is held by another model or outside of models, which does not release it: \
                 models that share a static lock cannot run at the same time"
            );
            std::thread::yield_now();
        }
        Hold { holder: self, execution }
    }

    fn try_hold(&self, execution: u64) -> bool {
        let mut holding = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if holding.execution == execution {
            holding.guard_count += 1;
            return true;
        }
        // An execution that was cut did not drop its guards.
        let is_held = holding.guard_count > 0 && (holding.execution == 0 || is_running(holding.execution));
        if !is_held {
            *holding = Holding { execution, guard_count: 1 };
        }
        !is_held
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let mut holding = self.holder.0.lock().unwrap_or_else(PoisonError::into_inner);
        if holding.execution == self.execution {
            holding.guard_count -= 1;
        }
    }
}
