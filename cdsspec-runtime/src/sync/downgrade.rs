//! `RwLockWriteGuard::downgrade` on std's lock, outside of executions. std's own is newer than the minimum Rust version.

use super::{LockResult, PoisonError, TryLockError, TryLockResult};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Whether the one who wrote is about to read. It lets go of the lock in between, and one who then gets it to write gives it back: so nobody
/// writes in between.
///
/// Only one who has the lock to write sets it, and only the same thread takes it back, when it reads: meanwhile all others give the lock back.
pub(super) struct Downgrading(AtomicBool);

impl Downgrading {
    pub(super) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    pub(super) fn downgrade<'a>(
        &self,
        lock: &'a RwLock<()>,
        writes: RwLockWriteGuard<'a, ()>,
    ) -> RwLockReadGuard<'a, ()> {
        self.0.store(true, SeqCst);
        drop(writes);
        let reads = lock.read().unwrap_or_else(PoisonError::into_inner);
        self.0.store(false, SeqCst);
        reads
    }

    pub(super) fn write<'a>(&self, lock: &'a RwLock<()>) -> LockResult<RwLockWriteGuard<'a, ()>> {
        loop {
            let writes = lock.write();
            if !self.0.load(SeqCst) {
                return writes;
            }
            drop(writes);
            std::thread::yield_now();
        }
    }

    pub(super) fn try_write<'a>(&self, lock: &'a RwLock<()>) -> TryLockResult<RwLockWriteGuard<'a, ()>> {
        let writes = lock.try_write();
        if self.0.load(SeqCst) { Err(TryLockError::WouldBlock) } else { writes }
    }
}

#[cfg(test)]
mod tests {
    use crate::sync::{RwLock, RwLockWriteGuard};

    #[test]
    fn nobody_writes_while_a_guard_is_downgraded() {
        const ROUNDS: u32 = 2_000;
        let lock = RwLock::new(0);
        let write = || {
            for _ in 0..ROUNDS {
                let mut writes = lock.write().unwrap();
                *writes += 1;
                let written = *writes;
                assert_eq!(*RwLockWriteGuard::downgrade(writes), written);
            }
        };
        let try_write = || {
            for _ in 0..ROUNDS {
                *lock.write().unwrap() += 1;
                if let Ok(mut writes) = lock.try_write() {
                    *writes -= 1;
                } else {
                    *lock.write().unwrap() -= 1;
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(write);
            scope.spawn(write);
            scope.spawn(try_write);
        });
        assert_eq!(*lock.read().unwrap(), 2 * ROUNDS);
    }
}
