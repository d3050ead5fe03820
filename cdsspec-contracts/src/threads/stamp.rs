//! What an atomic's clock is, in a word, to be read without its lock.

use crate::clock::COUNT_BITS;
use crate::{Epoch, ThreadIndex};

/// What was released at an atomic, in a word.
///
/// | | |
/// |---|---|
/// | empty | nothing. The word still names the step that wrote it, and no other empty word does |
/// | epoch | all that the thread of this epoch knew at it, itself included |
/// | joined | the atomic's clock, and nothing less, says it |
/// | busy | value and clock are being changed |
///
/// A word of the first two kinds is never written again once another one was. So a reader that sees the same one before and after it reads the
/// value has read a value with this clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp(u64);

const KIND_SHIFT: u32 = 62;
const THREAD_SHIFT: u32 = 52;
const STEP_BITS: u32 = THREAD_SHIFT;
const THREAD_MAX: u32 = 1 << (KIND_SHIFT - THREAD_SHIFT);

const EMPTY: u64 = 0;
const EPOCH: u64 = 1 << KIND_SHIFT;
const KIND: u64 = 0b11 << KIND_SHIFT;

const _: () = assert!(STEP_BITS > COUNT_BITS);

impl Stamp {
    /// Of an atomic that nobody has written to.
    pub(crate) const NEW: Self = Self(EMPTY);
    pub(crate) const JOINED: Self = Self(2 << KIND_SHIFT);
    pub(crate) const BUSY: Self = Self(3 << KIND_SHIFT);

    pub(crate) const fn of_word(word: u64) -> Self {
        Self(word)
    }

    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// Nothing, written at this epoch.
    #[inline]
    pub(crate) fn empty_at(epoch: Epoch) -> Self {
        pack(EMPTY, epoch)
    }

    /// What its thread knows at this epoch.
    #[inline]
    pub(crate) fn known_at(epoch: Epoch) -> Self {
        pack(EPOCH, epoch)
    }

    /// Whether the word alone says it: it is empty or an epoch.
    #[inline]
    pub(crate) fn is_plain(self) -> bool {
        self.0 & (0b10 << KIND_SHIFT) == 0
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 & KIND == EMPTY
    }

    /// The epoch, if it is one.
    #[inline]
    pub(crate) fn epoch(self) -> Option<Epoch> {
        (self.0 & KIND == EPOCH).then(|| Epoch {
            thread: ThreadIndex((self.0 >> THREAD_SHIFT) as u32 & (THREAD_MAX - 1)),
            step: self.0 & ((1 << STEP_BITS) - 1),
        })
    }
}

/// What does not fit is read from the clock.
#[inline]
fn pack(kind: u64, epoch: Epoch) -> Stamp {
    if epoch.thread.0 < THREAD_MAX && epoch.step >> STEP_BITS == 0 {
        Stamp(kind | u64::from(epoch.thread.0) << THREAD_SHIFT | epoch.step)
    } else {
        Stamp::JOINED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_comes_back_or_is_left_to_the_clock() {
        let (thread_max, step_max) = (u64::from(THREAD_MAX), 1 << STEP_BITS);
        for thread in [0, 1, thread_max - 1, thread_max] {
            for step in [1, 2, 1 << COUNT_BITS, step_max - 1, step_max] {
                let epoch = Epoch { thread: ThreadIndex(thread as u32), step };
                let fits = thread < thread_max && step < step_max;
                assert_eq!(Stamp::known_at(epoch).epoch(), fits.then_some(epoch));
                assert_eq!(Stamp::empty_at(epoch).is_empty(), fits);
                assert_eq!(Stamp::empty_at(epoch).epoch(), None);
                assert_eq!(Stamp::known_at(epoch).is_plain(), fits);
            }
        }
        assert!(!Stamp::BUSY.is_plain() && !Stamp::JOINED.is_plain() && Stamp::NEW.is_plain());
    }
}
