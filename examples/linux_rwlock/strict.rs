//! The specification that one writes first: a trylock fails only if somebody holds the lock. It does not hold: of two that race, one may
//! fail because of the other, which fails, too, or is not there any more (CDSSpec, section 6.1).

use crate::linux_rwlock::RwLock;

/// A lock whose trylock must not fail for nothing.
pub(crate) struct StrictRwLock {
    lock: RwLock,
}

#[cdsspec::spec]
#[declare_state(is_held: bool)]
impl StrictRwLock {
    /// A lock that is free.
    pub(crate) const fn new() -> Self {
        Self { lock: RwLock::new() }
    }

    /// Takes the lock for writing, if nobody holds it.
    #[side_effect(!std::mem::replace(is_held, true))]
    pub(crate) fn write_trylock(&self) -> bool {
        #[op_define]
        self.lock.write_trylock()
    }

    /// Gives back a lock that the caller holds.
    #[pre_condition(*is_held)]
    #[side_effect(*is_held = false)]
    pub(crate) fn write_unlock(&self) {
        #[op_define]
        self.lock.write_unlock();
    }
}
