//! What a thread asks an engine to do, and what it gets: plain data.

use super::{Action, Body, CellAccess, CountChange, Effect, Guide, LocationHint};
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
    /// An access of a location. The action says which reply it has.
    Access {
        /// What is accessed.
        location: LocationId,
        /// How.
        action: Action,
    },
    /// The thread is about to take a lock shared that it has already: it may wait behind another one that waits for it alone. [`Reply::Done`] if
    /// it does not; both are explored, where the engine models that. An execution in which it waits, and no other thread waits for the
    /// location by [`Action::WaitUpdate`], is no result.
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
    /// An annotated call begins: how many operations it is expected to do.
    CallBegin(&'a dyn Fn() -> u64),
    /// An annotated call returns, or is left.
    CallEnd,
    /// How many operations all annotated calls of the program are expected to do.
    Planned(&'a dyn Fn() -> u64),
    /// An access of a cell ends.
    CellEnd(CellAccess),
    /// It has left what it was to do, but for the values that it has in `thread_local!`s. An engine may do an operation, which
    /// [`Operation::IsFinished`] sees.
    BodyEnd,
    /// It stands still before its next event but for so many, for the rest of the execution. Engines of graphs alone know how to.
    StandStillAfter(usize),
    /// The threads that it creates from here on keep to this order of steps. Engines that draw executions alone know how to.
    Follow(&'a Arc<Guide>),
    /// The program has seen that this thread panicked, or does so: the panic is no fault any more.
    PanicTaken(ThreadId),
}

impl Request {
    /// The same with these orders in force; an operation without orders is as it was. The load that a `fetch_update` begins with has its
    /// second one.
    #[must_use]
    pub fn with_orders(mut self, orders: Orders) -> Self {
        match &mut self.operation {
            Operation::Access { action, .. } => *action = action.with_orders(orders),
            Operation::Fence { order } => {
                if let Orders::One(in_force) | Orders::Two(_, in_force) = orders {
                    *order = in_force;
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
    use std::sync::atomic::Ordering::{AcqRel, Acquire, SeqCst};

    fn request(operation: Operation) -> Request {
        Request { place: Place::here(operation_name!("any"), Orders::None), operation }
    }

    #[test]
    fn an_override_changes_fences_and_accesses_and_nothing_else() {
        let in_force = |operation, orders| request(operation).with_orders(orders).operation;
        let (location, one) = (LocationId::new(0), Orders::One(AcqRel));
        let fence = in_force(Operation::Fence { order: SeqCst }, one);
        assert!(matches!(fence, Operation::Fence { order: AcqRel }));
        let fence = in_force(Operation::Fence { order: SeqCst }, Orders::None);
        assert!(matches!(fence, Operation::Fence { order: SeqCst }));
        let load = Operation::Access { location, action: Action::Load { order: SeqCst } };
        let load = in_force(load, Orders::One(Acquire));
        assert!(matches!(load, Operation::Access { action: Action::Load { order: Acquire }, .. }));
        assert!(matches!(in_force(Operation::Yield, one), Operation::Yield));
    }

    #[test]
    #[should_panic(expected = "cdsspec bug")]
    fn a_reply_to_another_operation_is_a_bug_of_the_engine() {
        Reply::Done.value();
    }
}
