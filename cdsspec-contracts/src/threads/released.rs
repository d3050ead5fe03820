//! What was released at an atomic, beside its value.
//!
//! All who write to an atomic hold its lock, so that value and clock change together. Who reads does without it where the [`Stamp`] says
//! before and after that it is the same, and that it teaches nothing: the case of a thread that polls, or reads what it wrote.
//!
//! That an epoch is known makes the join needless: the thread of the epoch released all that it knew at this step, and a clock that includes
//! the step was joined with what that thread released at it or later, which is more.

use super::current;
use super::stamp::Stamp;
use super::thread_clock::{ThreadClock, is_acquire, is_release};
use crate::Clock;
use spin::Yield;
use spin::mutex::SpinMutex;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, fence};

/// What was released at an atomic. The stamp says it where it can; the clock always does.
pub(crate) struct Released {
    stamp: AtomicU64,
    clock: SpinMutex<Clock, Yield>,
}

// As std's atomics: no code of users runs while it is changed.
impl UnwindSafe for Released {}
impl RefUnwindSafe for Released {}

impl Released {
    pub(crate) const fn new() -> Self {
        Self { stamp: AtomicU64::new(Stamp::NEW.word()), clock: SpinMutex::new(Clock::new()) }
    }

    /// Nothing is released any more: somebody has the atomic alone.
    pub(crate) fn renew(&mut self) {
        *self.stamp.get_mut() = Stamp::NEW.word();
        self.clock.get_mut().clear();
    }

    /// Reads the value.
    #[inline]
    pub(crate) fn load<V>(&self, order: Ordering, read: impl Fn() -> V) -> V {
        current::with(|thread| {
            let Some(thread) = thread else { return read() };
            thread.step();
            let stamp = self.stamp(Acquire);
            if stamp.is_plain() {
                let value = read();
                // The second look at the stamp comes after the read.
                fence(Acquire);
                if self.stamp(Relaxed) == stamp && thread.knows(stamp, order) {
                    return value;
                }
            }
            self.load_locked(thread, order, read)
        })
    }

    fn load_locked<V>(&self, thread: &mut ThreadClock, order: Ordering, read: impl Fn() -> V) -> V {
        let clock = self.clock.lock();
        thread.read(&clock, self.stamp(Relaxed), order);
        read()
    }

    /// Writes a value.
    #[inline]
    pub(crate) fn store(&self, order: Ordering, write: impl FnOnce()) {
        current::with(|thread| {
            let mut clock = self.clock.lock();
            self.begin_write();
            let stamp = match thread {
                Some(thread) => release_by_store(&mut clock, thread, order),
                None => {
                    clock.clear();
                    Stamp::JOINED
                }
            };
            write();
            self.end_write(stamp);
        });
    }

    /// Reads and writes.
    #[inline]
    pub(crate) fn update<V>(&self, order: Ordering, update: impl FnOnce() -> V) -> V {
        let exchanged = self.exchange(order, order, || Ok::<V, V>(update()));
        exchanged.unwrap_or_else(|value| value)
    }

    /// Reads, and writes if the result is `Ok`.
    #[inline]
    pub(crate) fn exchange<V, E>(
        &self,
        success: Ordering,
        failure: Ordering,
        exchange: impl FnOnce() -> Result<V, E>,
    ) -> Result<V, E> {
        current::with(|thread| {
            let mut clock = self.clock.lock();
            let before = self.stamp(Relaxed);
            self.begin_write();
            let result = exchange();
            let stamp = match (thread, &result) {
                (Some(thread), Ok(_)) => release_by_update(&mut clock, before, thread, success),
                (Some(thread), Err(_)) => {
                    thread.step();
                    thread.read(&clock, before, failure);
                    before
                }
                (None, _) => before,
            };
            self.end_write(stamp);
            result
        })
    }

    #[inline]
    fn stamp(&self, order: Ordering) -> Stamp {
        Stamp::of_word(self.stamp.load(order))
    }

    /// The lock is held: readers that do without it are told to wait.
    #[inline]
    fn begin_write(&self) {
        self.stamp.store(Stamp::BUSY.word(), Relaxed);
        // Whoever reads the value to come has seen that.
        fence(Release);
    }

    #[inline]
    fn end_write(&self, stamp: Stamp) {
        self.stamp.store(stamp.word(), Release);
    }
}

/// A store begins a release sequence: what was released before is gone.
#[inline]
fn release_by_store(clock: &mut Clock, thread: &mut ThreadClock, order: Ordering) -> Stamp {
    let epoch = thread.step();
    if is_release(order) {
        clock.clone_from(thread.clock());
        Stamp::known_at(epoch)
    } else {
        clock.clone_from(thread.release_fence());
        if clock.is_empty() { Stamp::empty_at(epoch) } else { Stamp::JOINED }
    }
}

/// A read-modify-write goes on with the release sequence.
#[inline]
fn release_by_update(clock: &mut Clock, before: Stamp, thread: &mut ThreadClock, order: Ordering) -> Stamp {
    let epoch = thread.step();
    thread.read(clock, before, order);
    if is_release(order) {
        if is_acquire(order) || thread.has_joined(before) {
            clock.clone_from(thread.clock());
            return Stamp::known_at(epoch);
        }
        clock.join(thread.clock());
        Stamp::JOINED
    } else if thread.release_fence().is_empty() {
        before
    } else {
        clock.join(thread.release_fence());
        Stamp::JOINED
    }
}
