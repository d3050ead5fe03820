//! A thread of a run, and whether it can go on.

use super::rounds::Rounds;
use super::spin::Spin;
use crate::graph::{EventId, LocationIndex, ThreadIndex};
use crate::record::{LocationId, Panic, Place, ThreadId};
use std::any::Any;

/// Whether, and when, a thread can go on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Status {
    /// It has not been created in this run.
    Absent,
    /// It can.
    Ready,
    /// When this event has run in this run.
    AfterEvent(EventId),
    /// When all events of the graph have run, so that new ones are added.
    AfterReplay,
    /// When this thread has ended.
    AfterThread(ThreadIndex, Place),
    /// Not in this run: no store that it may read lets it go on.
    Waiting { event: EventId },
    /// When another store is at this location, where no event is added for a wait that does not end.
    Held {
        location: LocationIndex,
        /// Where it waits.
        place: Place,
    },
    /// Not in this run: it was to stand still here.
    Still(Place),
    /// It has yielded: when no other thread can.
    Yielded,
    /// Not in this run: it is in a loop.
    Spinning(Spin),
    /// Never: it has ended.
    Ended,
    /// Never: the execution was cut.
    Cut,
}

/// The threads that wait for something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waiters {
    None,
    One(u16),
    /// Those with a status that says so.
    Many,
}

impl Waiters {
    pub(crate) fn add(&mut self, thread: ThreadIndex) {
        *self = match (*self, u16::try_from(thread)) {
            (Self::None, Ok(thread)) => Self::One(thread),
            _ => Self::Many,
        };
    }
}

/// A thread of this run.
pub(crate) struct ThreadRun {
    /// Its number in the recording.
    pub(crate) id: ThreadId,
    pub(crate) name: Option<String>,
    pub(crate) status: Status,
    /// Who waits for its end.
    pub(crate) waiters: Waiters,
    /// The index of its next event.
    pub(crate) next: usize,
    /// The index of the event before which it stands still, if it is to.
    pub(crate) still_at: Option<usize>,
    /// Whether it has begun.
    pub(crate) has_begun: bool,
    /// How often it has changed a count of handles.
    pub(crate) count_changes: u32,
    /// Whether it waits behind another thread that waits for the same lock alone: an execution in which none does is impossible.
    pub(crate) is_behind_writer: bool,
    /// What it stores to at its end, if anybody asks for that.
    pub(crate) end: Option<LocationId>,
    /// Whether the program has seen, or is about to, that it panics.
    pub(crate) is_panic_taken: bool,
    pub(crate) rounds: Rounds,
    pub(crate) panic: Option<Box<PanicRun>>,
}

impl ThreadRun {
    pub(crate) fn new() -> Self {
        Self {
            id: ThreadId::new(0),
            name: None,
            status: Status::Absent,
            waiters: Waiters::None,
            next: 0,
            still_at: None,
            has_begun: false,
            count_changes: 0,
            is_behind_writer: false,
            end: None,
            is_panic_taken: false,
            rounds: Rounds::default(),
            panic: None,
        }
    }

    /// How it spins, if it does.
    pub(crate) fn spin(&self) -> Option<&Spin> {
        match &self.status {
            Status::Spinning(spin) => Some(spin),
            _ => None,
        }
    }

    /// From here on it is a thread that has not been created, in the memory of one of another run. Nothing is left of that: each field is
    /// named.
    pub(crate) fn restart(&mut self) {
        let Self {
            id,
            name,
            status,
            waiters,
            next,
            still_at,
            has_begun,
            count_changes,
            is_behind_writer,
            end,
            is_panic_taken,
            rounds,
            panic,
        } = self;
        *id = ThreadId::new(0);
        *name = None;
        *status = Status::Absent;
        *waiters = Waiters::None;
        *next = 0;
        *still_at = None;
        *count_changes = 0;
        (*has_begun, *is_behind_writer, *is_panic_taken) = (false, false, false);
        *end = None;
        rounds.restart();
        *panic = None;
    }
}

/// A panic of a thread.
pub(crate) struct PanicRun {
    pub(crate) panic: Panic,
    pub(crate) payload: Option<Box<dyn Any + Send>>,
    pub(crate) is_joined: bool,
    pub(crate) number: usize,
}
