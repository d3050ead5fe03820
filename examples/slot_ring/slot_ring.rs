//! The turns of a bounded queue of many producers and many consumers, without its slots: whoever has a turn uses the slot of that number in an array of their own, of
//! which nothing is known here. So a missing order is no data race that is seen, but two calls on one slot that are not ordered, and the
//! rules of admissibility have to find it, as in the CDSSpec paper (Ou and Demsky, PPoPP 2017, figure 8: four of the injections into its MPMC queue).
//!
//! Slots are reserved to be written and to be read by turns, in a count of each. Who has reserved one waits until it is their turn: to write, until the slot was
//! consumed by all who reserved it before; to read, until it was published.
//!
//! # Ordering points
//! - `write_prepare`, `read_fetch`: the load that ends the wait. The function that waits, `wait_for`, does not know whose call it is in, and marks each of its
//!   loads as a *potential* ordering point, `potential_op!(turn)`; the calls that waited check it, `op_check!(turn)`, and the last load counts. A call that found no slot
//!   has waited for nothing: its point is the operation that saw so.
//! - `write_publish`, `read_consume`: the addition to the count, which releases the slot.
//!
//! The reservations are relaxed: they order nothing, and nothing here needs them to. What is promised is about one slot.
//!
//! # What is specified
//! What became of each slot: free, reserved, published, fetched. Each call finds its slot in the state that the call before it left. Admissible are executions in which
//! the calls on one slot are ordered: it is reserved, published, fetched, consumed, and reserved anew.
//!
//! # What is left out
//! - When a call may find no slot: without an order of the reservations, nothing says what it must have seen.
//! - The wrap of the counts.

use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicU32, AtomicUsize};
use std::collections::BTreeMap;

/// The turns at so many slots.
pub(crate) struct SlotRing {
    /// How many turns were given out to read (upper half) and to write (lower half).
    reserved: AtomicU32,
    /// How many slots were consumed, and how many were published.
    read: AtomicUsize,
    written: AtomicUsize,
    capacity: usize,
}

/// What became of a slot that is not free.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Stage {
    Reserved,
    Published,
    Fetched,
}

#[cdsspec::spec]
#[declare_state(slots: BTreeMap<usize, Stage>)]
#[admit(write_prepare <-> write_publish, m1.c_ret == Some(m2.slot))]
#[admit(write_publish <-> read_fetch, Some(m1.slot) == m2.c_ret)]
#[admit(read_fetch <-> read_consume, m1.c_ret == Some(m2.slot))]
#[admit(read_consume <-> write_prepare, Some(m1.slot) == m2.c_ret)]
impl SlotRing {
    /// All slots are free.
    pub(crate) fn new(capacity: usize) -> Self {
        let (read, written) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { reserved: AtomicU32::new(0), read, written, capacity }
    }

    /// Reserves a slot to write to, and waits until it is free; none if as many are reserved as there are.
    #[side_effect(c_ret.and_then(|slot| slots.insert(slot, Stage::Reserved)))]
    #[post_condition(s_ret.is_none())]
    pub(crate) fn write_prepare(&self) -> Option<usize> {
        let room = if seeded("overlooks_that_it_is_full") { self.capacity + 1 } else { self.capacity };
        let turn = self.reserve([0, 1], |[read, written]| written - read < room);
        cdsspec::op_define!(turn.is_none());
        let [read, written] = turn?;
        Self::wait_for(&self.read, read);
        cdsspec::op_check!(turn);
        Some((written + usize::from(seeded("names_the_next_slot"))) % self.capacity)
    }

    /// Lets a slot be read that was reserved to be written.
    #[side_effect(slots.insert(slot, Stage::Published))]
    #[post_condition(s_ret == Some(Stage::Reserved))]
    pub(crate) fn write_publish(&self, slot: usize) {
        #[op_define]
        self.written.fetch_add(1, Release);
    }

    /// Reserves a slot to read from, and waits until it is published; none if all that are reserved to be written are reserved to be read.
    #[side_effect(c_ret.and_then(|slot| slots.insert(slot, Stage::Fetched)))]
    #[post_condition(c_ret.is_none() || s_ret == Some(Stage::Published))]
    pub(crate) fn read_fetch(&self) -> Option<usize> {
        let turn = self.reserve([1, 0], |[read, written]| read < written);
        cdsspec::op_define!(turn.is_none());
        let [read, written] = turn?;
        Self::wait_for(&self.written, written);
        cdsspec::op_check!(turn);
        Some(read % self.capacity)
    }

    /// Lets a slot be written again that was fetched.
    #[side_effect(slots.remove(&slot))]
    #[post_condition(s_ret == Some(Stage::Fetched))]
    pub(crate) fn read_consume(&self, slot: usize) {
        #[op_define]
        self.read.fetch_add(1, Release);
    }

    /// Adds to the counts of turns as long as there is one: the counts before.
    fn reserve(&self, add: [u32; 2], is_left: impl Fn([usize; 2]) -> bool) -> Option<[usize; 2]> {
        let mut reserved = self.reserved.load(Relaxed);
        loop {
            let counts = [reserved >> 16, reserved & 0xFFFF];
            if !is_left(counts.map(|count| count as usize)) {
                return None;
            }
            let wanted = reserved + (add[0] << 16) + add[1];
            match self.reserved.compare_exchange(reserved, wanted, Relaxed, Relaxed) {
                Ok(_) => return Some(counts.map(|count| count as usize)),
                Err(now) => reserved = now,
            }
            hint::spin_loop();
        }
    }

    /// Waits until so many slots are done with. Whose call that orders, it does not know.
    fn wait_for(done: &AtomicUsize, wanted: usize) {
        loop {
            let count = done.load(Acquire);
            cdsspec::potential_op!(turn);
            if count == wanted {
                return;
            }
            hint::spin_loop();
        }
    }
}
