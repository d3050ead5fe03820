//! Which memory orders an operation may have, as std has it.

use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release};

#[inline(always)]
#[track_caller]
pub(super) fn check_load(order: Ordering) {
    match order {
        Release => panic!("there is no such thing as a release load"),
        AcqRel => panic!("there is no such thing as an acquire-release load"),
        _ => {}
    }
}

#[inline(always)]
#[track_caller]
pub(super) fn check_store(order: Ordering) {
    match order {
        Acquire => panic!("there is no such thing as an acquire store"),
        AcqRel => panic!("there is no such thing as an acquire-release store"),
        _ => {}
    }
}

#[inline(always)]
#[track_caller]
pub(super) fn check_failure(order: Ordering) {
    match order {
        Release => panic!("there is no such thing as a release failure ordering"),
        AcqRel => panic!("there is no such thing as an acquire-release failure ordering"),
        _ => {}
    }
}

#[inline(always)]
#[track_caller]
pub(super) fn check_fence(order: Ordering) {
    if order == Relaxed {
        panic!("there is no such thing as a relaxed fence");
    }
}
