//! What a thread asks an engine to do, and what it gets: plain data.

use super::{Body, CellAccess, CountChange, Effect, LocationHint, Update, WaitLoad, WaitUpdate};
use crate::record::{LocationId, Orders, Place, SourceLocation, ThreadId};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What the running thread asks for.
pub struct Request {
    /// Where it stands in the source.
    pub place: Place,
    /// What is to be done.
    pub operation: Operation,
}

/// What an engine does for a thread. Orders are those in force, which an override may have changed; the place has those written.
pub enum Operation {
    /// A load. [`Reply::Value`].
    Load {
        /// What is read.
        location: LocationId,
        /// The order.
        order: Ordering,
    },
    /// A store. [`Reply::Done`].
    Store {
        /// What is written.
        location: LocationId,
        /// The order.
        order: Ordering,
        /// The new value.
        value: u64,
    },
    /// A read-modify-write that always writes. [`Reply::Value`]: the one read.
    Update {
        /// What is read and written.
        location: LocationId,
        /// The order.
        order: Ordering,
        /// What becomes of the value.
        update: Update,
    },
    /// A compare-exchange. The value read: [`Reply::Value`], or [`Reply::Failed`] if it was not `expected`, or spuriously.
    CompareExchange {
        /// What is read, and written on success.
        location: LocationId,
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
    /// that value alone. [`Reply::Value`]: the one read; [`Reply::NotDone`] if the engine does not leave out that it fails: then a
    /// [`CompareExchange`](Self::CompareExchange) is to be done.
    ExchangeRead {
        /// What is written.
        location: LocationId,
        /// The order.
        order: Ordering,
        /// The value that was read.
        expected: u64,
        /// The new one.
        new: u64,
    },
    /// Waits until the location has a value that satisfies `wait`. [`Reply::Value`]: that value. Recorded once, when it succeeds.
    WaitLoad {
        /// What is read.
        location: LocationId,
        /// The order.
        order: Ordering,
        /// Which values end the wait.
        wait: WaitLoad,
        /// Whether a timeout may end it, at any moment: then [`Reply::NotDone`], and nothing is recorded. An execution that is blocked in
        /// such a wait is no result: the timeout would end it.
        is_timed: bool,
    },
    /// Waits until the location has a value for which `wait` gives the next one, and writes that, in one read-modify-write.
    /// [`Reply::Value`]: the one read. Recorded once, when it succeeds.
    WaitUpdate {
        /// What is read and written.
        location: LocationId,
        /// The order.
        order: Ordering,
        /// Which values end the wait, and what becomes of them.
        wait: WaitUpdate,
        /// As above.
        is_timed: bool,
    },
    /// The thread is about to take a lock shared that it has already: it may wait behind another one that waits for it alone. [`Reply::Done`] if
    /// it does not; both are explored, where the engine models that. An execution in which it waits, and no other thread waits for the
    /// location by [`WaitUpdate`](Self::WaitUpdate), is no result.
    WaitBehindWriter {
        /// The lock.
        location: LocationId,
        /// The order in which it would be taken.
        order: Ordering,
    },
    /// Whether a wait at this place, which is about to begin, ends without a reason: both are explored, where the engine models that.
    /// [`Reply::Truth`].
    WakeSpuriously,
    /// A fence. [`Reply::Done`].
    Fence {
        /// The order.
        order: Ordering,
    },
    /// Begins an access of a non-atomic location; a race ends the execution. [`Reply::Cell`], which is to be given back by
    /// [`Notice::CellEnd`].
    BeginCell {
        /// What is accessed.
        location: LocationId,
        /// Whether it is written to.
        is_write: bool,
    },
    /// Changes the count of the handles of a value. [`Reply::Value`]: the count before, if the engine keeps such counts itself, without
    /// operations; [`Reply::NotDone`]: it is to be changed by operations, if anything observes them.
    Count {
        /// The count.
        location: LocationId,
        /// Where the value was made.
        made: SourceLocation,
        /// What is done to it.
        change: CountChange,
    },
    /// Starts a thread. [`Reply::Thread`]. A panic of `body` is for the engine to catch and keep.
    ///
    /// What `body` holds may be borrowed: see [`Port::wait_until_left`](super::Port::wait_until_left). An engine that leaves threads
    /// without unwinding them neither runs nor drops the body of such a thread later.
    Spawn {
        /// The name of the thread.
        name: Option<String>,
        /// The size of its stack.
        stack_bytes: Option<usize>,
        /// What it does.
        body: Arc<dyn Body>,
    },
    /// Waits for the end of a thread. [`Reply::Joined`].
    Join {
        /// Which.
        thread: ThreadId,
    },
    /// Whether a thread has ended, as a relaxed load sees it: `false` may be said after its last operation, and `true` orders nothing.
    /// [`Reply::Truth`].
    IsFinished {
        /// Which.
        thread: ThreadId,
    },
    /// The thread can do nothing useful until another has done something. [`Reply::Done`].
    Yield,
    /// One of `0..count`, [`Reply::Value`]; an engine that cannot branch here gives 0 and says so among what it does not model.
    Choose {
        /// How many there are.
        count: usize,
    },
    /// The tick of the call clock: a relaxed read-modify-write of a hidden location. [`Reply::Value`]; [`Reply::NotDone`] if the run has none.
    Tick,
}

/// What a thread gets for a [`Request`]. Each operation says which.
pub enum Reply {
    /// It was done.
    Done,
    /// It was done, and this was read, counted or chosen.
    Value(u64),
    /// A compare-exchange has read this, and written nothing.
    Failed(u64),
    /// It was not done.
    NotDone,
    /// A question is answered.
    Truth(bool),
    /// An access of a cell that lasts.
    Cell(CellAccess),
    /// A new thread.
    Thread(ThreadId),
    /// A thread has ended: by a panic, with its payload, for the one who joins first.
    Joined(std::thread::Result<()>),
}

/// What an engine is told of the running thread besides its operations. What it has no use for it passes over.
#[derive(Clone, Copy)]
pub enum Notice<'a> {
    /// It does something that others, or the check, can tell.
    Effect(Effect),
    /// A method call begins, or something else that the recorder must know of: from here on, operations are recorded as they run. An engine
    /// that put it off records those that have run.
    Recording,
    /// It is about to do an operation on the object with this hint, which may be on the stack of another thread.
    Touch(&'a LocationHint),
    /// An access of a cell ends.
    CellEnd(CellAccess),
    /// It has left what it was to do, but for the values that it has in `thread_local!`s. An engine may do an operation, which
    /// [`Operation::IsFinished`] sees.
    BodyEnd,
    /// The program has seen that this thread panicked, or does so: the panic is no fault any more.
    PanicTaken(ThreadId),
}

impl Request {
    /// The same with these orders in force; an operation without orders is as it was. The load that a `fetch_update` begins with has its
    /// second one.
    #[must_use]
    pub fn with_orders(mut self, orders: Orders) -> Self {
        match &mut self.operation {
            Operation::Load { order, .. }
            | Operation::Store { order, .. }
            | Operation::Update { order, .. }
            | Operation::Fence { order } => {
                if let Orders::One(in_force) | Orders::Two(_, in_force) = orders {
                    *order = in_force;
                }
            }
            Operation::CompareExchange { success, failure, .. } => {
                if let Some(in_force) = orders.of_compare_exchange() {
                    (*success, *failure) = in_force;
                }
            }
            _ => {}
        }
        self
    }
}

impl Reply {
    /// The value.
    ///
    /// # Panics
    /// If an engine gave another reply than the operation has.
    #[inline]
    pub fn value(self) -> u64 {
        match self {
            Self::Value(value) => value,
            _ => mismatch(),
        }
    }

    /// The value; `None` if it was not done.
    ///
    /// # Panics
    /// As above.
    #[inline]
    pub fn value_if_done(self) -> Option<u64> {
        match self {
            Self::Value(value) => Some(value),
            Self::NotDone => None,
            _ => mismatch(),
        }
    }

    /// What a compare-exchange read, and whether it succeeded.
    ///
    /// # Errors
    /// The value read, if it failed.
    ///
    /// # Panics
    /// As above.
    #[inline]
    pub fn exchanged(self) -> Result<u64, u64> {
        match self {
            Self::Value(value) => Ok(value),
            Self::Failed(value) => Err(value),
            _ => mismatch(),
        }
    }

    /// The answer to a question.
    ///
    /// # Panics
    /// As above.
    pub fn truth(self) -> bool {
        match self {
            Self::Truth(truth) => truth,
            _ => mismatch(),
        }
    }

    /// The access of a cell.
    ///
    /// # Panics
    /// As above.
    #[inline]
    pub fn cell(self) -> CellAccess {
        match self {
            Self::Cell(access) => access,
            _ => mismatch(),
        }
    }

    /// The new thread.
    ///
    /// # Panics
    /// As above.
    pub fn thread(self) -> ThreadId {
        match self {
            Self::Thread(thread) => thread,
            _ => mismatch(),
        }
    }

    /// How a thread ended.
    ///
    /// # Errors
    /// The payload of its panic.
    ///
    /// # Panics
    /// As above.
    pub fn joined(self) -> std::thread::Result<()> {
        match self {
            Self::Joined(result) => result,
            _ => mismatch(),
        }
    }
}

#[cold]
fn mismatch() -> ! {
    panic!("cdsspec bug: the engine's reply is none to this operation");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::operation_name;
    use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

    fn request(operation: Operation) -> Request {
        Request { place: Place::here(operation_name!("any"), Orders::None), operation }
    }

    /// The orders of an operation, on success and on failure.
    fn orders(request: &Request) -> Vec<Ordering> {
        match request.operation {
            Operation::Load { order, .. }
            | Operation::Store { order, .. }
            | Operation::Update { order, .. }
            | Operation::Fence { order } => vec![order],
            Operation::CompareExchange { success, failure, .. } => vec![success, failure],
            _ => Vec::new(),
        }
    }

    #[test]
    fn an_override_changes_the_orders_and_nothing_else() {
        let location = LocationId::new(0);
        let update = Update { operand: 1, function: |old, _| old };
        let exchange = |is_weak| Operation::CompareExchange {
            location,
            success: SeqCst,
            failure: SeqCst,
            expected: 1,
            new: 2,
            is_weak,
        };
        let one = |operation, order| orders(&request(operation).with_orders(Orders::One(order)));
        let two =
            |operation, first, second| orders(&request(operation).with_orders(Orders::Two(first, second)));
        assert_eq!(one(Operation::Load { location, order: SeqCst }, Acquire), [Acquire]);
        assert_eq!(two(Operation::Load { location, order: SeqCst }, Release, Acquire), [Acquire]);
        assert_eq!(one(Operation::Store { location, order: SeqCst, value: 1 }, Release), [Release]);
        assert_eq!(one(Operation::Update { location, order: SeqCst, update }, AcqRel), [AcqRel]);
        assert_eq!(one(Operation::Fence { order: SeqCst }, AcqRel), [AcqRel]);
        assert_eq!(two(exchange(true), AcqRel, Relaxed), [AcqRel, Relaxed]);
        assert_eq!(one(exchange(false), AcqRel), [AcqRel, Acquire], "the strongest one that goes with it");
        let changed = request(exchange(true)).with_orders(Orders::Two(Release, Relaxed)).operation;
        assert!(matches!(changed, Operation::CompareExchange { expected: 1, new: 2, is_weak: true, .. }));
        assert!(matches!(
            request(Operation::Yield).with_orders(Orders::One(SeqCst)).operation,
            Operation::Yield
        ));
        assert_eq!(orders(&request(exchange(true)).with_orders(Orders::None)), [SeqCst, SeqCst]);
    }

    #[test]
    #[should_panic(expected = "cdsspec bug")]
    fn a_reply_to_another_operation_is_a_bug_of_the_engine() {
        Reply::Done.value();
    }
}
