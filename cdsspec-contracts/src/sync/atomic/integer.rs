//! Atomic integers.

use super::order;
use crate::threads::order::{Order, for_order};
use std::sync::atomic::Ordering;

macro_rules! integers {
    ($($name:ident $integer:ident;)*) => {$(
        atomic! {
            #[doc = concat!("std's `", stringify!($name), "`, with a clock.")]
            $name, $integer
        }

        updates! { $name, $integer,
            /// Adds, wrapping around; returns the value before.
            fetch_add;
            /// Subtracts, wrapping around; returns the value before.
            fetch_sub;
            /// Bitwise "and"; returns the value before.
            fetch_and;
            /// Bitwise "nand"; returns the value before.
            fetch_nand;
            /// Bitwise "or"; returns the value before.
            fetch_or;
            /// Bitwise "xor"; returns the value before.
            fetch_xor;
            /// The larger of the two; returns the value before.
            fetch_max;
            /// The smaller of the two; returns the value before.
            fetch_min;
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new(0)
            }
        }
    )*};
}

integers! {
    AtomicI8 i8;
    AtomicI16 i16;
    AtomicI32 i32;
    AtomicI64 i64;
    AtomicIsize isize;
    AtomicU8 u8;
    AtomicU16 u16;
    AtomicU32 u32;
    AtomicU64 u64;
    AtomicUsize usize;
}
