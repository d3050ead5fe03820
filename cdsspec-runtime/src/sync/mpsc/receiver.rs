//! The receiving end of a channel.

use super::channel::{Channel, Patience};
use super::waiting::{cannot_wait, is_inside};
use super::{RecvError, RecvTimeoutError, TryRecvError};
use crate::port::{here, in_our_frame};
use crate::record::{Orders, Place, operation_name};
use crate::sync::residence::Residence;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::RefUnwindSafe;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// std's `Receiver`, instrumented.
pub struct Receiver<T> {
    end: End<T>,
    /// A receiver is used by one thread at a time.
    not_sync: PhantomData<Cell<()>>,
}

enum End<T> {
    Std(mpsc::Receiver<T>, Residence),
    Execution(Arc<Channel<T>>),
}

// As std's: a message is there or not.
impl<T> RefUnwindSafe for Receiver<T> {}

impl<T> Receiver<T> {
    pub(super) fn of_std(receiver: mpsc::Receiver<T>) -> Self {
        Self { end: End::Std(receiver, Residence::new()), not_sync: PhantomData }
    }

    pub(super) fn of_execution(channel: Arc<Channel<T>>) -> Self {
        Self { end: End::Execution(channel), not_sync: PhantomData }
    }

    /// Waits for a message.
    ///
    /// # Errors
    /// If there is none, and all senders are gone.
    ///
    /// # Panics
    /// If it has to wait inside an execution, and the channel was made outside.
    #[inline(always)]
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.receive_at(here(operation_name!("recv"), Orders::None))
    }

    /// Receives a message, if there is one.
    ///
    /// # Errors
    /// If there is none.
    #[inline(always)]
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.try_receive_at(here(operation_name!("try_recv"), Orders::None))
    }

    /// Waits for a message, for a time at most. There is no time in an execution: there the wait may end at any moment.
    ///
    /// # Errors
    /// If there is none then, or if all senders are gone.
    ///
    /// # Panics
    /// If it has to wait inside an execution, and the channel was made outside.
    #[inline(always)]
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        let place = here(operation_name!("recv_timeout"), Orders::None);
        match &self.end {
            End::Std(receiver, residence) if is_inside() => match try_receive_inside(receiver, residence) {
                Ok(message) => Ok(message),
                Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
                Err(TryRecvError::Empty) => cannot_wait(),
            },
            End::Std(receiver, _) => receiver.recv_timeout(timeout),
            End::Execution(channel) => channel.receive(place, Patience::UntilTimeout),
        }
    }

    #[track_caller]
    pub(super) fn receive_at(&self, place: Place) -> Result<T, RecvError> {
        match &self.end {
            End::Std(receiver, residence) if is_inside() => match try_receive_inside(receiver, residence) {
                Ok(message) => Ok(message),
                Err(TryRecvError::Disconnected) => Err(RecvError),
                Err(TryRecvError::Empty) => cannot_wait(),
            },
            End::Std(receiver, _) => receiver.recv(),
            End::Execution(channel) => channel.receive(place, Patience::Endless).map_err(|_| RecvError),
        }
    }

    pub(super) fn try_receive_at(&self, place: Place) -> Result<T, TryRecvError> {
        match &self.end {
            End::Std(receiver, residence) => try_receive_inside(receiver, residence),
            End::Execution(channel) => channel.try_receive(place),
        }
    }
}

/// Receives what was sent to a channel that was made outside: in one execution at most, if in any.
fn try_receive_inside<T>(receiver: &mpsc::Receiver<T>, residence: &Residence) -> Result<T, TryRecvError> {
    residence.enter("channel");
    receiver.try_recv()
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        if let End::Execution(channel) = &self.end {
            channel.leave(in_our_frame(channel.drop_place()));
        }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}
