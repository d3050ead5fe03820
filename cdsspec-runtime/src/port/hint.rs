//! Which location of the current execution an instrumented object is.

use crate::record::LocationId;
use std::sync::atomic::{AtomicU64, Ordering};

/// Kept inside each instrumented object, where its constructor, a `const fn`, leaves it 0.
///
/// It says which execution used the object last, and as which location. 0 means: constructed, and not used since. It moves
/// with the object, so a moved object keeps its identity. An object that several executions share (a static, with tests in
/// parallel) has the hint of one of them; the others find it by its address.
#[derive(Debug)]
pub struct LocationHint(AtomicU64);

/// Bits for the location; above them is the number of the execution.
const LOCATION_BITS: u32 = 20;

/// The execution that it says was the first to use the object: it was made there, or not used before.
const MADE_BIT: u64 = 1 << 62;

/// No execution has used the object, but an OS thread outside of any program has; the number is that of the next execution then.
const OUTSIDE_BIT: u64 = 1 << 63;

impl LocationHint {
    /// A hint that says nothing.
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Whether no execution has used the object since it was constructed.
    pub fn is_fresh(&self) -> bool {
        let bits = self.0.load(Ordering::Relaxed);
        bits == 0 || bits & OUTSIDE_BIT != 0
    }

    /// The execution in which the object is new, if it is known in one.
    pub(super) fn made_in(&self) -> Option<u64> {
        let bits = self.0.load(Ordering::Relaxed);
        (bits & (OUTSIDE_BIT | MADE_BIT) == MADE_BIT).then_some((bits & !MADE_BIT) >> LOCATION_BITS)
    }

    /// An OS thread outside of any program uses the object, before the execution with the number `next` has begun. What an execution has
    /// left there stays. Whether nobody has used it before.
    pub(super) fn mark_outside(&self, next: u64) -> bool {
        let mark = OUTSIDE_BIT | next << LOCATION_BITS;
        self.0.compare_exchange(0, mark, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Whether an OS thread outside of any program has used the object after this execution had begun, and no execution has.
    pub(super) fn is_used_outside_since(&self, execution: u64) -> bool {
        let bits = self.0.load(Ordering::Relaxed);
        bits & OUTSIDE_BIT != 0 && (bits & !OUTSIDE_BIT) >> LOCATION_BITS > execution
    }

    /// The location in this execution, if the hint is about it.
    pub(super) fn location(&self, execution: u64) -> Option<LocationId> {
        let bits = self.0.load(Ordering::Relaxed);
        let location = bits & ((1 << LOCATION_BITS) - 1);
        ((bits & !MADE_BIT) >> LOCATION_BITS == execution).then(|| LocationId::new(location as usize))
    }

    /// Remembers a location. Executions are numbered from 1. `is_made`: no execution has used the object before.
    pub(super) fn set(&self, execution: u64, location: LocationId, is_made: bool) {
        // A location that does not fit is found by its address.
        if location.index() < 1 << LOCATION_BITS {
            let made = if is_made { MADE_BIT } else { 0 };
            self.0.store(made | execution << LOCATION_BITS | location.index() as u64, Ordering::Relaxed);
        }
    }

    /// Makes it fresh: the next use is that of a new object.
    pub(crate) fn forget(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    pub(super) fn address(&self) -> usize {
        std::ptr::from_ref(self).expose_provenance()
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
    fn a_use_outside_leaves_an_object_fresh_and_says_since_when() {
        let hint = LocationHint::new();
        assert!(hint.is_fresh() && !hint.is_used_outside_since(0));
        assert!(hint.mark_outside(5));
        assert!(hint.is_fresh() && hint.location(5).is_none() && hint.made_in().is_none());
        assert_eq!([3, 4, 5, 6].map(|number| hint.is_used_outside_since(number)), [true, true, false, false]);
        hint.set(6, LocationId::new(2), true);
        assert!(!hint.mark_outside(7));
        assert_eq!(
            (hint.is_fresh(), hint.location(6), hint.made_in()),
            (false, Some(LocationId::new(2)), Some(6))
        );
        hint.set(8, LocationId::new(3), false);
        assert_eq!(
            (hint.location(8), hint.location(6), hint.made_in()),
            (Some(LocationId::new(3)), None, None)
        );
    }
}
