//! What an atomic's clock is, in a word, to be read without its lock.

use super::index::COUNT_MAX;
use crate::clock::COUNT_BITS;
use crate::{Epoch, ThreadIndex};

/// What was released at an atomic, in a word, which is its lock as well.
///
/// | | |
/// |---|---|
/// | empty | nothing |
/// | epoch | all that the thread of this epoch knew at it: the atomic's clock, and the epoch |
/// | joined | the atomic's clock |
/// | busy | value and clock are being changed |
///
/// The first three name the step that wrote them, so that none is written again once another one was: a reader that sees the same one before and
/// after it reads value and clock has read a value with this clock. A step that does not fit is left out: then only who makes the word busy
/// may read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp(u64);

const KIND_SHIFT: u32 = 62;
const FAR_SHIFT: u32 = 61;
const THREAD_SHIFT: u32 = 52;
/// No thread has this one here: the word names no step.
const THREAD_MAX: u32 = (1 << (FAR_SHIFT - THREAD_SHIFT)) - 1;
pub(super) const STEP_MAX: u64 = (1 << THREAD_SHIFT) - 1;

const KIND: u64 = 0b11 << KIND_SHIFT;
const EMPTY: u64 = 0;
const EPOCH: u64 = 1 << KIND_SHIFT;
const JOINED: u64 = 2 << KIND_SHIFT;
const NO_STEP: u64 = JOINED | (THREAD_MAX as u64) << THREAD_SHIFT;
const FAR: u64 = 1 << FAR_SHIFT;

const _: () = assert!(THREAD_SHIFT > COUNT_BITS);

impl Stamp {
    /// Of an atomic that nobody has written to.
    pub(crate) const NEW: Self = Self(EMPTY);
    pub(crate) const BUSY: Self = Self(3 << KIND_SHIFT);

    pub(crate) const fn of_word(word: u64) -> Self {
        Self(word)
    }

    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// Nothing, written at this epoch.
    #[inline(always)]
    pub(crate) fn empty_at(epoch: Epoch) -> Option<Self> {
        Self::bits_of(epoch).map(|epoch| Self(EMPTY | epoch))
    }

    /// What its thread knows at this epoch.
    #[inline(always)]
    pub(crate) fn known_at(epoch: Epoch, is_far: bool) -> Option<Self> {
        Self::bits_of(epoch).map(|epoch| Self(EPOCH | far(is_far) | epoch))
    }

    /// The clock, written at this epoch.
    #[inline(always)]
    pub(crate) fn joined_at(epoch: Epoch, is_far: bool) -> Self {
        Self::bits_of(epoch).map_or(Self::joined(is_far), |epoch| Self(JOINED | far(is_far) | epoch))
    }

    /// The clock, written at a step that is not named.
    pub(crate) fn joined(is_far: bool) -> Self {
        Self(NO_STEP | far(is_far))
    }

    /// Thread and step.
    #[inline(always)]
    pub(crate) fn bits(self) -> u64 {
        self.0 & (u64::from(THREAD_MAX) << THREAD_SHIFT | STEP_MAX)
    }

    /// The bits of an epoch that fits.
    #[inline(always)]
    pub(crate) fn bits_of(epoch: Epoch) -> Option<u64> {
        let fits = epoch.thread.0 < THREAD_MAX && epoch.step <= STEP_MAX;
        fits.then(|| u64::from(epoch.thread.0) << THREAD_SHIFT | epoch.step)
    }

    /// Whether the step after these bits is one more, and that is not the last one of its index.
    #[inline(always)]
    pub(crate) fn has_room(bits: u64) -> bool {
        bits & COUNT_MAX < COUNT_MAX - 1
    }

    /// Whether it is an epoch of the thread of these bits, and of the same generation.
    #[inline(always)]
    pub(crate) fn is_epoch_of(self, bits: u64) -> bool {
        self.0 & !(FAR | COUNT_MAX) == EPOCH | bits & !COUNT_MAX
    }

    /// The same, at a later step of the same thread.
    #[inline(always)]
    pub(crate) fn with_bits(self, bits: u64) -> Self {
        Self(self.0 & (KIND | FAR) | bits)
    }

    #[inline(always)]
    pub(crate) fn is_busy(self) -> bool {
        self.0 & KIND == KIND
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.0 & KIND == EMPTY
    }

    /// Whether the word alone says it: it is empty or an epoch.
    #[inline(always)]
    pub(crate) fn is_plain(self) -> bool {
        self.0 & JOINED == 0
    }

    /// Whether it names the step that wrote it.
    pub(crate) fn has_step(self) -> bool {
        self.0 & !FAR != NO_STEP
    }

    /// Whether the clock is where long ones are.
    #[inline(always)]
    pub(crate) fn is_far(self) -> bool {
        self.0 & FAR != 0
    }

    /// The epoch, if it is one.
    #[inline(always)]
    pub(crate) fn epoch(self) -> Option<Epoch> {
        let thread = ThreadIndex((self.0 >> THREAD_SHIFT) as u32 & THREAD_MAX);
        (self.0 & KIND == EPOCH).then_some(Epoch { thread, step: self.0 & STEP_MAX })
    }
}

#[inline(always)]
fn far(is_far: bool) -> u64 {
    u64::from(is_far) << FAR_SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_named_or_left_out() {
        for thread in [0, 1, THREAD_MAX - 1, THREAD_MAX, THREAD_MAX + 1] {
            for step in [1, 2, 1 << COUNT_BITS, STEP_MAX, STEP_MAX + 1] {
                let epoch = Epoch { thread: ThreadIndex(thread), step };
                let fits = thread < THREAD_MAX && step <= STEP_MAX;
                for is_far in [false, true] {
                    let known = Stamp::known_at(epoch, is_far);
                    assert_eq!(known.is_some(), fits);
                    assert!(known.is_none_or(|stamp| stamp.epoch() == Some(epoch) && stamp.is_plain()));
                    assert!(known.is_none_or(|stamp| stamp.is_far() == is_far && !stamp.is_busy()));
                    let joined = Stamp::joined_at(epoch, is_far);
                    assert_eq!((joined.has_step(), joined.is_far()), (fits, is_far));
                    assert!(!joined.is_plain() && !joined.is_busy() && !joined.is_empty());
                }
                let empty = Stamp::empty_at(epoch);
                assert_eq!(empty.is_some(), fits);
                assert!(empty.is_none_or(|stamp| stamp.is_empty() && stamp.is_plain() && stamp.has_step()));
            }
        }
        assert!(Stamp::BUSY.is_busy() && !Stamp::BUSY.is_plain() && Stamp::NEW.is_empty());
    }
}
