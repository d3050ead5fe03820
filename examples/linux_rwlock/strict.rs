//! The specification that one writes first: a trylock fails only if somebody holds the lock, or takes it or gives it back at that time. It does
//! not hold (CDSSpec, section 6.1): one that fails has subtracted, and not yet added again, while nobody holds the lock any more; whoever
//! tries then, fails because of it.

use cdsspec::sync::atomic::AtomicI32;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// The lock, for writers alone, whose trylock must not fail for nothing.
pub(crate) struct StrictRwLock {
    /// 1, less 1 for each writer.
    free: AtomicI32,
}

#[cdsspec::spec]
#[declare_state(is_held: bool)]
impl StrictRwLock {
    /// A lock that is free.
    pub(crate) const fn new() -> Self {
        Self { free: AtomicI32::new(1) }
    }

    /// Takes the lock for writing, if nobody holds it.
    #[pre_condition(c_ret != *is_held || !c_ret && (concurrent.write_trylock().any(|other| other.c_ret)
        || concurrent.write_unlock().any(|_| true)))]
    #[side_effect(*is_held |= c_ret)]
    pub(crate) fn write_trylock(&self) -> bool {
        #[op_define]
        let free = self.free.fetch_sub(1, Acquire);
        if free == 1 {
            return true;
        }
        self.free.fetch_add(1, Relaxed);
        false
    }

    /// Gives back a lock that the caller holds.
    #[pre_condition(*is_held)]
    #[side_effect(*is_held = false)]
    pub(crate) fn write_unlock(&self) {
        #[op_define]
        self.free.fetch_add(1, Release);
    }
}
