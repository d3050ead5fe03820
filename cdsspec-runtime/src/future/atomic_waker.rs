//! `AtomicWaker`.

use crate::sync::{Mutex, PoisonError, TryLockError};
use crate::thread;
use std::fmt;
use std::task::Waker;

/// A place for one waker, which several threads may wake, and one at a time registers at: as loom's, and by its contract as that of the crates
/// futures and tokio. If a waker is registered while another thread takes the one before, the new one is woken at once.
#[derive(Default)]
pub struct AtomicWaker {
    waker: Mutex<Option<Waker>>,
}

impl AtomicWaker {
    /// Without a waker.
    pub const fn new() -> Self {
        Self { waker: Mutex::new(None) }
    }

    /// Keeps this waker, to be woken by the next [`wake`](Self::wake), in place of the one before.
    #[inline(always)]
    #[track_caller]
    pub fn register(&self, waker: Waker) {
        let old = match self.waker.try_lock() {
            Ok(mut kept) => kept.replace(waker),
            Err(TryLockError::Poisoned(kept)) => kept.into_inner().replace(waker),
            Err(TryLockError::WouldBlock) => {
                waker.wake();
                // Who takes the waker is to go on.
                thread::yield_now();
                return;
            }
        };
        drop(old);
    }

    /// The same with a clone of it.
    #[inline(always)]
    #[track_caller]
    pub fn register_by_ref(&self, waker: &Waker) {
        self.register(waker.clone());
    }

    /// Wakes the waker that was registered last, if it was not taken.
    #[inline(always)]
    #[track_caller]
    pub fn wake(&self) {
        if let Some(waker) = self.take_waker() {
            waker.wake();
        }
    }

    /// Takes the waker that was registered last, to wake it later.
    #[inline(always)]
    #[track_caller]
    pub fn take_waker(&self) -> Option<Waker> {
        self.waker.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for AtomicWaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicWaker").finish_non_exhaustive()
    }
}
