//! What a thread does to a location, or sees of it: plain data, which an event of an execution graph carries as it was asked for.

use super::{Update, WaitLoad, WaitUpdate};
use crate::record::Orders;
use std::sync::atomic::Ordering;

/// An access of a location, without the location. Orders are those in force, which an override or a memory model may have changed; the
/// place has those written.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// A load. [`Reply::Value`](super::Reply::Value).
    Load {
        /// The order.
        order: Ordering,
    },
    /// A store. [`Reply::Done`](super::Reply::Done).
    Store {
        /// The order.
        order: Ordering,
        /// The new value.
        value: u64,
    },
    /// A read-modify-write that always writes. [`Reply::Value`](super::Reply::Value): the one read.
    Update {
        /// The order.
        order: Ordering,
        /// What becomes of the value.
        update: Update,
    },
    /// A compare-exchange. The value read: [`Reply::Value`](super::Reply::Value), or [`Reply::Failed`](super::Reply::Failed) if it was not
    /// `expected`, or spuriously.
    CompareExchange {
        /// The order on success.
        success: Ordering,
        /// The order of the read if it fails.
        failure: Ordering,
        /// The value that is exchanged.
        expected: u64,
        /// For this one.
        new: u64,
        /// Whether it may fail spuriously, where the engine models that.
        is_weak: bool,
    },
    /// An exchange of the value that the running thread has read there by its last operation, at the same place, for one that it has made of
    /// that value alone. [`Reply::Value`](super::Reply::Value): the one read; [`Reply::NotDone`](super::Reply::NotDone) if the engine does
    /// not leave out that it fails: then a [`CompareExchange`](Self::CompareExchange) is to be done.
    ExchangeRead {
        /// The order.
        order: Ordering,
        /// The value that was read.
        expected: u64,
        /// The new one.
        new: u64,
    },
    /// Waits until the location has a value that satisfies `wait`. [`Reply::Value`](super::Reply::Value): that value. Recorded once, when
    /// it succeeds.
    WaitLoad {
        /// The order.
        order: Ordering,
        /// Which values end the wait.
        wait: WaitLoad,
        /// Whether a timeout may end it, at any moment: then [`Reply::NotDone`](super::Reply::NotDone), and nothing is recorded. An
        /// execution that is blocked in such a wait is no result: the timeout would end it.
        is_timed: bool,
    },
    /// Waits until the location has a value for which `wait` gives the next one, and writes that, in one read-modify-write.
    /// [`Reply::Value`](super::Reply::Value): the one read. Recorded once, when it succeeds.
    WaitUpdate {
        /// The order.
        order: Ordering,
        /// Which values end the wait, and what becomes of them.
        wait: WaitUpdate,
        /// As above.
        is_timed: bool,
    },
    /// Begins an access of a non-atomic location; a race ends the execution. [`Reply::Cell`](super::Reply::Cell), which is to be given back
    /// by [`Notice::CellEnd`](super::Notice::CellEnd).
    BeginCell {
        /// Whether it is written to.
        is_write: bool,
    },
}

impl Action {
    /// Whether it reads an atomic location.
    #[inline]
    pub fn is_read(&self) -> bool {
        !matches!(self, Self::Store { .. } | Self::BeginCell { .. })
    }

    /// Whether it may have to wait for a value.
    #[inline]
    pub fn is_wait(&self) -> bool {
        matches!(self, Self::WaitLoad { .. } | Self::WaitUpdate { .. } | Self::ExchangeRead { .. })
    }

    /// Whether it is a wait that a timeout may end.
    #[inline]
    pub fn is_timed(&self) -> bool {
        matches!(self, Self::WaitLoad { is_timed: true, .. } | Self::WaitUpdate { is_timed: true, .. })
    }

    /// Whether it is a wait that is no end of an execution: a timeout would end it, or it stands for an exchange that would fail.
    pub fn may_be_given_up(&self) -> bool {
        self.is_timed() || matches!(self, Self::ExchangeRead { .. })
    }

    /// Whether a read that sees `value` can go on: only one that waits may not.
    #[inline]
    pub fn is_satisfied(&self, value: u64) -> bool {
        match self {
            Self::WaitLoad { wait, .. } => wait.is_satisfied(value),
            Self::WaitUpdate { wait, .. } => wait.apply(value).is_some(),
            Self::ExchangeRead { expected, .. } => value == *expected,
            _ => true,
        }
    }

    /// What it writes over `value`, if it does; a spurious failure does not.
    #[inline]
    pub fn written(&self, value: u64) -> Option<u64> {
        match self {
            Self::Store { value: new, .. } => Some(*new),
            Self::Update { update, .. } => Some(update.apply(value)),
            Self::CompareExchange { expected, new, .. } | Self::ExchangeRead { expected, new, .. } => {
                (value == *expected).then_some(*new)
            }
            Self::WaitUpdate { wait, .. } => wait.apply(value),
            Self::Load { .. } | Self::WaitLoad { .. } | Self::BeginCell { .. } => None,
        }
    }

    /// The order in force, of one that writes or does not; a cell has none.
    #[inline]
    pub fn order(&self, is_write: bool) -> Option<Ordering> {
        match *self {
            Self::Load { order }
            | Self::Store { order, .. }
            | Self::Update { order, .. }
            | Self::WaitLoad { order, .. }
            | Self::WaitUpdate { order, .. }
            | Self::ExchangeRead { order, .. } => Some(order),
            Self::CompareExchange { success, failure, .. } => Some(if is_write { success } else { failure }),
            Self::BeginCell { .. } => None,
        }
    }

    /// The same with other orders: `read`, `write` and `update` say which, given the one that is there. A compare-exchange that fails reads.
    #[must_use]
    pub fn map_orders(
        mut self,
        read: impl Fn(Ordering) -> Ordering,
        write: impl Fn(Ordering) -> Ordering,
        update: impl Fn(Ordering) -> Ordering,
    ) -> Self {
        match &mut self {
            Self::Load { order } | Self::WaitLoad { order, .. } => *order = read(*order),
            Self::Store { order, .. } => *order = write(*order),
            Self::Update { order, .. }
            | Self::WaitUpdate { order, .. }
            | Self::ExchangeRead { order, .. } => *order = update(*order),
            Self::CompareExchange { success, failure, .. } => {
                (*success, *failure) = (update(*success), read(*failure));
            }
            Self::BeginCell { .. } => {}
        }
        self
    }

    /// The same with these orders in force, which override those written. The load that a `fetch_update` begins with has its second one.
    #[must_use]
    pub(super) fn with_orders(self, orders: Orders) -> Self {
        let (success, failure) = match (self, orders) {
            (_, Orders::None) => return self,
            (Self::CompareExchange { .. }, _) => match orders.of_compare_exchange() {
                Some(in_force) => in_force,
                None => return self,
            },
            (_, Orders::One(in_force) | Orders::Two(_, in_force)) => (in_force, in_force),
        };
        self.map_orders(|_| failure, |_| success, |_| success)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

    const UPDATE: Update = Update { operand: 1, function: u64::wrapping_add };

    fn exchange(is_weak: bool) -> Action {
        Action::CompareExchange { success: SeqCst, failure: SeqCst, expected: 1, new: 2, is_weak }
    }

    /// The orders of an action, where it writes and where it does not.
    fn orders(action: Action) -> [Option<Ordering>; 2] {
        [true, false].map(|is_write| action.order(is_write))
    }

    #[test]
    fn an_override_changes_the_orders_and_nothing_else() {
        let one = |action: Action, order| orders(action.with_orders(Orders::One(order)));
        let two = |action: Action, first, second| orders(action.with_orders(Orders::Two(first, second)));
        assert_eq!(one(Action::Load { order: SeqCst }, Acquire), [Some(Acquire); 2]);
        assert_eq!(two(Action::Load { order: SeqCst }, Release, Acquire), [Some(Acquire); 2]);
        assert_eq!(one(Action::Store { order: SeqCst, value: 1 }, Release), [Some(Release); 2]);
        assert_eq!(one(Action::Update { order: SeqCst, update: UPDATE }, AcqRel), [Some(AcqRel); 2]);
        assert_eq!(two(exchange(true), AcqRel, Relaxed), [Some(AcqRel), Some(Relaxed)]);
        let strongest = [Some(AcqRel), Some(Acquire)];
        assert_eq!(one(exchange(false), AcqRel), strongest, "the strongest failure order that goes with it");
        let changed = exchange(true).with_orders(Orders::Two(Release, Relaxed));
        assert!(matches!(changed, Action::CompareExchange { expected: 1, new: 2, is_weak: true, .. }));
        assert_eq!(orders(exchange(true).with_orders(Orders::None)), [Some(SeqCst); 2]);
        assert_eq!(one(Action::BeginCell { is_write: true }, AcqRel), [None; 2]);
    }

    #[test]
    fn each_writes_what_it_makes_of_the_value() {
        let wait = WaitUpdate { operand: 5, function: |old, new| (old == 0).then_some(new) };
        let order = SeqCst;
        let written = |action: Action| [0, 1].map(|value| action.written(value));
        assert_eq!(written(Action::Load { order }), [None; 2]);
        assert_eq!(written(Action::Store { order, value: 7 }), [Some(7); 2]);
        assert_eq!(written(Action::Update { order, update: UPDATE }), [Some(1), Some(2)]);
        assert_eq!(written(exchange(false)), [None, Some(2)]);
        assert_eq!(written(Action::ExchangeRead { order, expected: 0, new: 3 }), [Some(3), None]);
        assert_eq!(written(Action::WaitUpdate { order, wait, is_timed: false }), [Some(5), None]);
    }
}
