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

/// Bits for the location; the rest is the number of the execution.
const LOCATION_BITS: u32 = 20;

impl LocationHint {
    /// A hint that says nothing.
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Whether the object was not used since it was constructed.
    pub fn is_fresh(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// The location in this execution, if the hint is about it.
    pub(super) fn location(&self, execution: u64) -> Option<LocationId> {
        let bits = self.0.load(Ordering::Relaxed);
        let location = bits & ((1 << LOCATION_BITS) - 1);
        (bits >> LOCATION_BITS == execution).then(|| LocationId::new(location as usize))
    }

    /// Remembers a location. Executions are numbered from 1.
    pub(super) fn set(&self, execution: u64, location: LocationId) {
        // A location that does not fit is found by its address.
        if location.index() < 1 << LOCATION_BITS {
            self.0.store(execution << LOCATION_BITS | location.index() as u64, Ordering::Relaxed);
        }
    }

    /// Makes it fresh: the next use is that of a new object.
    pub(crate) fn forget(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// All that it says: only operations on the object change that.
    pub(crate) fn bits(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
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
