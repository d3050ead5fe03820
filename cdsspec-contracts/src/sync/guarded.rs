//! What a lock guards: a value, and what was released with it.

use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use crate::Clock;

/// The value of a lock beside what was released when it was last unlocked. Whoever has the lock has both.
pub(super) struct Guarded<T: ?Sized> {
    pub(super) released: Clock,
    pub(super) value: T,
}

impl<T> Guarded<T> {
    pub(super) const fn new(value: T) -> Self {
        Self { released: Clock::new(), value }
    }
}

/// What std's lock gave, as ours, poisoned or not.
pub(super) fn map<G, H>(result: LockResult<G>, f: impl FnOnce(G) -> H) -> LockResult<H> {
    match result {
        Ok(guard) => Ok(f(guard)),
        Err(poisoned) => Err(PoisonError::new(f(poisoned.into_inner()))),
    }
}

/// The same for a lock that may have been taken.
pub(super) fn try_map<G, H>(result: TryLockResult<G>, f: impl FnOnce(G) -> H) -> TryLockResult<H> {
    match result {
        Ok(guard) => Ok(f(guard)),
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
        Err(TryLockError::Poisoned(poisoned)) => {
            Err(TryLockError::Poisoned(PoisonError::new(f(poisoned.into_inner()))))
        }
    }
}
