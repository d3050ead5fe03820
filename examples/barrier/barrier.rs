//! A barrier: nobody goes on before all have come; then it serves again.
//!
//! All arrivals are counted, over all rounds: the thread that comes as number *n* is of round *n* / `PARTIES`, and waits until that round
//! is full. So nothing has to be set back, which is where barriers go wrong.
//!
//! # Ordering points
//! A `wait` is two calls, as in C++20: its arrival comes before the departures of all others, and its departure after their arrivals, so that one
//! call could not be put into any order.
//! - `arrive`: the addition. It releases what the thread did before, and acquires what those did that came earlier, so that arrivals
//!   are ordered.
//! - `depart`: the load that shows that the round is full.
//!
//! # What is specified
//! How many have arrived. Every execution is admissible. An arrival gets the round that follows from those before it, in every history; at a
//! departure all of the round have arrived: all that they did before happens before what follows.
//!
//! # What is left out
//! Waiting without spinning, and the wrap of the counter. The number of parties is a constant of the type, as the specification counts with it.

use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// A barrier for so many threads.
#[derive(Default)]
pub(crate) struct Barrier<const PARTIES: usize> {
    /// Over all rounds.
    arrived: AtomicUsize,
}

#[cdsspec::spec(instance(PARTIES = 2))]
#[declare_state(arrived: usize)]
impl<const PARTIES: usize> Barrier<PARTIES> {
    /// Waits for the others; whether this thread is the last one of the round.
    pub(crate) fn wait(&self) -> bool {
        let (round, is_last) = self.arrive();
        self.depart(round);
        is_last
    }

    /// Comes, and does not wait yet: the round, and whether this thread is its last one.
    #[side_effect({
        *arrived += 1;
        ((*arrived - 1) / PARTIES, *arrived % PARTIES == 0)
    })]
    pub(crate) fn arrive(&self) -> (usize, bool) {
        let order = if seeded("arrives_relaxed") {
            Relaxed
        } else if seeded("only_releases") {
            Release
        } else {
            AcqRel
        };
        #[op_define]
        let before = self.arrived.fetch_add(1, order);
        (before / PARTIES, before % PARTIES == PARTIES - 1)
    }

    /// Waits until the round is full.
    #[pre_condition(*arrived >= (round + 1) * PARTIES)]
    #[side_effect(())]
    pub(crate) fn depart(&self, round: usize) {
        let full = (round + 1) * PARTIES - usize::from(seeded("does_not_wait_for_the_last"));
        loop {
            #[op_clear_define]
            let arrived = self.arrived.load(if seeded("departs_relaxed") { Relaxed } else { Acquire });
            if arrived >= full && !(seeded("waits_for_too_many") && arrived == full) {
                return;
            }
            hint::spin_loop();
        }
    }
}
