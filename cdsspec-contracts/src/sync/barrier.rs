//! `Barrier`.

use crate::Clock;
use crate::threads::current::{acquire_from, add_to};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

/// std's `Barrier`, with clocks: all who come to one of its rounds come before all who leave it. Rounds are not ordered among each other by
/// it.
pub struct Barrier {
    threads: usize,
    round: Mutex<Round>,
    completed: Condvar,
}

/// The round that gathers.
struct Round {
    arrived: usize,
    released: Clock,
    /// What all who came to the round knew, when it is complete: a slow thread still reads it when the next round gathers.
    joined: Option<Arc<OnceLock<Clock>>>,
}

/// std's `BarrierWaitResult`.
pub struct BarrierWaitResult(bool);

impl Barrier {
    /// A barrier of `n` threads. None is as 1.
    pub const fn new(n: usize) -> Self {
        Self { threads: n, round: Mutex::new(Round::new()), completed: Condvar::new() }
    }

    /// Waits until so many threads wait. One of them is told that it is the leader.
    pub fn wait(&self) -> BarrierWaitResult {
        let mut round = self.round.lock().unwrap_or_else(PoisonError::into_inner);
        add_to(&mut round.released);
        round.arrived += 1;
        let joined = Arc::clone(round.joined.get_or_insert_default());
        let is_leader = round.arrived >= self.threads;
        if is_leader {
            let Round { released, .. } = std::mem::replace(&mut *round, Round::new());
            let is_first = joined.set(released).is_ok();
            debug_assert!(is_first, "a round is completed once");
            self.completed.notify_all();
        } else {
            while joined.get().is_none() {
                round = self.completed.wait(round).unwrap_or_else(PoisonError::into_inner);
            }
        }
        drop(round);
        if let Some(joined) = joined.get() {
            acquire_from(joined);
        }
        BarrierWaitResult(is_leader)
    }
}

impl Round {
    const fn new() -> Self {
        Self { arrived: 0, released: Clock::new(), joined: None }
    }
}

impl BarrierWaitResult {
    /// Whether this thread is the leader.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.0
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barrier").finish_non_exhaustive()
    }
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult").field("is_leader", &self.is_leader()).finish()
    }
}
