//! `std::hint`.

pub use cdsspec_runtime::hint::{assert_unchecked, black_box, cold_path, select_unpredictable, spin_loop};

/// std's `unreachable_unchecked`, which panics.
///
/// # Safety
/// It is safe to reach it here, but not where it is std's.
///
/// # Panics
/// Always.
#[track_caller]
pub unsafe fn unreachable_unchecked() -> ! {
    unreachable!("unreachable_unchecked was reached!");
}
