//! Events of an execution graph.

use super::clock::EventClock;
use super::id::{EventId, LocationIndex, ThreadIndex};
use crate::port::Action;
use crate::record::Place;
use std::mem::discriminant;
use std::sync::atomic::Ordering;

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

/// What an event does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Label {
    /// An access of its location, as it was asked for, with the orders that are in force: so it is known what a read-modify-write makes of
    /// another value.
    Access(Action),
    Fence {
        order: Ordering,
    },
    Create {
        child: ThreadIndex,
    },
    Join {
        child: ThreadIndex,
    },
    Choice {
        count: u32,
    },
}

impl Label {
    /// Whether both are of one kind, whatever their orders and values.
    #[inline]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Access(action), Self::Access(other)) => discriminant(action) == discriminant(other),
            _ => discriminant(self) == discriminant(other),
        }
    }

    /// What it does to its location, if it accesses one.
    #[inline]
    pub(crate) fn action(&self) -> Option<&Action> {
        match self {
            Self::Access(action) => Some(action),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn is_read(&self) -> bool {
        self.action().is_some_and(Action::is_read)
    }

    #[inline]
    pub(crate) fn is_wait(&self) -> bool {
        self.action().is_some_and(Action::is_wait)
    }

    /// [`Action::is_satisfied`].
    #[inline]
    pub(crate) fn is_satisfied(&self, value: u64) -> bool {
        self.action().is_none_or(|action| action.is_satisfied(value))
    }

    /// [`Action::written`].
    #[inline]
    pub(crate) fn written(&self, value: u64) -> Option<u64> {
        self.action().and_then(|action| action.written(value))
    }

    /// Whether a read that sees `value` writes; a spurious failure does not.
    #[inline]
    pub(crate) fn writes(&self, value: u64) -> bool {
        matches!(self, Self::Access(Action::Update { .. })) || self.written(value).is_some()
    }

    /// Whether its order is or may be SeqCst.
    #[inline]
    pub(crate) fn may_be_sc(&self) -> bool {
        [true, false].into_iter().any(|is_write| self.order(is_write) == Some(Ordering::SeqCst))
    }

    /// The order in force, for an event that writes or does not.
    #[inline]
    pub(crate) fn order(&self, is_write: bool) -> Option<Ordering> {
        match self {
            Self::Access(action) => action.order(is_write),
            Self::Fence { order } => Some(*order),
            Self::Create { .. } | Self::Join { .. } | Self::Choice { .. } => None,
        }
    }

    /// The same with other orders: [`Action::map_orders`]; a fence keeps its own.
    pub(crate) fn map_orders(
        self,
        read: impl Fn(Ordering) -> Ordering,
        write: impl Fn(Ordering) -> Ordering,
        update: impl Fn(Ordering) -> Ordering,
    ) -> Self {
        match self {
            Self::Access(action) => Self::Access(action.map_orders(read, write, update)),
            _ => self,
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
    pub(crate) index: u32,
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
    /// An event that is not in a graph yet.
    #[inline]
    pub(crate) fn new(
        thread: ThreadIndex,
        label: Label,
        place: Place,
        location: Option<LocationIndex>,
    ) -> Self {
        let stored = match label {
            Label::Access(Action::Store { value, .. }) => Some(value),
            _ => None,
        };
        Self {
            thread,
            index: 0,
            label,
            location,
            place,
            reads_from: ReadsFrom::Bottom,
            is_write: stored.is_some(),
            value: stored.unwrap_or(0),
            is_revisitable: true,
            is_spurious: false,
            choice: 0,
            is_head: false,
        }
    }

    /// Whether it is included in a clock.
    #[inline]
    pub(crate) fn is_in(&self, clock: EventClock<'_>) -> bool {
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
