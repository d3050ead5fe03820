//! A clock that is read while another thread may change it.

use crate::Clock;
use spin::Yield;
use spin::mutex::SpinMutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// A clock of so many threads stands beside its atomic, in words that are read without a lock.
const NEAR: usize = 4;

/// The clock of an atomic. Only one thread at a time writes it, which has made the [`Stamp`](super::stamp::Stamp) busy; who reads meanwhile gets words of
/// several clocks, and learns from the stamp that it did.
pub(crate) struct ClockCell {
    near: [AtomicU64; NEAR],
    /// A longer one.
    far: SpinMutex<Option<Box<Clock>>, Yield>,
}

impl ClockCell {
    pub(crate) const fn new() -> Self {
        Self { near: [const { AtomicU64::new(0) }; NEAR], far: SpinMutex::new(None) }
    }

    /// Writes a clock; whether it is a long one.
    #[inline(always)]
    pub(crate) fn write(&self, clock: &Clock) -> bool {
        let steps = clock.steps();
        if steps.len() > NEAR {
            self.write_far(clock);
            return true;
        }
        for (index, near) in self.near.iter().enumerate() {
            near.store(steps.get(index).copied().unwrap_or(0), Relaxed);
        }
        false
    }

    #[cold]
    fn write_far(&self, clock: &Clock) {
        self.far.lock().get_or_insert_default().as_mut().clone_from(clock);
    }

    /// Copies the clock.
    #[inline(always)]
    pub(crate) fn copy_to(&self, copy: &mut Clock, is_far: bool) {
        if is_far {
            copy.clone_from(self.far.lock().get_or_insert_default().as_ref());
        } else {
            copy.set_steps(&std::array::from_fn::<_, NEAR, _>(|index| self.near[index].load(Relaxed)));
        }
    }
}
