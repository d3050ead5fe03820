//! The sending ends of channels.

use super::channel::Channel;
use super::waiting::{cannot_wait, is_inside};
use super::{SendError, TrySendError};
use crate::port::{here, in_our_frame};
use crate::record::{Orders, operation_name};
use std::fmt;
use std::sync::{Arc, mpsc};

/// One end of a channel; `S` is std's.
enum End<S, T> {
    Std(S),
    Execution(Arc<Channel<T>>),
}

/// std's `Sender`, instrumented.
pub struct Sender<T>(End<mpsc::Sender<T>, T>);

/// std's `SyncSender`, instrumented.
pub struct SyncSender<T>(End<mpsc::SyncSender<T>, T>);

impl<T> Sender<T> {
    /// Sends a message. Never waits.
    ///
    /// # Errors
    /// The message, if the receiver is gone.
    #[inline(always)]
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        let place = here(operation_name!("send"), Orders::None);
        match &self.0 {
            End::Std(sender) => sender.send(message),
            End::Execution(channel) => channel.send(place, message).map_err(SendError),
        }
    }
}

impl<T> SyncSender<T> {
    /// Sends a message, waiting until there is room, or the receiver takes it.
    ///
    /// # Errors
    /// The message, if the receiver is gone.
    ///
    /// # Panics
    /// If it has to wait inside an execution, and the channel was made outside.
    #[inline(always)]
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        let place = here(operation_name!("send"), Orders::None);
        match &self.0 {
            End::Std(sender) if is_inside() => match sender.try_send(message) {
                Ok(()) => Ok(()),
                Err(TrySendError::Disconnected(message)) => Err(SendError(message)),
                Err(TrySendError::Full(_)) => cannot_wait(),
            },
            End::Std(sender) => sender.send(message),
            End::Execution(channel) => channel.send(place, message).map_err(SendError),
        }
    }

    /// Sends a message, if that can be done without waiting.
    ///
    /// # Errors
    /// The message, if there is no room or no receiver.
    #[inline(always)]
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        let place = here(operation_name!("try_send"), Orders::None);
        match &self.0 {
            End::Std(sender) => sender.try_send(message),
            End::Execution(channel) => channel.try_send(place, message),
        }
    }
}

macro_rules! sender {
    ($name:ident) => {
        impl<T> $name<T> {
            pub(super) fn of_std(sender: mpsc::$name<T>) -> Self {
                Self(End::Std(sender))
            }

            /// The first sender of a channel.
            pub(super) fn of_execution(channel: Arc<Channel<T>>) -> Self {
                Self(End::Execution(channel))
            }
        }

        impl<T> Clone for $name<T> {
            #[inline(always)]
            #[track_caller]
            fn clone(&self) -> Self {
                let place = here(operation_name!("clone"), Orders::None);
                Self(match &self.0 {
                    End::Std(sender) => End::Std(sender.clone()),
                    End::Execution(channel) => {
                        channel.add_sender(place);
                        End::Execution(Arc::clone(channel))
                    }
                })
            }
        }

        impl<T> Drop for $name<T> {
            fn drop(&mut self) {
                if let End::Execution(channel) = &self.0 {
                    channel.remove_sender(in_our_frame(channel.drop_place()));
                }
            }
        }

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}

sender!(Sender);
sender!(SyncSender);
