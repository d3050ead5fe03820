//! A bounded queue of many producers and many consumers, after Vyukov's (in the tests of Relacy): three counters over an array.
//!
//! A thread reserves the next slot with a compare-exchange on the counts of reserved slots, and then waits for its turn: a reader until
//! all slots are published that were reserved for writing when it came, a writer until all are consumed that were reserved for reading.
//! Neither count can go further before that, since whoever reserves later waits for this thread.
//!
//! # Ordering points
//! - `write_prepare`, `read_fetch`: two operations. The compare-exchange on the counts of reserved slots that won: it is what puts the calls
//!   into a queue. And the last load of the loop that waits: it acquires what the calls before it on the other side released. A call that
//!   found no slot has one, the operation that saw so: the first load, or a compare-exchange that failed.
//! - `write_publish`, `read_consume`: the addition to the count, which releases the slot.
//!
//! # What is specified
//! A list: the slots that are reserved to be written and not yet to be read; and what became of each slot: it is free, reserved, or holds an
//! item. `write_prepare` appends a slot that is free; `read_fetch` gets the front, which holds an item. `read_fetch` may say that no slot is left, and
//! `write_prepare` that all are in the list, only if they are right after some order of the calls that came before them. (The
//! specification that the paper's authors released has no state.)
//!
//! Admissible are executions in which the calls on one slot are ordered: it is reserved, published, fetched, consumed, and reserved anew. The
//! state would do without these rules: what makes an execution inadmissible is then a violation of it. They are the paper's, and say which two
//! calls are not ordered.
//!
//! # What is left out
//! - Two kinds of slots, and slots that know their queue: to publish a slot that was fetched, or to give one to another queue, is a mistake of the
//!   caller, and may be a data race.
//! - A thread that learns of other calls while it has a slot: that calls `read_fetch` before it publishes, or `write_prepare` before it consumes. It may
//!   wait for itself; and its call may come between the two ordering points of another.
//! - The wrap of the 16-bit counters, with which a thread may take an old count for its turn.

use cdsspec::cell::UnsafeCell;
use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use std::collections::{BTreeMap, VecDeque};

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

/// A slot that its holder alone uses: there is no other one of it, so it cannot be cloned.
#[derive(Debug)]
pub(crate) struct Slot(u16);

/// Why no slot was reserved to write to: none is left.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Full {
    /// How many slots the queue has. So the answer says what it claims: that so many are reserved.
    pub(crate) capacity: usize,
}

// SAFETY: a slot is used only by who has reserved it.
unsafe impl<T: Send> Sync for MpmcQueue<T> {}

#[cdsspec::spec(instance(T = i32))]
#[declare_state(queue: VecDeque<u16>, slots: BTreeMap<u16, Option<T>>)]
#[admit(write_prepare <-> write_publish, m1.c_ret == Ok(m2.slot))]
#[admit(write_publish <-> read_fetch, Some(m1.slot) == m2.c_ret)]
#[admit(read_fetch <-> read_consume, m1.c_ret == Some(m2.slot))]
#[admit(read_consume <-> write_prepare, Ok(m1.slot) == m2.c_ret)]
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

    /// Reserves a slot to write to, and waits until it is free.
    ///
    /// # Errors
    /// If no slot is left that is not reserved.
    #[returns(|turn| -> Result<u16, Full> { turn.as_ref().map(|slot| slot.0).map_err(Full::clone) })]
    #[side_effect(c_ret.ok().and_then(|slot| { queue.push_back(slot); slots.insert(slot, None) }))]
    #[post_condition(s_ret.is_none())]
    #[justifying_post_condition(c_ret.is_ok() || c_ret == Err(Full { capacity: queue.len() }))]
    pub(crate) fn write_prepare(&self) -> Result<Slot, Full> {
        let mut reserved = self.reserved.load(Acquire);
        let turn = loop {
            let (read, written) = halves(reserved);
            if self.is_full(read, written) {
                break None;
            }
            let wanted = whole(read, written.wrapping_add(1));
            match self.reserved.compare_exchange_weak(reserved, wanted, AcqRel, Acquire) {
                Ok(_) => break Some((read, written)),
                Err(now) => reserved = now,
            }
            hint::spin_loop();
        };
        cdsspec::op_define!();
        let (read, written) =
            turn.ok_or(Full { capacity: self.slots.len() - usize::from(seeded("names_a_wrong_capacity")) })?;
        loop {
            #[op_define(consumed == read)]
            let consumed = self.read.load(Acquire) as u16;
            if consumed == read {
                return Ok(self.slot(if seeded("hands_out_a_wrong_slot") { written + 1 } else { written }));
            }
            hint::spin_loop();
        }
    }

    /// Writes to a reserved slot, and lets it be read.
    pub(crate) fn publish(&self, slot: Slot, item: T) {
        self.write_publish(slot.0, item);
    }

    /// As [`Self::publish`], of a slot that its holder gives away: clauses want its number.
    #[side_effect(slots.insert(slot, Some(item)))]
    #[post_condition(s_ret == Some(None))]
    fn write_publish(&self, slot: u16, item: T) {
        // SAFETY: who held the slot has reserved it, and nobody reads it until the count says so.
        self.slots[usize::from(slot)].with_mut(|place| unsafe { *place = Some(item) });
        #[op_define]
        self.written.fetch_add(1, Release);
    }

    /// Reserves the next slot to read from, unless none is left, and waits until it is published.
    #[returns(|slot| -> Option<u16> { slot.as_ref().map(|slot| slot.0) })]
    #[side_effect(c_ret.and_then(|_| queue.pop_front().filter(|s| matches!(slots.get(s), Some(Some(_))))))]
    #[justifying_post_condition(c_ret.is_some() || queue.is_empty())]
    pub(crate) fn read_fetch(&self) -> Option<Slot> {
        let mut reserved = self.reserved.load(Acquire);
        let turn = loop {
            let (read, written) = halves(reserved);
            if is_empty(read, written) {
                break None;
            }
            let wanted = whole(read.wrapping_add(1), written);
            match self.reserved.compare_exchange_weak(reserved, wanted, AcqRel, Acquire) {
                Ok(_) => break Some((read, written)),
                Err(now) => reserved = now,
            }
            hint::spin_loop();
        };
        cdsspec::op_define!();
        let (read, written) = turn?;
        loop {
            #[op_define(published == written)]
            let published = self.written.load(Acquire) as u16;
            if published == written || seeded("does_not_wait") {
                return Some(self.slot(if seeded("fetches_the_newest") { written - 1 } else { read }));
            }
            hint::spin_loop();
        }
    }

    /// Takes the item out of a slot that was fetched, and lets it be written.
    ///
    /// # Panics
    /// If there is none, which a queue that works does not let happen.
    pub(crate) fn consume(&self, slot: Slot) -> T {
        self.read_consume(slot.0)
    }

    /// As [`Self::consume`], of a slot that its holder gives away: clauses want its number.
    #[side_effect(slots.remove(&slot).flatten())]
    #[post_condition(Some(c_ret) == s_ret)]
    fn read_consume(&self, slot: u16) -> T {
        // SAFETY: who held the slot has fetched it, and nobody writes to it until the count says so.
        let item = self.slots[usize::from(slot)].with_mut(|place| unsafe { (*place).take() });
        #[op_define]
        self.read.fetch_add(1, Release);
        item.expect("what was published has an item")
    }

    /// Whether no slot is left to write to, when so many were reserved to be read and to be written.
    fn is_full(&self, read: u16, written: u16) -> bool {
        let count = written.wrapping_sub(read);
        count >= self.capacity() - u16::from(seeded("wastes_a_slot"))
            || seeded("is_always_full")
            || seeded("takes_empty_for_full") && count == 0
    }

    fn capacity(&self) -> u16 {
        u16::try_from(self.slots.len()).expect("checked by the constructor")
    }

    /// The slot of the one that came as this one, from 0.
    fn slot(&self, count: u16) -> Slot {
        Slot(count % self.capacity())
    }
}

/// Whether no slot is left to read from, when so many were reserved to be read and to be written.
fn is_empty(read: u16, written: u16) -> bool {
    read == written
        || seeded("is_always_empty")
        || seeded("overlooks_the_last_item") && written.wrapping_sub(read) == 1
}

fn halves(reserved: u32) -> (u16, u16) {
    ((reserved >> 16) as u16, reserved as u16)
}

fn whole(read: u16, written: u16) -> u32 {
    u32::from(read) << 16 | u32::from(written)
}
