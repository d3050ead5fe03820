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
    use super::*;
    use crate::sync;
    use std::time::Duration;

    #[test]
    fn who_comes_to_write_while_a_guard_is_downgraded_waits() {
        let (lock, downgrading) = (RwLock::new(()), Downgrading(AtomicBool::new(true)));
        assert!(matches!(downgrading.try_write(&lock), Err(TryLockError::WouldBlock)));
        let has_written = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _writes = downgrading.write(&lock);
                has_written.store(true, SeqCst);
            });
            std::thread::sleep(Duration::from_millis(20));
            assert!(!has_written.load(SeqCst), "it has the lock that another downgrades");
            downgrading.0.store(false, SeqCst);
        });
        assert!(has_written.load(SeqCst) && downgrading.try_write(&lock).is_ok());
    }

    #[test]
    fn what_was_written_is_read_after_a_downgrade() {
        const ROUNDS: u32 = 2_000;
        let lock = sync::RwLock::new(0);
        let write = || {
            for _ in 0..ROUNDS {
                let mut writes = lock.write().unwrap();
                *writes += 1;
                let written = *writes;
                assert_eq!(*sync::RwLockWriteGuard::downgrade(writes), written);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(write);
            scope.spawn(write);
        });
        assert_eq!(*lock.read().unwrap(), 2 * ROUNDS);
    }
}
