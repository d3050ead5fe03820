//! The messages of a channel, as iterators.

use super::Receiver;
use crate::record::{Orders, Place};

/// std's `Iter`.
#[derive(Debug)]
pub struct Iter<'a, T>(pub(super) &'a Receiver<T>);

/// std's `TryIter`.
#[derive(Debug)]
pub struct TryIter<'a, T>(pub(super) &'a Receiver<T>);

/// std's `IntoIter`.
#[derive(Debug)]
pub struct IntoIter<T>(pub(super) Receiver<T>);

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.receive_at(Place::here("recv", Orders::None)).ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.try_receive_at(Place::here("try_recv", Orders::None)).ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.0.receive_at(Place::here("recv", Orders::None)).ok()
    }
}
