//! The border between instrumented types and engines.
//!
//! Instrumented types (`sync`, `thread`, `cell`, `hint`) find the execution that they are part of with [`with`], and ask it;
//! outside an execution they behave as std's. An engine implements [`Port`]: few primitives, out of which blocking types are
//! built once. No primitive speaks of schedules: an engine may run one thread after another, or build execution graphs.

mod call;
mod caller;
mod census;
mod count;
mod current;
mod execution;
mod hint;
mod holds;
mod local;
mod object;
mod order_table;
mod ordered;
mod outside;
mod overrides;
mod running;
mod update;

pub use call::{Call, Condition, Marker, Statement, mark, note_beside};
pub(crate) use caller::{Caller, here, in_our_frame, take_caller};
pub use census::{Census, OutsideUse};
pub use count::CountChange;
pub(crate) use current::as_checker;
pub use current::{enter, with};
pub use execution::Execution;
pub use hint::LocationHint;
pub(crate) use holds::Holds;
pub use local::run_body;
pub(crate) use local::{Local, Locals};
pub use order_table::{OrderTable, PlaceLog, ReachedPlace};
pub use outside::NOTE_VARIABLE;
pub(crate) use outside::note_use as note_outside_use;
pub use overrides::{Overrides, Replacement};
pub(crate) use running::is_running;
pub use update::{Update, WaitLoad, WaitUpdate};

use crate::heap::Progress;
use crate::record::{LocationId, Place, SourceLocation, ThreadId, ValueKind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// An access of a location of the current execution.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Where it stands in the source.
    pub place: Place,
    /// What is accessed.
    pub location: LocationId,
    /// The order in force; of a compare-exchange, on success.
    pub order: Ordering,
}

/// What a thread does besides operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// An annotated method is called, or returns.
    Call,
    /// An ordering point annotation runs.
    Marker,
    /// What this lock guards is borrowed to be changed.
    Data(LocationId),
}

impl Effect {
    /// Whether it is about a method call.
    pub fn is_of_call(self) -> bool {
        matches!(self, Self::Call | Self::Marker)
    }
}

/// What a thread of the program is to do. It comes with room for its result, so that a thread costs one allocation.
pub trait Body: Send + Sync {
    /// Does it: once.
    ///
    /// # Panics
    /// As the program's code does; and if it has been run.
    fn run(self: Arc<Self>);
}

/// What an engine does for the thread that is running. All operations are recorded by the engine.
///
/// A thread that has done an operation runs on to its next one before any other does one: so what it writes to plain memory right
/// after an operation is there for all who see the operation. A read is carried out, also on replay, after the store that it reads.
///
/// An operation may not return: when the execution is cut, the engine leaves the thread, with or without unwinding it.
pub trait Port {
    /// The thread that is running.
    fn thread(&self) -> ThreadId;

    /// How far the running thread and the execution have come, for the heap. Positions and sequence numbers are the engine's own: those
    /// that it holds the heap's log against.
    fn progress(&self) -> Progress;

    /// Whether operations are to be carried out at once on the newest values, unrecorded and without a switch: the execution
    /// was cut and the thread unwinds, or it has ended and its values are looked at.
    fn is_unobserved(&self) -> bool;

    /// Whether the running thread unwinds. To be answered by engines that run threads of the program on one OS thread: std's
    /// answer is about the OS thread.
    fn is_panicking(&self) -> bool {
        std::thread::panicking()
    }

    /// The running thread does something besides operations that others, or the check, can tell.
    fn note(&self, effect: Effect) {
        let _ = effect;
    }

    /// Runs `f` with [`is_unobserved`](Self::is_unobserved) true.
    fn unobserved(&self, f: &mut dyn FnMut());

    /// A new location with its constructed value, known to all threads.
    fn new_location(&self, kind: ValueKind, initial: u64) -> LocationId;

    /// A method call begins, or something else that the recorder must know of: from here on, operations are recorded as they run. An
    /// engine that put it off records those that have run.
    fn start_recording(&self) {}

    /// The running thread is about to do an operation on the object with this hint, which may be on the stack of another thread.
    fn touch(&self, hint: &LocationHint) {
        let _ = hint;
    }

    /// The newest value, without an operation.
    fn peek(&self, location: LocationId) -> u64;

    /// Loads a value.
    fn load(&self, access: Access) -> u64;

    /// Stores a value.
    fn store(&self, access: Access, value: u64);

    /// A read-modify-write that always writes; returns the value read.
    fn update(&self, access: Access, update: Update) -> u64;

    /// Compare-exchange; a weak one may fail spuriously where the engine models that.
    ///
    /// # Errors
    /// The value read, if it was not `expected`, or spuriously.
    fn compare_exchange(
        &self,
        access: Access,
        failure: Ordering,
        expected: u64,
        new: u64,
        is_weak: bool,
    ) -> Result<u64, u64>;

    /// Exchanges the value that the running thread has read there by its last operation, at the same place, for one that it has made of that value
    /// alone; returns it. `None`, if the engine does not leave out that the exchange fails: then it is to be done by
    /// [`compare_exchange`](Self::compare_exchange).
    fn exchange_what_was_read(&self, access: Access, expected: u64, new: u64) -> Option<u64> {
        let _ = (access, expected, new);
        None
    }

    /// Waits until the location has a value for which `wait` gives the next one, and writes that, in one read-modify-write;
    /// returns the value read. The operation is recorded once, when it succeeds.
    fn wait_update(&self, access: Access, wait: WaitUpdate) -> u64;

    /// Waits until the location has a value that satisfies `wait`; returns it. Recorded once, when it succeeds.
    fn wait_load(&self, access: Access, wait: WaitLoad) -> u64;

    /// Waits as [`wait_update`](Self::wait_update) does, or until a timeout, which may happen at any moment: then `None`, and
    /// nothing is recorded. An execution that is blocked in such a wait is no result: the timeout would end it. An engine that can
    /// tell should override this.
    fn wait_update_or_timeout(&self, access: Access, wait: WaitUpdate) -> Option<u64> {
        (self.choose(2) == 0).then(|| self.wait_update(access, wait))
    }

    /// Waits as [`wait_load`](Self::wait_load) does, or until a timeout: as above.
    fn wait_load_or_timeout(&self, access: Access, wait: WaitLoad) -> Option<u64> {
        (self.choose(2) == 0).then(|| self.wait_load(access, wait))
    }

    /// Whether a wait at this place, which is about to begin, ends without a reason: both are explored, where the engine models that.
    fn wakes_spuriously(&self, place: Place) -> bool {
        let _ = place;
        false
    }

    /// Whether a thread that is about to take a lock shared that it has already waits behind another one that waits for it alone: both are
    /// explored, where the engine models that. If it does, this does not return; an execution in which no other thread waits for the
    /// location by [`wait_update`](Self::wait_update) is no result then.
    fn waits_behind_writer(&self, access: Access) {
        let _ = access;
    }

    /// A fence.
    fn fence(&self, place: Place, order: Ordering);

    /// Changes the count of the handles of a value that was made at `made`, and returns the count before, if the engine keeps such counts
    /// itself, without operations; it asks for the location of the count only then. `None`: the count is to be changed by operations, if
    /// anything observes them.
    fn count(
        &self,
        made: SourceLocation,
        change: CountChange,
        locate: &dyn Fn() -> LocationId,
    ) -> Option<u64> {
        let _ = (made, change, locate);
        None
    }

    /// Begins an access of a non-atomic location. A race ends the execution.
    fn begin_cell(&self, place: Place, location: LocationId, is_write: bool) -> CellAccess;

    /// Ends it.
    fn end_cell(&self, access: CellAccess);

    /// Starts a thread that runs `body`; a panic of `body` is for the engine to catch and keep.
    ///
    /// What `body` holds may be borrowed: see [`wait_until_left`](Self::wait_until_left). An engine that leaves threads without
    /// unwinding them neither runs nor drops the body of such a thread later.
    fn spawn(
        &self,
        place: Place,
        name: Option<String>,
        stack_bytes: Option<usize>,
        body: Arc<dyn Body>,
    ) -> ThreadId;

    /// Waits for the end of a thread. If it ended by a panic, its payload, for the one who joins first.
    ///
    /// # Errors
    /// The payload of the panic.
    fn join(&self, place: Place, thread: ThreadId) -> std::thread::Result<()>;

    /// Waits until a thread has left its body, after the execution was cut, and without leaving: the running thread has lent it
    /// what is on its stack. Nothing for engines that leave threads without unwinding them.
    fn wait_until_left(&self, thread: ThreadId) {
        let _ = thread;
    }

    /// Whether a thread has ended, as a relaxed load sees it: `false` may be said after its last operation, and `true` orders nothing.
    fn is_finished(&self, place: Place, thread: ThreadId) -> bool;

    /// The running thread has left what it was to do, but for the values that it has in `thread_local!`s. An engine may do an operation, which
    /// [`is_finished`](Self::is_finished) sees.
    fn end_body(&self) {}

    /// The name that a thread was started with. An engine that records all operations as they run need not say it.
    fn name(&self, thread: ThreadId) -> Option<String> {
        let _ = thread;
        None
    }

    /// The program has seen that a thread panicked, or does so: the panic is no fault any more.
    fn take_panic(&self, thread: ThreadId) {
        let _ = thread;
    }

    /// Ends the execution, since the program cannot be run again and again as it is written: the message says why.
    fn refuse(&self, message: &str);

    /// The thread can do nothing useful until another has done something.
    fn yield_now(&self, place: Place);

    /// One of `count` choices, `0..count`; an engine that cannot branch here returns 0 and says so among what it does not model.
    fn choose(&self, count: usize) -> usize;

    /// The tick of the call clock: a relaxed read-modify-write of a hidden location, if the run has one.
    fn tick(&self) -> Option<u64>;
}

/// An access of a cell that lasts.
#[derive(Clone, Copy, Debug)]
pub struct CellAccess(pub(crate) Option<crate::record::OperationId>);

impl CellAccess {
    /// The access that began with this operation; `None` if it was unobserved.
    pub fn new(operation: Option<crate::record::OperationId>) -> Self {
        Self(operation)
    }

    /// The operation that it began with.
    pub fn operation(self) -> Option<crate::record::OperationId> {
        self.0
    }
}
