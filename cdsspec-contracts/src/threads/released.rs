//! What was released at an atomic, beside its value.
//!
//! Who writes to an atomic makes its [`Stamp`] busy until value and clock are changed: so they change together. Who reads takes no lock: the
//! stamp is the same before and after, or it reads again. Where the stamp alone says that there is nothing to learn, the clock is not looked at: the case
//! of a thread that polls, or reads what it wrote.
//!
//! That an epoch is known makes it needless to join: the thread of the epoch released all that it knew at this step, and a clock that includes
//! the step was joined with what that thread released at it or later, which is more.

use super::clock_cell::ClockCell;
use super::current;
use super::order::Order;
use super::stamp::Stamp;
use super::thread_clock::ThreadClock;
use std::hint::spin_loop;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, fence};

/// How often a busy stamp is looked at before the processor is given to another thread.
const SPINS: u32 = 100;

/// What was released at an atomic.
pub(crate) struct Released {
    stamp: AtomicU64,
    clock: ClockCell,
}

// As std's atomics: no code of users runs while it is changed.
impl UnwindSafe for Released {}
impl RefUnwindSafe for Released {}

impl Released {
    pub(crate) const fn new() -> Self {
        Self { stamp: AtomicU64::new(Stamp::NEW.word()), clock: ClockCell::new() }
    }

    /// Nothing is released any more: somebody has the atomic alone.
    pub(crate) fn renew(&mut self) {
        *self.stamp.get_mut() = Stamp::NEW.word();
    }

    /// Reads the value.
    #[inline(always)]
    pub(crate) fn load<V>(&self, order: impl Order, read: impl Fn() -> V) -> V {
        let value = current::with_own(|own| {
            let (next, stamp) = (own.next()?, self.stamp(Acquire));
            if !(stamp.is_empty() || stamp.is_epoch_of(next)) {
                return None;
            }
            let value = self.read_between(stamp, &read)?;
            own.set_last(next);
            Some(value)
        });
        value.unwrap_or_else(|| self.load_with_clock(order, read))
    }

    #[inline(never)]
    fn load_with_clock<V>(&self, order: impl Order, read: impl Fn() -> V) -> V {
        current::with(|thread| {
            thread.step();
            let stamp = self.stamp(Acquire);
            let value = if stamp.is_plain() && thread.knows(stamp, order) {
                self.read_between(stamp, &read)
            } else {
                None
            };
            value.unwrap_or_else(|| self.load_and_learn(thread, order, &read))
        })
        .unwrap_or_else(&read)
    }

    /// Reads the value, unless the stamp changed meanwhile.
    #[inline(always)]
    fn read_between<V>(&self, stamp: Stamp, read: impl Fn() -> V) -> Option<V> {
        let value = read();
        // The second look at the stamp comes after the read.
        fence(Acquire);
        (self.stamp(Relaxed) == stamp).then_some(value)
    }

    #[inline(never)]
    fn load_and_learn<V>(&self, thread: &mut ThreadClock, order: impl Order, read: impl Fn() -> V) -> V {
        let mut spins = 0;
        loop {
            let stamp = self.stamp(Acquire);
            if stamp.is_busy() {
                wait(&mut spins);
            } else if stamp.has_step() {
                let value = read();
                self.copy_to(thread, stamp);
                fence(Acquire);
                if self.stamp(Relaxed) == stamp {
                    thread.learn(stamp, order);
                    return value;
                }
            } else {
                return self
                    .exchange_with(thread, order, order, || Err::<V, V>(read()))
                    .unwrap_or_else(|value| value);
            }
        }
    }

    /// Writes a value.
    #[inline(always)]
    pub(crate) fn store(&self, order: impl Order, write: impl Fn()) {
        let is_done = current::with_own(|own| {
            let (next, before) = (own.next()?, self.stamp(Relaxed));
            // All that the thread knows is released, but for its own steps since, which the stamp says.
            if !(order.is_release() && own.has_released(before, next) && self.try_lock(before)) {
                return None;
            }
            own.set_last(next);
            write();
            self.unlock(before.with_bits(next));
            Some(())
        });
        if is_done.is_none() {
            self.store_with_clock(order, write);
        }
    }

    #[inline(never)]
    fn store_with_clock(&self, order: impl Order, write: impl Fn()) {
        let is_done = current::with(|thread| {
            let epoch = thread.step();
            let before = self.lock();
            let after = if order.is_release() {
                self.release_all(thread, before)
            } else if !thread.release_fence().is_empty() {
                Stamp::joined_at(epoch, self.clock.write(thread.release_fence()))
            } else {
                Stamp::empty_at(epoch).unwrap_or_else(|| self.release_nothing())
            };
            write();
            self.unlock(after);
        });
        if is_done.is_none() {
            self.store_unseen(&write);
        }
    }

    /// Without a clock: nothing is released.
    #[cold]
    fn store_unseen(&self, write: impl Fn()) {
        self.lock();
        let after = self.release_nothing();
        write();
        self.unlock(after);
    }

    /// Reads and writes.
    #[inline(always)]
    pub(crate) fn update<V>(&self, order: impl Order, update: impl Fn() -> V) -> V {
        self.exchange(order, order, || Ok::<V, V>(update())).unwrap_or_else(|value| value)
    }

    /// Reads, and writes if the result is `Ok`.
    #[inline(always)]
    pub(crate) fn exchange<V, E>(
        &self,
        success: impl Order,
        failure: impl Order,
        exchange: impl Fn() -> Result<V, E>,
    ) -> Result<V, E> {
        current::with(|thread| {
            thread.step();
            self.exchange_with(thread, success, failure, &exchange)
        })
        .unwrap_or_else(|| self.exchange_unseen(&exchange))
    }

    #[inline(always)]
    fn exchange_with<V, E>(
        &self,
        thread: &mut ThreadClock,
        success: impl Order,
        failure: impl Order,
        exchange: impl Fn() -> Result<V, E>,
    ) -> Result<V, E> {
        let before = self.lock();
        let result = exchange();
        let after = if result.is_ok() {
            self.learn(thread, before, success);
            self.go_on(thread, before, success)
        } else {
            self.learn(thread, before, failure);
            before
        };
        self.unlock(after);
        result
    }

    /// Without a clock: what was released stays so.
    #[cold]
    fn exchange_unseen<V>(&self, exchange: impl Fn() -> V) -> V {
        let before = self.lock();
        let result = exchange();
        self.unlock(before);
        result
    }

    #[inline(always)]
    fn stamp(&self, order: Ordering) -> Stamp {
        Stamp::of_word(self.stamp.load(order))
    }

    /// Makes the stamp busy; what it was.
    #[inline(always)]
    fn lock(&self) -> Stamp {
        let mut spins = 0;
        loop {
            let before = self.stamp(Relaxed);
            if !before.is_busy() && self.try_lock(before) {
                return before;
            }
            wait(&mut spins);
        }
    }

    /// Makes the stamp busy, if it is this one.
    #[inline(always)]
    fn try_lock(&self, before: Stamp) -> bool {
        let exchanged = self.stamp.compare_exchange_weak(before.word(), Stamp::BUSY.word(), Acquire, Relaxed);
        // Whoever reads what is written from here on sees that the stamp was busy.
        fence(Release);
        exchanged.is_ok()
    }

    #[inline(always)]
    fn unlock(&self, after: Stamp) {
        self.stamp.store(after.word(), Release);
    }

    /// Copies what the stamp says was released to the thread.
    #[inline(always)]
    fn copy_to(&self, thread: &mut ThreadClock, stamp: Stamp) {
        if !stamp.is_empty() {
            self.clock.copy_to(thread.read_mut(), stamp.is_far());
        }
    }

    /// Reads what was released, if it is not known.
    #[inline(always)]
    fn learn(&self, thread: &mut ThreadClock, stamp: Stamp, order: impl Order) {
        if !thread.knows(stamp, order) {
            self.copy_to(thread, stamp);
            thread.learn(stamp, order);
        }
    }

    /// Releases all that the thread knows, and nothing else.
    #[inline(always)]
    fn release_all(&self, thread: &ThreadClock, before: Stamp) -> Stamp {
        let is_far =
            if thread.has_released(before) { before.is_far() } else { self.clock.write(thread.clock()) };
        Stamp::known_at(thread.last(), is_far)
            .unwrap_or_else(|| Stamp::joined(self.clock.write(thread.clock())))
    }

    #[cold]
    fn release_nothing(&self) -> Stamp {
        Stamp::joined(self.clock.write(&crate::Clock::new()))
    }

    /// A read-modify-write goes on with the release sequence.
    #[inline(always)]
    fn go_on(&self, thread: &mut ThreadClock, before: Stamp, order: impl Order) -> Stamp {
        if order.is_release() && (order.is_acquire() || thread.has_joined(before)) {
            self.release_all(thread, before)
        } else if !order.is_release() && thread.release_fence().is_empty() {
            before
        } else {
            self.copy_to(thread, before);
            let joined = thread.join_released(before, order);
            Stamp::joined_at(thread.last(), self.clock.write(&joined))
        }
    }
}

/// Waits for another thread.
#[cold]
fn wait(spins: &mut u32) {
    *spins += 1;
    if spins.is_multiple_of(SPINS) {
        std::thread::yield_now();
    } else {
        spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::atomic::AtomicU32;

    /// Another thread writes between the read of the value and the second look at the stamp: so both are read again.
    #[test]
    fn a_load_reads_again_if_a_store_comes_between() {
        for is_empty in [true, false] {
            let (released, value) = (Released::new(), AtomicU32::new(0));
            let write = |number| {
                std::thread::scope(|scope| {
                    scope.spawn(|| released.store(Release, || value.store(number, Relaxed)));
                });
            };
            if !is_empty {
                write(1);
            }
            let reads = Cell::new(0);
            let read = || {
                let number = value.load(Relaxed);
                reads.set(reads.get() + 1);
                if reads.get() == 1 {
                    write(2);
                }
                number
            };
            assert_eq!(released.load(Acquire, read), 2);
            assert_eq!(reads.get(), 2);
            let stamp = released.stamp(Relaxed);
            assert!(current::with(|thread| thread.knows(stamp, Acquire)).expect("contracts are on"));
        }
    }
}
