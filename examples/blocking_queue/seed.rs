//! The bugs that are seeded: each memory order weakened, and two mistakes of logic.

use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};

/// The orders of the queue's operations, and a mistake of logic.
#[derive(Clone, Copy)]
pub(crate) struct Seed {
    pub(crate) enq_tail_load: Ordering,
    pub(crate) enq_link_exchange: Ordering,
    pub(crate) enq_tail_store: Ordering,
    pub(crate) deq_head_load: Ordering,
    pub(crate) deq_next_load: Ordering,
    pub(crate) deq_head_exchange: Ordering,
    /// Of every compare-exchange that fails.
    pub(crate) failure: Ordering,
    pub(crate) mistake: Mistake,
}

/// A mistake of logic.
#[derive(Clone, Copy)]
pub(crate) enum Mistake {
    None,
    /// The new node goes to the front.
    Lifo,
    /// The new node is linked without looking: of two at once one is lost.
    LostElement,
}

impl Seed {
    /// The queue as it should be.
    pub(crate) const CORRECT: Self = Self {
        enq_tail_load: Acquire,
        enq_link_exchange: Release,
        enq_tail_store: Release,
        deq_head_load: Acquire,
        deq_next_load: Acquire,
        deq_head_exchange: Release,
        failure: Relaxed,
        mistake: Mistake::None,
    };
}
