//! `dyn_arc!`.

/// Turns an `Arc<T>` into an `Arc<dyn Trait>`, or an `Arc<[T; N]>` into an `Arc<[T]>`: `dyn_arc!(arc => dyn Trait)`.
///
/// std's `Arc` does that by itself. One that is instrumented cannot on a stable compiler, where the trait for it (`CoerceUnsized`) is open to std
/// alone. This does it in every build. `Arc::from` of a `Box<dyn Trait>`, `Vec`, `String` and the like does, too, and moves the value.
///
/// ```
/// # #![forbid(unsafe_code)]
/// use cdsspec::sync::Arc;
/// use std::fmt::Display;
///
/// let number = Arc::new(5);
/// let shown: Arc<dyn Display + Send + Sync> = cdsspec::dyn_arc!(number.clone() => dyn Display + Send + Sync);
/// assert_eq!(format!("{number} {shown} {}", Arc::strong_count(&number)), "5 5 2");
/// let numbers: Arc<[i32]> = cdsspec::dyn_arc!(Arc::new([1, 2]) => [i32]);
/// assert_eq!(numbers.len(), 2);
/// ```
///
/// Only what the compiler turns a pointer into by itself is taken:
///
/// ```compile_fail
/// # use cdsspec::sync::Arc;
/// let other = cdsspec::dyn_arc!(Arc::new(5_u8) => u16);
/// ```
#[macro_export]
macro_rules! dyn_arc {
    ($arc:expr => $target:ty) => {{
        let pointer = $crate::sync::Arc::into_raw($arc);
        // A coercion, no cast: only from `T` to an unsized form of it.
        let pointer: *const $target = pointer;
        // SAFETY: the pointer is that of a handle, to the same value.
        unsafe { $crate::sync::Arc::<$target>::from_raw(pointer) }
    }};
}
