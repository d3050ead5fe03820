//! A queue of one producer and one consumer that waits while it is empty, after Vyukov's (from the tests of Relacy): a list, and an
//! event count to wait on.
//!
//! # Ordering points
//! - `enqueue`: the store of `next` in the last node, which releases the item.
//! - `dequeue`: the last load of `next` in the first node, which acquires it.
//!
//! # What is specified
//! A list, of which `dequeue` gets the front. Every execution is admissible, and there is nothing that a call may do at will: one
//! producer and one consumer are what the types allow. (The specification that the paper's authors released pops only when nothing was
//! returned, which is the wrong way round.)
//!
//! # What is left out
//! More than one consumer or producer.

mod event_count;

use cdsspec::cell::UnsafeCell;
use cdsspec::example::seeded;
use cdsspec::sync::atomic::AtomicPtr;
use cdsspec::sync::atomic::Ordering::{Acquire, Release, SeqCst};
use event_count::EventCount;
use std::collections::VecDeque;
use std::ptr;

/// The queue: split it to use it.
pub(crate) struct SpscQueue<T> {
    /// The node in front of the first item: the consumer's.
    first: *mut Node<T>,
    /// The last node: the producer's.
    last: *mut Node<T>,
    /// The items that were enqueued and not taken.
    event: EventCount,
}
