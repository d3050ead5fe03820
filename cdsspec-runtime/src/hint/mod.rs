//! std's `hint`, instrumented.

use crate::port::{here, with};
use crate::record::Orders;

pub use std::hint::{assert_unchecked, black_box, unreachable_unchecked};

/// std's `spin_loop`. For an engine: the thread can do nothing useful until another has done something.
#[inline(always)]
#[track_caller]
pub fn spin_loop() {
    let place = here("spin_loop", Orders::None);
    if with(|execution| execution.port().yield_now(place)).is_none() {
        std::hint::spin_loop();
    }
}
