//! `Notify`.

use super::signal::Signal;
use crate::port::here;
use crate::record::{Orders, operation_name};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// loom's `Notify`: [`wait`](Self::wait) waits for a [`notify`](Self::notify), and takes it. What happens before the one happens before what
/// comes after the other. A wait may end without a reason, as that of [`park`](crate::thread::park).
pub struct Notify {
    signal: Signal,
    /// At most one thread waits.
    is_waiting: AtomicBool,
}

impl Notify {
    /// One that was not notified.
    pub const fn new() -> Self {
        Self { signal: Signal::new(), is_waiting: AtomicBool::new(false) }
    }

    /// Lets who waits go on; or who will, if nobody does.
    #[inline(always)]
    #[track_caller]
    pub fn notify(&self) {
        self.signal.set(here(operation_name!("notify"), Orders::None));
    }

    /// Waits until it is notified.
    ///
    /// # Panics
    /// If another thread waits.
    #[inline(always)]
    #[track_caller]
    pub fn wait(&self) {
        let was_waiting = self.is_waiting.swap(true, Ordering::SeqCst);
        assert!(!was_waiting, "only a single thread may wait on `Notify`");
        self.signal.wait(here(operation_name!("wait"), Orders::None));
        self.is_waiting.store(false, Ordering::SeqCst);
    }
}

impl Default for Notify {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Notify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notify").finish_non_exhaustive()
    }
}
