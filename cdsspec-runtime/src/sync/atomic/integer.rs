//! Atomic integers.

use super::order;
use crate::port::{here, in_our_frame};
use crate::record::{OperationName, Orders, Place, ValueKind, operation_name};
use crate::sync::target::Target;
use std::sync::atomic::Ordering;

macro_rules! integers {
    ($($name:ident $integer:ident $kind:ident;)*) => {$(
        atomic! {
            #[doc = concat!("std's `", stringify!($name), "`, instrumented.")]
            $name, $integer, ValueKind::$kind(stringify!($integer)),
            to_bits: |value: $integer| value as u64, from_bits: |bits: u64| bits as $integer
        }

        updates! { $name, $integer,
            to_bits: |value: $integer| value as u64, from_bits: |bits: u64| bits as $integer,
            /// Adds, wrapping around; returns the value before.
            fetch_add => |old, value| old.wrapping_add(value);
            /// Subtracts, wrapping around; returns the value before.
            fetch_sub => |old, value| old.wrapping_sub(value);
            /// Bitwise "and"; returns the value before.
            fetch_and => |old, value| old & value;
            /// Bitwise "nand"; returns the value before.
            fetch_nand => |old, value| !(old & value);
            /// Bitwise "or"; returns the value before.
            fetch_or => |old, value| old | value;
            /// Bitwise "xor"; returns the value before.
            fetch_xor => |old, value| old ^ value;
            /// The larger of the two; returns the value before.
            fetch_max => |old, value| old.max(value);
            /// The smaller of the two; returns the value before.
            fetch_min => |old, value| old.min(value);
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new(0)
            }
        }
    )*};
}

// Signed values are sign-extended to 64 bits, as `as` does.
integers! {
    AtomicI8 i8 Signed;
    AtomicI16 i16 Signed;
    AtomicI32 i32 Signed;
    AtomicI64 i64 Signed;
    AtomicIsize isize Signed;
    AtomicU8 u8 Unsigned;
    AtomicU16 u16 Unsigned;
    AtomicU32 u32 Unsigned;
    AtomicU64 u64 Unsigned;
    AtomicUsize usize Unsigned;
}
