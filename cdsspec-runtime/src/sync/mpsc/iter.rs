//! The messages of a channel, as iterators. Their operations stand where the iterator was made: it is often std that calls `next`.

use super::Receiver;
use crate::record::Place;

/// std's `Iter`.
#[derive(Debug)]
pub struct Iter<'a, T>(pub(super) &'a Receiver<T>, pub(super) Place);

/// std's `TryIter`.
#[derive(Debug)]
pub struct TryIter<'a, T>(pub(super) &'a Receiver<T>, pub(super) Place);

/// std's `IntoIter`.
#[derive(Debug)]
pub struct IntoIter<T>(pub(super) Receiver<T>, pub(super) Place);

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
