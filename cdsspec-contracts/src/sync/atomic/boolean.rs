//! `AtomicBool`.

use super::order;
use crate::threads::order::{Order, for_order};
use std::sync::atomic::Ordering;

atomic! {
    /// std's `AtomicBool`, with a clock.
    AtomicBool, bool
}

updates! { AtomicBool, bool,
    /// Logical "and"; returns the value before.
    fetch_and;
    /// Logical "nand"; returns the value before.
    fetch_nand;
    /// Logical "or"; returns the value before.
    fetch_or;
    /// Logical "xor"; returns the value before.
    fetch_xor;
}

impl AtomicBool {
    /// Logical "not"; returns the value before.
    #[inline(always)]
    #[track_caller]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        self.fetch_xor(true, order)
    }
}

impl Default for AtomicBool {
    fn default() -> Self {
        Self::new(false)
    }
}
