//! The border between instrumented types and engines.
//!
//! Instrumented types (`sync`, `thread`, `cell`, `hint`) find the execution that they are part of with [`with`], and ask it;
//! outside an execution they behave as std's. What they ask for is an [`Operation`], as data; an engine implements [`Port`], and is a `match`
//! over the few there are, out of which blocking types are built once. None speaks of schedules: an engine may run one thread after another, or build execution graphs.

mod action;
mod body;
mod call;
mod caller;
mod cell_access;
mod census;
mod contract;
mod count;
mod current;
mod effect;
mod execution;
mod guide;
mod hint;
mod holds;
mod local;
mod object;
mod omission;
mod operation;
mod order_table;
mod ordered;
mod outside;
mod overrides;
mod run_body;
mod running;
mod tracked;
mod typed;
mod update;
mod written;

pub use action::Action;
pub use body::Body;
#[cfg(feature = "localize")]
pub(crate) use call::follow;
pub use call::{Call, Condition, Marker, Statement, mark, note_beside};
pub(crate) use call::{note_boundary, note_position, plan_calls, stand_still_after};
pub(crate) use caller::{Caller, here, in_our_frame, last_caller, last_top, take_beginning};
pub use cell_access::CellAccess;
pub use census::{Census, OutsideUse};
pub use contract::{ContractCall, ContractConstructor, Sets, early, expect_here};
pub use count::CountChange;
pub(crate) use current::as_checker;
pub use current::{enter, with};
pub use effect::Effect;
pub use execution::Execution;
pub use guide::{Guide, GuideStep};
pub use hint::LocationHint;
pub(crate) use holds::Holds;
pub(crate) use local::{Local, Locals};
pub use omission::Omission;
pub use operation::{Notice, Operation, Reply, Request};
pub use order_table::{OrderTable, PlaceLog, ReachedPlace};
pub use outside::NOTE_VARIABLE;
pub(crate) use outside::note_use as note_outside_use;
pub use overrides::{Overrides, Replacement};
pub use run_body::run_body;
pub(crate) use running::is_running;
pub use tracked::Tracked;
pub use update::{Update, WaitLoad, WaitUpdate};
pub use written::{Number, is_made, number};

use crate::heap::Progress;
use crate::record::{LocationId, Place, ThreadId, ValueKind};
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

/// What an engine does for the thread that is running. All operations are recorded by the engine.
///
/// A thread that has done an operation runs on to its next one before any other does one: so what it writes to plain memory right
/// after an operation is there for all who see the operation. A read is carried out, also on replay, after the store that it reads.
///
/// Instrumented types ask by the typed methods of `dyn Port`, each of which is one [`perform`](Self::perform).
pub trait Port {
    /// Does what the running thread asks for. It may not return: when the execution is cut, the engine leaves the thread, with or without
    /// unwinding it.
    fn perform(&self, request: Request) -> Reply;

    /// What the running thread does besides operations.
    fn note(&self, notice: Notice<'_>);

    /// The thread that is running.
    fn thread(&self) -> ThreadId;

    /// How far the running thread and the execution have come, for the heap. Positions and sequence numbers are the engine's own: those
    /// that it holds the heap's log against.
    fn progress(&self) -> Progress;

    /// Whether operations are to be carried out at once on the newest values, unrecorded and without a switch: the execution
    /// was cut and the thread unwinds, or it has ended and its values are looked at.
    fn is_unobserved(&self) -> bool;

    /// Runs `f` with [`is_unobserved`](Self::is_unobserved) true.
    fn unobserved(&self, f: &mut dyn FnMut());

    /// Whether the running thread unwinds. To be answered by engines that run threads of the program on one OS thread: std's
    /// answer is about the OS thread.
    fn is_panicking(&self) -> bool {
        std::thread::panicking()
    }

    /// A new location with its constructed value, known to all threads.
    fn new_location(&self, kind: ValueKind, initial: u64) -> LocationId;

    /// The newest value, without an operation.
    fn peek(&self, location: LocationId) -> u64;

    /// The name that a thread was started with. An engine that records all operations as they run need not say it.
    fn name(&self, thread: ThreadId) -> Option<String> {
        let _ = thread;
        None
    }

    /// Waits until a thread has left its body, after the execution was cut, and without leaving: the running thread has lent it
    /// what is on its stack. Nothing for engines that leave threads without unwinding them.
    fn wait_until_left(&self, thread: ThreadId) {
        let _ = thread;
    }

    /// Ends the execution, since the program cannot be run again and again as it is written: the message says why.
    fn refuse(&self, message: &str);
}
