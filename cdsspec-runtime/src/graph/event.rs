//! Events of an execution graph.

use super::clock::Clock;
use crate::port::{Update, WaitLoad, WaitUpdate};
use crate::record::Place;
use std::sync::atomic::Ordering;

/// An event: its index in the graph, which is also its stamp. A smaller stamp was added earlier.
pub(crate) type EventId = u32;

/// A location of a graph.
pub(crate) type LocationIndex = u32;

/// A thread of a graph.
pub(crate) type ThreadIndex = usize;

/// The store that a read reads from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub(crate) enum ReadsFrom {
    /// None: it waits, or it is no read.
    Bottom,
    /// The initial store of its location: an event of a pseudo-thread that every clock contains.
    Initial,
    /// This event.
    Event(EventId),
}

/// What an event does, with what is needed to know what a read-modify-write makes of the value that it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Label {
    Load {
        order: Ordering,
    },
    Store {
        order: Ordering,
    },
    Update {
        order: Ordering,
        update: Update,
    },
    CompareExchange {
        success: Ordering,
        failure: Ordering,
        expected: u64,
        new: u64,
        is_weak: bool,
    },
    WaitLoad {
        order: Ordering,
        wait: WaitLoad,
    },
    WaitUpdate {
        order: Ordering,
        wait: WaitUpdate,
    },
    /// An exchange of what its thread has just read, whose failures are left out.
    WaitExchange {
        order: Ordering,
        expected: u64,
        new: u64,
    },
    Fence {
        order: Ordering,
    },
    Create {
        child: ThreadIndex,
    },
    Join {
        child: ThreadIndex,
    },
    Cell {
        is_write: bool,
    },
    Choice {
        count: u32,
    },
}

impl Label {
    #[inline]
    pub(crate) fn is_read(&self) -> bool {
        matches!(
            self,
            Self::Load { .. }
                | Self::Update { .. }
                | Self::CompareExchange { .. }
                | Self::WaitLoad { .. }
                | Self::WaitUpdate { .. }
                | Self::WaitExchange { .. }
        )
    }

    #[inline]
    pub(crate) fn is_wait(&self) -> bool {
        matches!(self, Self::WaitLoad { .. } | Self::WaitUpdate { .. } | Self::WaitExchange { .. })
    }

    /// Whether a read that sees `value` can go on: only one that waits may not.
    #[inline]
    pub(crate) fn is_satisfied(&self, value: u64) -> bool {
        match self {
            Self::WaitLoad { wait, .. } => wait.is_satisfied(value),
            Self::WaitUpdate { wait, .. } => wait.apply(value).is_some(),
            Self::WaitExchange { expected, .. } => value == *expected,
            _ => true,
        }
    }

    /// What a read that sees `value` writes, if it does; a spurious failure does not.
    #[inline]
    pub(crate) fn written(&self, value: u64) -> Option<u64> {
        match self {
            Self::Update { update, .. } => Some(update.apply(value)),
            Self::CompareExchange { expected, new, .. } | Self::WaitExchange { expected, new, .. } => {
                (value == *expected).then_some(*new)
            }
            Self::WaitUpdate { wait, .. } => wait.apply(value),
            _ => None,
        }
    }

    /// Whether a read that sees `value` writes; a spurious failure does not.
    #[inline]
    pub(crate) fn writes(&self, value: u64) -> bool {
        matches!(self, Self::Update { .. }) || self.written(value).is_some()
    }

    /// Whether its order is or may be SeqCst.
    #[inline]
    pub(crate) fn may_be_sc(&self) -> bool {
        match *self {
            Self::Create { .. } | Self::Join { .. } | Self::Cell { .. } | Self::Choice { .. } => false,
            Self::CompareExchange { success, failure, .. } => [success, failure].contains(&Ordering::SeqCst),
            _ => self.order(false) == Some(Ordering::SeqCst),
        }
    }

    /// The order in force, for an event that writes or does not.
    #[inline]
    pub(crate) fn order(&self, is_write: bool) -> Option<Ordering> {
        match *self {
            Self::Load { order, .. }
            | Self::Store { order, .. }
            | Self::Update { order, .. }
            | Self::WaitLoad { order, .. }
            | Self::WaitUpdate { order, .. }
            | Self::WaitExchange { order, .. }
            | Self::Fence { order } => Some(order),
            Self::CompareExchange { success, failure, .. } => Some(if is_write { success } else { failure }),
            _ => None,
        }
    }
}

/// Whether two places are the same.
#[inline(always)]
pub(crate) fn is_same_place(first: &Place, second: &Place) -> bool {
    let (source, other) = (&first.source, &second.source);
    let is_same_position = (source.line, source.column) == (other.line, other.column);
    // Most often the texts of one place are, to the address.
    let has_same_texts = || {
        std::ptr::eq(source.file, other.file) && first.name.is_identical(second.name)
            || has_equal_texts(first, second)
    };
    is_same_position && first.orders == second.orders && has_same_texts()
}

#[cold]
fn has_equal_texts(first: &Place, second: &Place) -> bool {
    (first.source.file, first.name) == (second.source.file, second.name)
}

/// One event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) thread: ThreadIndex,
    /// Its number in its thread, from 0; known once it is in a graph.
    pub(crate) index: u16,
    pub(crate) label: Label,
    /// What it accesses, if it accesses memory.
    pub(crate) location: Option<LocationIndex>,
    pub(crate) place: Place,
    pub(crate) reads_from: ReadsFrom,
    /// Whether it is in the modification order.
    pub(crate) is_write: bool,
    /// What it wrote, in the last run of the program.
    pub(crate) value: u64,
    pub(crate) is_revisitable: bool,
    /// A weak compare-exchange that failed although it read what it expected.
    pub(crate) is_spurious: bool,
    /// Which of its choices was taken.
    pub(crate) choice: u32,
    /// Whether its thread had done the same shortly before, so that it may begin a round of a loop.
    pub(crate) is_head: bool,
}

impl Event {
    /// An event that is not in a graph yet; `value` is what a plain store writes.
    #[inline]
    pub(crate) fn new(
        thread: ThreadIndex,
        label: Label,
        place: Place,
        location: Option<LocationIndex>,
        value: u64,
    ) -> Self {
        Self {
            thread,
            index: 0,
            label,
            location,
            place,
            reads_from: ReadsFrom::Bottom,
            is_write: matches!(label, Label::Store { .. }),
            value,
            is_revisitable: true,
            is_spurious: false,
            choice: 0,
            is_head: false,
        }
    }

    /// Whether it is included in a clock.
    #[inline]
    pub(crate) fn is_in(&self, clock: Clock<'_>) -> bool {
        self.index < clock.get(self.thread)
    }

    pub(crate) fn is_sc(&self) -> bool {
        self.label.order(self.is_write) == Some(Ordering::SeqCst)
    }

    /// A read-modify-write that wrote.
    #[inline]
    pub(crate) fn is_rmw(&self) -> bool {
        self.is_write && self.label.is_read()
    }
}
