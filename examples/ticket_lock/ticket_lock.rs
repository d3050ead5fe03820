//! A ticket lock: threads enter in the order in which they took a number.
//!
//! The algorithm is that of Reed and Kanodia's sequencers and event counts (*Synchronization with eventcounts and sequencers*,
//! CACM 22(2), 1979).
//!
//! # Ordering points
//! - `lock`: the load of `turn` that shows the own ticket. The ticket itself is taken with a relaxed operation, which orders nothing
//!   against the other threads' critical sections; what does is that this load acquires what the last `unlock` released.
//! - `unlock`: the store of `turn`, which the next `lock` reads.
//!
//! # What is specified
//! The lock is held or not. Every execution is admissible: two critical sections without an order between them have a sequential
//! history in which the second `lock` finds the lock held, so missing synchronisation shows as a violation.
//!
//! # What is left out
//! A guard and the data behind it, which would make `unlock` impossible to misuse; and the wrap of the counters, which needs as many
//! waiting threads as a `u32` has values to do harm.

use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// A lock that is fair: first come, first served.
#[derive(Default)]
pub(crate) struct TicketLock {
    /// The ticket that is handed out next.
    next_ticket: AtomicU32,
    /// The ticket whose owner may enter.
    turn: AtomicU32,
}

#[cdsspec::spec]
#[declare_state(is_held: bool)]
impl TicketLock {
    /// Waits until the lock is free, and takes it.
    #[pre_condition(!*is_held)]
    #[side_effect(*is_held = true)]
    pub(crate) fn lock(&self) {
        let ticket = self.next_ticket.fetch_add(1, Relaxed);
        loop {
            #[op_define(turn == ticket)]
            let turn = self.turn.load(Acquire);
            if turn == ticket || seeded("enters_out_of_turn") {
                return;
            }
            hint::spin_loop();
        }
    }

    /// Frees the lock, which the caller must hold.
    #[pre_condition(*is_held)]
    #[side_effect(*is_held = false)]
    pub(crate) fn unlock(&self) {
        let turn = self.turn.load(Relaxed);
        #[op_define]
        self.turn.store(turn.wrapping_add(1), Release);
    }
}
