//! What std has deprecated.

use super::{park_timeout, sleep};
use std::time::Duration;

/// [`sleep`] of so many milliseconds.
#[deprecated(note = "use `thread::sleep` instead")]
pub fn sleep_ms(ms: u32) {
    sleep(Duration::from_millis(u64::from(ms)));
}

/// [`park_timeout`] of so many milliseconds.
#[deprecated(note = "use `thread::park_timeout` instead")]
pub fn park_timeout_ms(ms: u32) {
    park_timeout(Duration::from_millis(u64::from(ms)));
}
