//! Where contracts on real threads learn what time it is: the one thing that they do not know by themselves.

use crate::{Clock, Condition, Contract, Epoch, Mark, ThreadIndex, Violation};
use std::sync::Arc;

/// The moment of the running thread.
#[derive(Clone, Debug)]
pub struct Now {
    /// The running thread.
    pub thread: ThreadIndex,
    /// What happens before this moment, in which the thread's own step is that of the moment.
    pub clock: Arc<Clock>,
    /// What is to be remembered of it.
    pub mark: Mark,
}

impl Now {
    /// The moment by itself.
    pub fn epoch(&self) -> Epoch {
        Epoch { thread: self.thread, step: self.clock.get(self.thread) }
    }
}

/// Who knows which thread runs and what happens before, and what is done about a violation. `RealThreads` is one, with the feature `threads`.
///
/// # What must hold
/// - Each thread that runs has an index of its own, and its own step only grows.
/// - What a thread releases has the step that the thread had then, and from then on the thread's step is larger. So a moment after a release is
///   in no clock that has only seen that release.
pub trait Provider: Sync {
    /// The moment at which the running thread is.
    fn now(&self) -> Now;

    /// The same moment, of which nothing else is asked.
    fn step(&self) -> Epoch {
        self.now().epoch()
    }

    /// Whether contracts are looked at.
    fn is_on(&self) -> bool {
        true
    }

    /// The running thread comes after a moment, and what happens before that.
    fn come_after(&self, _moment: Epoch, _before: &Clock) {}

    /// A condition of a contract does not hold.
    fn violated(&self, violation: &Violation<'_>);

    /// An `expects!` runs in a thread in which no call of its method does: in another thread, or after the return. It was not looked at.
    ///
    /// # Panics
    /// Unless something else is done about it.
    fn stray(&self, contract: &'static Contract, condition: &'static Condition) {
        panic!("{}", crate::stray(contract, condition));
    }
}
