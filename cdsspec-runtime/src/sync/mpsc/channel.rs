//! A channel of an execution: its word, and the messages.

use super::word::{self, UNBOUNDED, Word};
use crate::port::{Access, LocationHint, Port, with};
use crate::record::{Orders, Place, SourceLocation, ValueKind, operation_name};
use crate::sync::residence::Residence;
use crate::sync::target::Target;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::mpsc::{RecvTimeoutError, TryRecvError, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(super) struct Channel<T> {
    hint: LocationHint,
    /// The number of the execution.
    execution: u64,
    residence: Residence,
    bound: u64,
    /// By position: where a message is is decided by the operation that sent it.
    messages: Mutex<BTreeMap<u64, T>>,
    /// Where the channel was made: a drop has no place of its own in the source.
    source: SourceLocation,
}

/// How long one who receives waits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    None,
    UntilTimeout,
    Endless,
}

impl<T> Channel<T> {
    /// A channel with one sender and a receiver, made here. `None` outside an execution.
    #[inline(always)]
    #[track_caller]
    pub(super) fn new(bound: Option<usize>) -> Option<Arc<Self>> {
        let execution = with(|execution| execution.number())?;
        Some(Arc::new(Self {
            hint: LocationHint::new(),
            execution,
            residence: Residence::of(execution),
            bound: bound.map_or(UNBOUNDED, |bound| bound as u64),
            messages: Mutex::default(),
            source: SourceLocation::caller(),
        }))
    }

    /// Sends a message, waiting for room, and for the receiver if there is no room at all.
    ///
    /// # Errors
    /// The message, if nobody will receive it.
    pub(super) fn send(&self, place: Place, message: T) -> Result<(), T> {
        let old = self.access(place, |port, access| {
            if self.bound == UNBOUNDED {
                port.update(access, word::try_send(UNBOUNDED))
            } else {
                port.wait_update(access, word::send(self.bound))
            }
        });
        let Some(old) = old.map(Word).filter(|old| !old.is_gone()) else { return Err(message) };
        let position = old.end();
        self.messages().insert(position, message);
        if self.bound > 0 {
            return Ok(());
        }
        let settled = self.access(place, |port, access| {
            port.wait_load(Access { order: Acquire, ..access }, word::is_settled(position))
        });
        let is_received = settled.is_some_and(|word| Word(word).has_received(position));
        if is_received { Ok(()) } else { self.messages().remove(&position).map_or(Ok(()), Err) }
    }

    /// Sends a message without waiting.
    ///
    /// # Errors
    /// The message, if there is no room or no receiver.
    pub(super) fn try_send(&self, place: Place, message: T) -> Result<(), TrySendError<T>> {
        let old = self.access(place, |port, access| {
            // A look first: one who tries again and again should not write.
            let seen = port.load(Access { order: Acquire, ..access });
            if Word(seen).has_room(self.bound) {
                port.update(access, word::try_send(self.bound))
            } else {
                seen
            }
        });
        match old.map(Word) {
            Some(old) if old.has_room(self.bound) => {
                self.messages().insert(old.end(), message);
                Ok(())
            }
            Some(old) if !old.is_gone() => Err(TrySendError::Full(message)),
            _ => Err(TrySendError::Disconnected(message)),
        }
    }

    /// Receives a message.
    ///
    /// # Errors
    /// If there is none in time, or no sender.
    pub(super) fn receive(&self, place: Place, patience: Patience) -> Result<T, RecvTimeoutError> {
        let has_announced = self.bound == 0 && patience != Patience::None;
        let old = self.access(place, |port, access| {
            if has_announced {
                port.update(Access { order: Relaxed, ..access }, word::ANNOUNCE);
            }
            let waited = match patience {
                Patience::None => None,
                Patience::UntilTimeout => port.wait_update_or_timeout(access, word::RECEIVE),
                Patience::Endless => Some(port.wait_update(access, word::RECEIVE)),
            };
            waited.unwrap_or_else(|| {
                let seen = port.load(Access { order: Acquire, ..access });
                let is_read_only = !has_announced && Word(seen).len() == 0;
                if is_read_only { seen } else { port.update(access, word::TRY_RECEIVE) }
            })
        });
        let old = Word(old.ok_or(RecvTimeoutError::Disconnected)?);
        if old.len() == 0 {
            let is_over = old.is_over() || patience == Patience::Endless;
            return Err(if is_over { RecvTimeoutError::Disconnected } else { RecvTimeoutError::Timeout });
        }
        // It is missing only if the execution was cut before the sender put it there.
        self.messages().remove(&old.start()).ok_or(RecvTimeoutError::Disconnected)
    }

    pub(super) fn try_receive(&self, place: Place) -> Result<T, TryRecvError> {
        self.receive(place, Patience::None).map_err(|error| match error {
            RecvTimeoutError::Timeout => TryRecvError::Empty,
            RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
        })
    }

    pub(super) fn add_sender(&self, place: Place) {
        self.access(place, |port, access| port.update(Access { order: Relaxed, ..access }, word::ADD_SENDER));
    }

    pub(super) fn remove_sender(&self, place: Place) {
        self.access_at_home(place, |port, access| port.update(access, word::REMOVE_SENDER));
    }

    /// The receiver goes: the messages that are there are dropped, but for those whose senders wait.
    pub(super) fn leave(&self, place: Place) {
        let old = self.access_at_home(place, |port, access| port.update(access, word::LEAVE));
        let Some(old) = old.map(Word).filter(|_| self.bound > 0) else { return };
        let left: Vec<_> =
            (0..old.len()).filter_map(|index| self.messages().remove(&old.after_start(index))).collect();
        // While nothing is locked.
        drop(left);
    }

    /// Where an end of it is dropped: it is named by where it was made.
    pub(super) fn drop_place(&self) -> Place {
        Place { source: self.source, name: operation_name!("drop"), orders: Orders::None }
    }

    /// Does an operation on the word; `None` outside of executions. Another execution than that of the channel is refused.
    fn access(&self, place: Place, operation: impl FnOnce(&dyn Port, Access) -> u64) -> Option<u64> {
        self.residence.enter("channel");
        self.access_at_home(place, operation)
    }

    /// The same, but that nothing is done in another execution.
    fn access_at_home(&self, place: Place, operation: impl FnOnce(&dyn Port, Access) -> u64) -> Option<u64> {
        let is_here = with(|execution| execution.number() == self.execution).unwrap_or(false);
        let target = Target { hint: &self.hint, kind: ValueKind::Internal, initial: word::INITIAL };
        if is_here { target.access(place, AcqRel, operation) } else { None }
    }

    fn messages(&self) -> MutexGuard<'_, BTreeMap<u64, T>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
