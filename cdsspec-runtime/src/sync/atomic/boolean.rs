//! `AtomicBool`.

use super::order;
use crate::port::{here, in_our_frame};
use crate::record::{OperationName, Orders, Place, ValueKind, operation_name};
use crate::sync::target::Target;
use std::sync::atomic::Ordering;

atomic! {
    /// std's `AtomicBool`, instrumented.
    AtomicBool, bool, ValueKind::Bool,
    to_bits: u64::from, from_bits: |bits: u64| bits != 0
}

updates! { AtomicBool, bool, to_bits: u64::from, from_bits: |bits: u64| bits != 0,
    /// Logical "and"; returns the value before.
    fetch_and => |old, value| old & value;
    /// Logical "nand"; returns the value before.
    fetch_nand => |old, value| !(old & value);
    /// Logical "or"; returns the value before.
    fetch_or => |old, value| old | value;
    /// Logical "xor"; returns the value before.
    fetch_xor => |old, value| old ^ value;
}

impl AtomicBool {
    /// Logical "not"; returns the value before.
    #[inline(always)]
    #[track_caller]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        self.read_modify_write(operation_name!("fetch_not", Update), order, 1, |old, mask| old ^ mask)
            .unwrap_or_else(|| self.value.fetch_not(order))
    }
}

impl Default for AtomicBool {
    fn default() -> Self {
        Self::new(false)
    }
}
