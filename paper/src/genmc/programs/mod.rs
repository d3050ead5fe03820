//! The programs, each with its number of threads: ordinary ones on our types, without a specification. Each operation on an atomic is on a line of its
//! own. What they share is in statics, as in C: every execution sees these as new.

mod chase_lev;
mod locks;
mod mcs_lock;
mod mpmc_queue;
mod ms_queue;
mod rwlock;
mod seqlock;
mod treiber_stack;
mod words;

pub(super) use chase_lev::chase_lev_deque;
pub(super) use locks::{spinlock, ticket_lock, ttas_lock};
pub(super) use mcs_lock::mcs_lock;
pub(super) use mpmc_queue::mpmc_queue;
pub(super) use ms_queue::{ms_queue, ms_queue_pairs};
pub(super) use rwlock::linux_rwlock;
pub(super) use seqlock::seqlock;
pub(super) use treiber_stack::treiber_stack;
pub(super) use words::{carried_failure, fetch_add, fetch_update, store_buffering, store_load, token_ring};

use cdsspec_runtime::thread::{self, JoinHandle};

/// Threads that have been started.
#[must_use = "they are joined"]
struct Started(Vec<JoinHandle<()>>);

impl Started {
    /// Starts so many threads, each with its number.
    fn all(count: usize, run: impl Fn(usize) + Copy + Send + 'static) -> Self {
        Self((0..count).map(|index| thread::spawn(move || run(index))).collect())
    }

    /// Starts more of them.
    fn and(mut self, count: usize, run: impl Fn(usize) + Copy + Send + 'static) -> Self {
        self.0.extend(Self::all(count, run).0);
        self
    }

    /// Waits for them.
    fn join(self) {
        for handle in self.0 {
            handle.join().expect("no thread panics");
        }
    }
}
