//! A bounded queue of many producers and many consumers, after Vyukov's (in the tests of Relacy): three counters over an array.
//!
//! A thread reserves the next slot with a compare-exchange on the counts of reserved slots, and then waits for its turn: a reader until
//! all slots are published that were reserved for writing when it came, a writer until all are consumed that were reserved for reading.
//! Neither count can go further before that, since whoever reserves later waits for this thread.
//!
//! # Ordering points
//! - `write_prepare`, `read_fetch`: the last load of the loop that waits: it acquires what the calls before it on the other side released.
//!   A call that found the queue full or empty has none: it orders nothing.
//! - `write_publish`, `read_consume`: the addition to the count, which releases the slot.
//!
//! # What is specified
//! What became of each slot: it is free, reserved, or holds an item. (The specification that the paper's authors released has no state.)
//! Admissible are executions in which the calls on one slot are ordered: it is reserved, published, fetched, consumed, and reserved anew.
//!
//! # What is left out
//! - Whoever finds the queue full or empty may be wrong: nothing is said of those calls.
//! - The wrap of the 16-bit counters, with which a thread may take an old count for its turn.

use cdsspec::cell::UnsafeCell;
use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use std::collections::BTreeMap;

/// A queue of as many items as it has slots, at most.
pub(crate) struct MpmcQueue<T> {
    /// How many slots were reserved to be read (upper half) and to be written (lower half).
    reserved: AtomicU32,
    /// How many were consumed.
    read: AtomicU32,
    /// How many were published.
    written: AtomicU32,
    slots: Box<[UnsafeCell<Option<T>>]>,
}

/// A slot that its holder alone uses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Slot(u16);

// SAFETY: a slot is used only by who has reserved it.
unsafe impl<T: Send> Sync for MpmcQueue<T> {}

#[cdsspec::spec(instance(T = i32))]
#[declare_state(slots: BTreeMap<Slot, Option<T>>)]
#[admit(write_prepare <-> write_publish, m1.c_ret.as_ref() == Some(&m2.slot))]
#[admit(write_publish <-> read_fetch, Some(&m1.slot) == m2.c_ret.as_ref())]
#[admit(read_fetch <-> read_consume, m1.c_ret.as_ref() == Some(&m2.slot))]
#[admit(read_consume <-> write_prepare, Some(&m1.slot) == m2.c_ret.as_ref())]
impl<T> MpmcQueue<T> {
    /// An empty queue.
    ///
    /// # Panics
    /// If the capacity is not a power of two below 2^15.
    pub(crate) fn with_capacity(capacity: u16) -> Self {
        assert!(capacity.is_power_of_two() && capacity < 1 << 15, "a power of two below 2^15");
        Self {
            reserved: AtomicU32::new(0),
            read: AtomicU32::new(0),
            written: AtomicU32::new(0),
            slots: (0..capacity).map(|_| UnsafeCell::new(None)).collect(),
        }
    }

    /// Reserves a slot to write to, unless the queue is full.
    #[side_effect(c_ret.and_then(|slot| slots.insert(slot, None)))]
    #[post_condition(s_ret.is_none())]
    pub(crate) fn write_prepare(&self) -> Option<Slot> {
        let mut reserved = self.reserved.load(Acquire);
        let (read, written) = loop {
            let (read, written) = halves(reserved);
            if written.wrapping_sub(read) >= self.capacity() {
                return None;
            }
            match self.reserved.compare_exchange_weak(
                reserved,
                whole(read, written.wrapping_add(1)),
                AcqRel,
                Acquire,
            ) {
                Ok(_) => break (read, written),
                Err(now) => reserved = now,
            }
            hint::spin_loop();
        };
        loop {
            #[op_define(consumed == read)]
            let consumed = self.read.load(Acquire) as u16;
            if consumed == read {
                return Some(self.slot(if seeded("hands_out_a_wrong_slot") { written + 1 } else { written }));
            }
            hint::spin_loop();
        }
    }

    /// Writes to a reserved slot, and lets it be read.
    #[side_effect(slots.insert(slot, Some(item)))]
    #[post_condition(s_ret == Some(None))]
    pub(crate) fn write_publish(&self, slot: Slot, item: T) {
        // SAFETY: the caller has reserved the slot, and nobody reads it until the count says so.
        self.slots[usize::from(slot.0)].with_mut(|place| unsafe { *place = Some(item) });
        #[op_define]
        self.written.fetch_add(1, Release);
    }

    /// Reserves the next slot to read from, unless the queue is empty.
    #[pre_condition(c_ret.is_none_or(|slot| matches!(slots.get(&slot), Some(Some(_)))))]
    pub(crate) fn read_fetch(&self) -> Option<Slot> {
        let mut reserved = self.reserved.load(Acquire);
        let (read, written) = loop {
            let (read, written) = halves(reserved);
            if read == written {
                return None;
            }
            match self.reserved.compare_exchange_weak(
                reserved,
                whole(read.wrapping_add(1), written),
                AcqRel,
                Acquire,
            ) {
                Ok(_) => break (read, written),
                Err(now) => reserved = now,
            }
            hint::spin_loop();
        };
        loop {
            #[op_define(published == written)]
            let published = self.written.load(Acquire) as u16;
            if published == written || seeded("does_not_wait") {
                return Some(self.slot(read));
            }
            hint::spin_loop();
        }
    }

    /// Takes the item out of a slot that was fetched, and lets it be written.
    ///
    /// # Panics
    /// If there is none, which a queue that works does not let happen.
    #[side_effect(slots.remove(&slot).flatten())]
    #[post_condition(Some(c_ret) == s_ret)]
    pub(crate) fn read_consume(&self, slot: Slot) -> T {
        // SAFETY: the caller has fetched the slot, and nobody writes to it until the count says so.
        let item = self.slots[usize::from(slot.0)].with_mut(|place| unsafe { (*place).take() });
        #[op_define]
        self.read.fetch_add(1, Release);
        item.expect("what was published has an item")
    }

    fn capacity(&self) -> u16 {
        u16::try_from(self.slots.len()).expect("checked by the constructor")
    }

    /// The slot of the one that came as this one, from 0.
    fn slot(&self, count: u16) -> Slot {
        Slot(count % self.capacity())
    }
}

fn halves(reserved: u32) -> (u16, u16) {
    ((reserved >> 16) as u16, reserved as u16)
}

fn whole(read: u16, written: u16) -> u32 {
    u32::from(read) << 16 | u32::from(written)
}
