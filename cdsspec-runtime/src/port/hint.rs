//! Which field of the current execution an instrumented object is.

use crate::record::FieldId;
use std::sync::atomic::{AtomicU64, Ordering};

/// Kept inside each instrumented object.
///
/// Its constructor, a `const fn`, leaves it `CONSTRUCTED`: not met by any execution. Then it says which execution met the object
/// last, and as which field. It moves with the object, so a moved object keeps its identity. An object that several executions
/// share (a static, with tests in parallel) has the hint of one of them; the others find it by its address.
///
/// All of these are told from other data, so that they can be looked for in the memory of an annotated object: `CONSTRUCTED` is a
/// word that nothing else holds, and the numbers of executions begin with `MARK`.
#[derive(Debug)]
pub struct LocationHint(AtomicU64);

/// Bits for the field; the rest is the number of the execution.
const FIELD_BITS: u32 = 20;

/// The twelve highest bits of the number of an execution, so of a hint that one has met: no pointer begins with them, and few other
/// values do.
const MARK: u64 = 0xC5D;

/// Where the mark stands in a hint.
const MARK_SHIFT: u32 = 52;

/// The number of the first execution of the process.
pub(super) const FIRST_EXECUTION: u64 = (MARK << (MARK_SHIFT - FIELD_BITS)) + 1;

/// The word of an object that was constructed, and not met since. It was drawn at random. Its first bits are not `MARK`.
const CONSTRUCTED: u64 = 0x9B1E_73D8_60F4_A52D;

/// What a word in the memory of an annotated object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HintWord {
    /// An instrumented object that was constructed, and not met since.
    Constructed,
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
            Self::Constructed
        } else if bits >> FIELD_BITS == execution {
            Self::Met(field(bits))
        } else if bits >> MARK_SHIFT == MARK {
            Self::MetElsewhere
        } else {
            Self::Other
        }
    }
}

fn field(bits: u64) -> FieldId {
    FieldId::new((bits & ((1 << FIELD_BITS) - 1)) as usize)
}

impl LocationHint {
    /// A hint that says nothing.
    pub const fn new() -> Self {
        Self(AtomicU64::new(CONSTRUCTED))
    }

    /// Whether no execution has met the object since it was constructed. What std says may be made of zeros, is so.
    pub fn is_fresh(&self) -> bool {
        matches!(self.0.load(Ordering::Relaxed), 0 | CONSTRUCTED)
    }

    /// The field in this execution, if the hint is about it.
    pub(super) fn field(&self, execution: u64) -> Option<FieldId> {
        let bits = self.0.load(Ordering::Relaxed);
        (bits >> FIELD_BITS == execution).then(|| field(bits))
    }

    /// Remembers a field. One that does not fit is found by its address, as if another execution had met the object last.
    pub(super) fn set(&self, execution: u64, field: FieldId) {
        let bits = match field.index() {
            index if index < 1 << FIELD_BITS => execution << FIELD_BITS | index as u64,
            _ => (FIRST_EXECUTION - 1) << FIELD_BITS,
        };
        self.0.store(bits, Ordering::Relaxed);
    }

    /// All that it says: only operations on the object change that.
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
        let word = |execution| HintWord::of(hint.0.load(Ordering::Relaxed), execution);
        assert_eq!((hint.is_fresh(), word(FIRST_EXECUTION)), (true, HintWord::Constructed));
        hint.set(FIRST_EXECUTION, FieldId::new(7));
        assert_eq!((hint.is_fresh(), word(FIRST_EXECUTION)), (false, HintWord::Met(FieldId::new(7))));
        assert_eq!(word(FIRST_EXECUTION + 1), HintWord::MetElsewhere);
        for other in
            [0, 1, u64::MAX, CONSTRUCTED + 1, 0x7FFF_FFFF_FFFF, 1.0_f64.to_bits(), (-1.0_f64).to_bits()]
        {
            assert_eq!(HintWord::of(other, FIRST_EXECUTION), HintWord::Other, "{other:#x}");
        }
    }

    #[test]
    fn a_hint_of_zeros_is_fresh_and_a_field_that_does_not_fit_is_not_remembered() {
        let hint = LocationHint(AtomicU64::new(0));
        assert!(hint.is_fresh() && hint.field(FIRST_EXECUTION).is_none());
        hint.set(FIRST_EXECUTION, FieldId::new(1 << FIELD_BITS));
        assert!(!hint.is_fresh() && hint.field(FIRST_EXECUTION).is_none());
    }
}
