//! A semaphore: so many threads may go in as there are permits.
//!
//! The idea is Dijkstra's (*Over de sequentialiteit van procesbeschrijvingen*, EWD 35, about 1962); here a number that is counted down, but not
//! below 0, and up again.
//!
//! # Ordering points
//! - `acquire` and `try_acquire`: the last operation of the update: the compare-exchange that took a permit, or the load that found none.
//! - `release`: the addition, which releases. An update is a read-modify-write, so who takes a permit acquires all releases before it.
//!
//! # What is specified
//! The number of permits. Every execution is admissible. In no history is a permit taken that is not there, or given back that was not
//! taken. Takers are not ordered against each other, which changes nothing: what a taker needs are the releases before it. A `try_acquire` may
//! fail although permits are there; but then there were, after some order of the calls that came before it, no more than concurrent calls took.
//!
//! # What is left out
//! Fairness, waiting without spinning, several permits at once, and a number of permits that only the run knows: the specification starts from
//! it, so it is a constant of the type.

use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// A semaphore with so many permits.
pub(crate) struct Semaphore<const PERMITS: usize> {
    /// Those that nobody has.
    permits: AtomicUsize,
}

#[cdsspec::spec(instance(PERMITS = 2))]
#[declare_state(permits: usize)]
#[initial(PERMITS)]
impl<const PERMITS: usize> Semaphore<PERMITS> {
    /// All permits are there.
    pub(crate) const fn new() -> Self {
        Self { permits: AtomicUsize::new(PERMITS) }
    }

    /// Waits for a permit, and takes it.
    #[pre_condition(*permits > 0)]
    #[side_effect(*permits -= 1)]
    pub(crate) fn acquire(&self) {
        while !self.take() {
            hint::spin_loop();
        }
    }

    /// Takes a permit, if there is one.
    #[pre_condition(!c_ret || *permits > 0)]
    #[justifying_pre_condition(c_ret || *permits <= concurrent.acquire().count()
        + concurrent.try_acquire().filter(|other| other.c_ret).count())]
    #[side_effect(*permits -= usize::from(c_ret);)]
    pub(crate) fn try_acquire(&self) -> bool {
        self.take() && !seeded("try_acquire_always_fails")
    }

    /// Gives back a permit that the caller has.
    #[pre_condition(*permits < PERMITS)]
    #[side_effect(*permits += 1)]
    pub(crate) fn release(&self) {
        #[op_define]
        self.permits.fetch_add(1, if seeded("releases_relaxed") { Relaxed } else { Release });
    }

    fn take(&self) -> bool {
        let order = if seeded("acquires_relaxed") { Relaxed } else { Acquire };
        let one_less = |permits: usize| {
            if seeded("takes_what_is_not_there") {
                Some(permits.saturating_sub(1))
            } else {
                permits.checked_sub(1)
            }
        };
        let taken = self.permits.fetch_update(order, Relaxed, one_less);
        cdsspec::op_clear_define!();
        taken.is_ok()
    }
}
