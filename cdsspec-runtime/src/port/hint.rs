//! Which field of the current execution an instrumented object is.

use crate::record::FieldId;
use std::sync::atomic::{AtomicU64, Ordering};

/// Kept inside each instrumented object, whose constructor, a `const fn`, leaves it `CONSTRUCTED`.
///
/// It moves with the object, so a moved object keeps its identity. It is one of
///
/// | word | meaning |
/// |---|---|
/// | `CONSTRUCTED`, 0 | fresh: no execution has met the object. What std says may be made of zeros, is so |
/// | `OUTSIDE`, 52 bits | fresh, but used by an OS thread outside of any program; the number is that of the next execution then |
/// | `MET`, 32 bits, 20 bits | the execution that met it last, and its field there. Another one had met it before |
/// | `MADE`, 32 bits, 20 bits | the same, of the first execution that met it: it was made there, or not used before |
///
/// An object that several executions share (a static, with tests in parallel) has the hint of one of them; the others find it by
/// its address.
///
/// # Which word may follow which
/// Executions write `MADE` over a fresh word, and `MET` over that of another execution. An OS thread outside writes `OUTSIDE`, and only over
/// `CONSTRUCTED` or 0: so what an execution has left stays, and only operations of programs change the word of an object that was met.
///
/// # Told from other data
/// Hints are looked for in the memory of an annotated object. `CONSTRUCTED` was drawn at random, and nothing else holds it: a hint is
/// written to only where this word was found. The other words begin with one of three marks of twelve bits, that no pointer
/// begins with and few other values do. Such a word is only read, and what looks like one tells at most that there is no new object.
///
/// # Numbers
/// Executions are numbered from 1. `MADE` and `MET` have the low 32 bits of the number: two executions of a process are taken for one only if
/// exactly 2^32, or a multiple, lie between them, and the object was not met meanwhile.
#[derive(Debug)]
pub struct LocationHint(AtomicU64);

/// Bits for the field.
const FIELD_BITS: u32 = 20;

/// Bits for the number of an execution that has met an object.
const NUMBER_BITS: u32 = 32;

/// Where the mark stands in a word, above all else.
const MARK_SHIFT: u32 = FIELD_BITS + NUMBER_BITS;

/// The mark of an object that executions have met.
const MET: u64 = 0xC5C;

/// The mark of one that one execution has met: `MET` and one bit more.
const MADE: u64 = MET | 1;

/// The mark of one that no execution has met, and an OS thread outside of any program has used.
const OUTSIDE: u64 = 0xC5E;

/// The word of an object that was constructed, and not met or used since. It was drawn at random. Its first bits are no mark.
const CONSTRUCTED: u64 = 0x9B1E_73D8_60F4_A52D;

/// What a word in the memory of an annotated object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HintWord {
    /// An instrumented object that was constructed, and not met since.
    Constructed,
    /// The same, but an OS thread outside of any program has used it.
    UsedOutside,
    /// One that this execution has met.
    Met(FieldId),
    /// One that another execution has met.
    MetElsewhere,
    /// No hint.
    Other,
}

impl HintWord {
    /// What a word is in this execution.
    pub(super) fn of(bits: u64, execution: u64) -> Self {
        if bits == CONSTRUCTED {
            return Self::Constructed;
        }
        match bits >> MARK_SHIFT {
            MET | MADE => field_in(bits, execution).map_or(Self::MetElsewhere, Self::Met),
            OUTSIDE => Self::UsedOutside,
            _ => Self::Other,
        }
    }
}

/// A word of the execution with this number.
fn word(mark: u64, execution: u64, field: u64) -> u64 {
    mark << MARK_SHIFT | low(execution, NUMBER_BITS) << FIELD_BITS | field
}

fn low(bits: u64, count: u32) -> u64 {
    bits & ((1 << count) - 1)
}

/// The field in this execution, if the word is about it.
fn field_in(bits: u64, execution: u64) -> Option<FieldId> {
    let field = low(bits, FIELD_BITS);
    let is_it = bits == word(MET, execution, field) || bits == word(MADE, execution, field);
    is_it.then(|| FieldId::new(field as usize))
}

fn is_fresh(bits: u64) -> bool {
    bits == 0 || bits == CONSTRUCTED || bits >> MARK_SHIFT == OUTSIDE
}

impl LocationHint {
    /// A hint that says nothing.
    pub const fn new() -> Self {
        Self(AtomicU64::new(CONSTRUCTED))
    }

    /// Whether no execution has met the object since it was constructed.
    pub fn is_fresh(&self) -> bool {
        is_fresh(self.bits())
    }

    /// The number, of 32 bits, of the execution in which the object is new, if one alone has met it.
    pub(super) fn made_in(&self) -> Option<u64> {
        let bits = self.bits();
        (bits >> MARK_SHIFT == MADE).then(|| low(bits >> FIELD_BITS, NUMBER_BITS))
    }

    /// An OS thread outside of any program uses the object, before the execution with the number `next` has begun. What an execution has
    /// left there stays. Whether nobody has used it before.
    pub(super) fn mark_outside(&self, next: u64) -> bool {
        let mark = OUTSIDE << MARK_SHIFT | low(next, MARK_SHIFT);
        let replace = |unused| self.0.compare_exchange(unused, mark, Ordering::Relaxed, Ordering::Relaxed);
        replace(CONSTRUCTED).or_else(|_| replace(0)).is_ok()
    }

    /// Whether an OS thread outside of any program has used the object after this execution had begun, and no execution has met it.
    pub(super) fn is_used_outside_since(&self, execution: u64) -> bool {
        let bits = self.bits();
        bits >> MARK_SHIFT == OUTSIDE && low(bits, MARK_SHIFT) > execution
    }

    /// The field in this execution, if the hint is about it.
    pub(super) fn field(&self, execution: u64) -> Option<FieldId> {
        field_in(self.bits(), execution)
    }

    /// Remembers a field. One that does not fit is found by its address, as if another execution had met the object last. `is_made`: no
    /// execution has met the object before.
    pub(super) fn set(&self, execution: u64, field: FieldId, is_made: bool) {
        let mark = if is_made { MADE } else { MET };
        let bits = match field.index() {
            index if index < 1 << FIELD_BITS => word(mark, execution, index as u64),
            _ => word(MET, 0, 0),
        };
        self.0.store(bits, Ordering::Relaxed);
    }

    /// All that it says: of an object that was met, only operations of programs change that.
    pub(crate) fn bits(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

impl Default for LocationHint {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_told_from_other_words_and_says_whose_it_is() {
        let hint = LocationHint::new();
        let word = |execution| HintWord::of(hint.bits(), execution);
        assert_eq!((hint.is_fresh(), word(1)), (true, HintWord::Constructed));
        for is_made in [true, false] {
            hint.set(1, FieldId::new(7), is_made);
            assert_eq!((hint.is_fresh(), word(1)), (false, HintWord::Met(FieldId::new(7))));
            assert_eq!((word(0), word(2)), (HintWord::MetElsewhere, HintWord::MetElsewhere));
        }
        for other in
            [0, 1, u64::MAX, CONSTRUCTED + 1, 0x7FFF_FFFF_FFFF, 1.0_f64.to_bits(), (-1.0_f64).to_bits()]
        {
            assert_eq!(HintWord::of(other, 1), HintWord::Other, "{other:#x}");
        }
    }

    #[test]
    fn a_hint_of_zeros_is_fresh_and_a_field_that_does_not_fit_is_not_remembered() {
        let hint = LocationHint(AtomicU64::new(0));
        assert!(hint.is_fresh() && hint.field(1).is_none());
        hint.set(1, FieldId::new(1 << FIELD_BITS), true);
        assert!(!hint.is_fresh() && hint.field(1).is_none() && hint.made_in().is_none());
        assert_eq!(HintWord::of(hint.bits(), 1), HintWord::MetElsewhere);
    }

    #[test]
    fn a_use_outside_leaves_an_object_fresh_and_says_since_when() {
        for hint in [LocationHint::new(), LocationHint(AtomicU64::new(0))] {
            assert!(hint.is_fresh() && !hint.is_used_outside_since(0));
            assert!(hint.mark_outside(5));
            assert!(!hint.mark_outside(9));
            assert_eq!(HintWord::of(hint.bits(), 5), HintWord::UsedOutside);
            assert!(hint.is_fresh() && hint.field(5).is_none() && hint.made_in().is_none());
            assert_eq!(
                [3, 4, 5, 6].map(|number| hint.is_used_outside_since(number)),
                [true, true, false, false]
            );
            hint.set(6, FieldId::new(2), true);
            assert!(!hint.mark_outside(7) && !hint.is_used_outside_since(0));
            assert_eq!(
                (hint.is_fresh(), hint.field(6), hint.made_in()),
                (false, Some(FieldId::new(2)), Some(6))
            );
            hint.set(8, FieldId::new(3), false);
            assert_eq!((hint.field(8), hint.field(6), hint.made_in()), (Some(FieldId::new(3)), None, None));
        }
    }

    #[test]
    fn a_number_beyond_its_bits_leaves_the_mark_as_it_is() {
        let hint = LocationHint::new();
        let number = (1 << NUMBER_BITS) + 3;
        assert!(hint.mark_outside(number));
        assert_eq!([number - 1, number].map(|number| hint.is_used_outside_since(number)), [true, false]);
        hint.set(number, FieldId::new(1), true);
        assert_eq!((hint.field(number), hint.field(4)), (Some(FieldId::new(1)), None));
        assert_eq!(HintWord::of(hint.bits(), 4), HintWord::MetElsewhere);
    }
}
