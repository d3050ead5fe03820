//! The receiving end of a channel.

use super::channel::{Channel, Patience, timed_out};
use super::{RecvError, RecvTimeoutError, TryRecvError};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::RefUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// std's `Receiver`, with a clock.
pub struct Receiver<T> {
    channel: Arc<Channel<T>>,
    /// A receiver is used by one thread at a time.
    not_sync: PhantomData<Cell<()>>,
}

// As std's: a message is there or not.
impl<T> RefUnwindSafe for Receiver<T> {}

impl<T> Receiver<T> {
    pub(super) fn of(channel: Arc<Channel<T>>) -> Self {
        Self { channel, not_sync: PhantomData }
    }

    /// Waits for a message.
    ///
    /// # Errors
    /// If there is none, and all senders are gone.
    pub fn recv(&self) -> Result<T, RecvError> {
        self.channel.receive(Patience::Endless).map_err(|_| RecvError)
    }

    /// Receives a message, if there is one.
    ///
    /// # Errors
    /// If there is none.
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.channel.receive(Patience::None)
    }

    /// Waits for a message, for a time at most.
    ///
    /// # Errors
    /// If there is none then, or if all senders are gone.
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        let end = Instant::now().checked_add(timeout);
        self.channel.receive(end.map_or(Patience::Endless, Patience::Until)).map_err(timed_out)
    }

    /// The messages, as long as there are senders.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self)
    }

    /// The messages that are there.
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter(self)
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.channel.drop_receiver();
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}

/// std's `Iter`.
#[derive(Debug)]
pub struct Iter<'a, T>(&'a Receiver<T>);

/// std's `TryIter`.
#[derive(Debug)]
pub struct TryIter<'a, T>(&'a Receiver<T>);

/// std's `IntoIter`.
#[derive(Debug)]
pub struct IntoIter<T>(Receiver<T>);

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.try_recv().ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self)
    }
}
