//! Where contracts on real threads learn what time it is: the one thing that they do not know by themselves.

use crate::{Clock, Epoch, Mark, ThreadIndex, Violation};
use std::sync::OnceLock;

/// The moment of the running thread.
#[derive(Clone, Debug)]
pub struct Now {
    /// The running thread.
    pub thread: ThreadIndex,
    /// What happens before this moment, in which the thread's own step is that of the moment.
    pub clock: Clock,
    /// What is to be remembered of it.
    pub mark: Mark,
}

impl Now {
    /// The moment by itself.
    pub fn epoch(&self) -> Epoch {
        Epoch { thread: self.thread, step: self.clock.get(self.thread) }
    }
}

/// Who knows which thread runs and what happens before, and what is done about a violation. The instrumented types of this crate are to be one.
///
/// # What must hold
/// - Each thread that runs has an index of its own, and its own step only grows.
/// - What a thread releases has the step that the thread had then, and from then on the thread's step is larger. So a moment after a release is
///   in no clock that has only seen that release.
pub trait Provider: Sync {
    /// The moment at which the running thread is.
    fn now(&self) -> Now;

    /// Whether contracts are looked at.
    fn is_on(&self) -> bool {
        true
    }

    /// The running thread comes after a moment, and what happens before that.
    fn come_after(&self, _moment: Epoch, _before: &Clock) {}

    /// A condition of a contract does not hold.
    fn violated(&self, violation: &Violation<'_>);
}

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
    current().clock
}

pub(crate) fn provider() -> &'static dyn Provider {
    PROVIDER.get().copied().unwrap_or(DEFAULT)
}

/// Who knows, if nobody was told.
#[cfg(feature = "threads")]
const DEFAULT: &dyn Provider = &crate::threads::RealThreads;
#[cfg(not(feature = "threads"))]
const DEFAULT: &dyn Provider = &OneThread;

/// All is one thread, and a violation panics.
#[cfg(not(feature = "threads"))]
struct OneThread;

#[cfg(not(feature = "threads"))]
thread_local! {
    static STEP: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

#[cfg(not(feature = "threads"))]
impl Provider for OneThread {
    fn now(&self) -> Now {
        let (thread, mut clock) = (ThreadIndex(0), Clock::new());
        let step = STEP.get() + 1;
        STEP.set(step);
        clock.include(Epoch { thread, step });
        Now { thread, clock, mark: Mark::default() }
    }

    fn violated(&self, violation: &Violation<'_>) {
        panic!("{violation}");
    }
}
