//! std's `hint`, instrumented.

use crate::port::{here, with};
use crate::record::{Orders, operation_name};

pub use std::hint::{assert_unchecked, black_box, select_unpredictable, unreachable_unchecked};

/// std's `cold_path`: who calls it is seldom there. std's own is newer than the minimum Rust version.
#[cold]
#[inline]
pub const fn cold_path() {}

/// std's `spin_loop`. For an engine: the thread can do nothing useful until another has done something.
#[inline(always)]
#[track_caller]
pub fn spin_loop() {
    let place = here(operation_name!("spin_loop"), Orders::None);
    if with(|execution| execution.port().yield_now(place)).is_none() {
        std::hint::spin_loop();
    }
}
