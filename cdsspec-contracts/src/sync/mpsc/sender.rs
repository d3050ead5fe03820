//! The sending ends of a channel.

use super::channel::{Channel, Patience};
use super::{SendError, TrySendError};
use std::fmt;
use std::sync::Arc;

/// std's `Sender`, with a clock.
pub struct Sender<T>(pub(super) Arc<Channel<T>>);

/// std's `SyncSender`, with a clock.
pub struct SyncSender<T>(pub(super) Arc<Channel<T>>);

impl<T> SyncSender<T> {
    /// Sends a message, if there is room, or in a channel with bound 0 if the receiver waits.
    ///
    /// # Errors
    /// If not, or if the receiver is gone; the message is inside.
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        self.0.send(message, Patience::None)
    }
}

macro_rules! sender {
    ($($name:ident)*) => {$(
        impl<T> $name<T> {
            /// Sends a message. In a channel with a bound it waits for room; if that is 0, until it is received.
            ///
            /// # Errors
            /// If the receiver is gone; the message is inside.
            pub fn send(&self, message: T) -> Result<(), SendError<T>> {
                self.0.send(message, Patience::Endless).map_err(|error| match error {
                    TrySendError::Full(message) | TrySendError::Disconnected(message) => SendError(message),
                })
            }
        }

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                self.0.add_sender();
                Self(Arc::clone(&self.0))
            }
        }

        impl<T> Drop for $name<T> {
            fn drop(&mut self) {
                self.0.drop_sender();
            }
        }

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

sender! { Sender SyncSender }
