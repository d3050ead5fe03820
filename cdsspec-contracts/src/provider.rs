//! Where contracts on real threads learn what time it is: the one thing that they do not know by themselves.

use crate::{Clock, Epoch, ThreadIndex, Violation};
use std::cell::Cell;
use std::sync::OnceLock;

/// The moment of the running thread.
#[derive(Clone, Debug)]
pub struct Now {
    /// The running thread.
    pub thread: ThreadIndex,
    /// What happens before this moment, in which the thread's own step is that of the moment.
    pub clock: Clock,
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

    /// A condition of a contract does not hold.
    fn violated(&self, violation: &Violation<'_>);
}

static PROVIDER: OnceLock<&'static dyn Provider> = OnceLock::new();

/// Says who knows, once a process. Before that, and without it, all is one thread.
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
    PROVIDER.get().copied().unwrap_or(&OneThread)
}

/// All is one thread, and a violation panics.
struct OneThread;

thread_local! {
    static STEP: Cell<u64> = const { Cell::new(0) };
}

impl Provider for OneThread {
    fn now(&self) -> Now {
        let (thread, mut clock) = (ThreadIndex(0), Clock::new());
        let step = STEP.get() + 1;
        STEP.set(step);
        clock.include(Epoch { thread, step });
        Now { thread, clock }
    }

    fn violated(&self, violation: &Violation<'_>) {
        panic!("{violation}");
    }
}
