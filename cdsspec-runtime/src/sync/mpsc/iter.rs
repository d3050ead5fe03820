//! The messages of a channel, as iterators. Their operations stand where the iterator was made: it is often std that calls `next`.

use super::Receiver;
use crate::record::{Orders, Place, operation_name};

/// std's `Iter`.
#[derive(Debug)]
pub struct Iter<'a, T>(pub(super) &'a Receiver<T>, pub(super) Place);

/// std's `TryIter`.
#[derive(Debug)]
pub struct TryIter<'a, T>(pub(super) &'a Receiver<T>, pub(super) Place);

/// std's `IntoIter`.
#[derive(Debug)]
pub struct IntoIter<T>(pub(super) Receiver<T>, pub(super) Place);

impl<T> Receiver<T> {
    /// The messages, waiting for each, until all senders are gone.
    #[track_caller]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self, Place::here(operation_name!("recv"), Orders::None))
    }

    /// The messages that are there.
    #[track_caller]
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter(self, Place::here(operation_name!("try_recv"), Orders::None))
    }
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline(always)]
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.receive_at(self.1).ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    #[inline(always)]
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.try_receive_at(self.1).ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    #[inline(always)]
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.receive_at(self.1).ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    #[track_caller]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    #[track_caller]
    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self, Place::here(operation_name!("recv"), Orders::None))
    }
}
