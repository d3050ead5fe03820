//! Who knows what time it is, in this process.

use crate::{Clock, Now, Provider};
use std::sync::OnceLock;

static PROVIDER: OnceLock<&'static dyn Provider> = OnceLock::new();

/// Says who knows, once a process. Before that, and without it, the types of the feature `threads` do; without that, all is one thread.
///
/// # Errors
/// The one that is told, if there is one already.
pub fn provide(provider: &'static dyn Provider) -> Result<(), &'static dyn Provider> {
    PROVIDER.set(provider).map_err(|_| provider)
}

/// The moment at which the running thread is.
pub fn current() -> Now {
    provider().now()
}

/// What happens before the moment at which the running thread is.
pub fn current_clock() -> Clock {
    Clock::clone(&current().clock)
}

pub(crate) fn provider() -> &'static dyn Provider {
    PROVIDER.get().copied().unwrap_or(DEFAULT)
}

/// Who knows, if nobody was told.
#[cfg(feature = "threads")]
const DEFAULT: &dyn Provider = &crate::threads::RealThreads;
#[cfg(not(feature = "threads"))]
const DEFAULT: &dyn Provider = &one_thread::OneThread;

#[cfg(not(feature = "threads"))]
mod one_thread {
    use crate::{Clock, Epoch, Mark, Now, Provider, ThreadIndex, Violation};
    use std::cell::Cell;
    use std::sync::Arc;

    /// All is one thread, and a violation panics.
    pub(super) struct OneThread;

    thread_local! {
        static STEP: Cell<u64> = const { Cell::new(0) };
    }

    impl Provider for OneThread {
        fn now(&self) -> Now {
            let (thread, mut clock) = (ThreadIndex(0), Clock::new());
            let step = STEP.get() + 1;
            STEP.set(step);
            clock.include(Epoch { thread, step });
            Now { thread, clock: Arc::new(clock), mark: Mark::default() }
        }

        fn violated(&self, violation: &Violation<'_>) {
            panic!("{violation}");
        }
    }
}
