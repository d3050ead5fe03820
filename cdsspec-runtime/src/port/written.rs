//! What a test does as it is written, unless that is left out.

use super::with;

/// Whether a statement of the test is made.
pub fn is_made(statement: usize) -> bool {
    with(|execution| execution.omission().statements.get(statement) != Some(&true)).unwrap_or(true)
}

/// A number of the test, or what it is replaced by.
pub fn number<N: Number>(index: usize, written: N) -> N {
    let replaced = with(|execution| execution.omission().numbers.get(index).copied().flatten());
    replaced.flatten().and_then(N::of).unwrap_or(written)
}

/// What a whole number in a source may be.
pub trait Number: Sized {
    /// The number with this value, if there is one.
    fn of(value: i128) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Number for $number {
            fn of(value: i128) -> Option<Self> {
                value.try_into().ok()
            }
        }
    )*};
}

numbers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
