//! Order that the types cannot see.

use super::current;
use crate::Clock;
use spin::Yield;
use spin::mutex::SpinMutex;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};

/// Tells of an order that the types of this crate cannot see: what is done before [`release`](Self::release) happens before what is done after an
/// [`acquire`](Self::acquire) that comes later.
///
/// It orders nothing by itself: whoever calls it says that something else does, a thread that std made, an interrupt, another language.
///
/// ```
/// use cdsspec_contracts::threads::HandOver;
///
/// static BEGUN: HandOver = HandOver::new();
///
/// BEGUN.release();
/// let child = std::thread::spawn(|| BEGUN.acquire());
/// # child.join().unwrap();
/// ```
#[derive(Default)]
pub struct HandOver {
    released: SpinMutex<Clock, Yield>,
}

// No code of users runs while it is changed.
impl UnwindSafe for HandOver {}
impl RefUnwindSafe for HandOver {}

impl HandOver {
    /// One that nothing was released to.
    pub const fn new() -> Self {
        Self { released: SpinMutex::new(Clock::new()) }
    }

    /// All that this thread has done happens before what follows a later [`acquire`](Self::acquire), beside what was released before.
    pub fn release(&self) {
        current::add_to(&mut self.released.lock());
    }

    /// All that was released happens before what this thread does from here on.
    pub fn acquire(&self) {
        current::acquire_from(&self.released.lock());
    }

    /// Does something that nobody else can do, or [`release`](Self::release) or [`acquire`](Self::acquire), until it is done, and releases before.
    pub(crate) fn release_and<R>(&self, f: impl FnOnce() -> R) -> R {
        let mut released = self.released.lock();
        current::add_to(&mut released);
        f()
    }
}

impl fmt::Debug for HandOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HandOver").finish_non_exhaustive()
    }
}
