//! Operations in another module than the one that uses them.

use cdsspec_runtime::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Release};

pub(crate) fn raise(flag: &AtomicUsize) {
    flag.store(1, Release);
}

pub(crate) fn is_up(flag: &AtomicUsize) -> bool {
    flag.load(Acquire) == 1
}
