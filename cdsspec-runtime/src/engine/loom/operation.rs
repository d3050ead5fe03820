//! Atomic operations on loom.
//!
//! A read-modify-write that always writes is a `swap` of a fresh index: nothing runs between the swap and the new store's entry in
//! the tables, so the two are one step. A compare-exchange guesses the index that holds the expected value. If it meets another
//! value it has failed; if it meets an equal value at another index it is tried again with that one, without exploring.

use super::port::{LoomPort, Mode};
use super::trace::TraceStep;
use crate::port::{Access, Update, WaitLoad, WaitUpdate};
use crate::record::StoreId;
use loom::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

/// No store has this index: a compare-exchange that expects it fails, having read the newest store.
const NO_INDEX: usize = usize::MAX;

/// loom treats SeqCst accesses as AcqRel ones; a SeqCst fence stands before them.
fn without_sc(order: Ordering, substitute: Ordering) -> Ordering {
    if order == SeqCst { substitute } else { order }
}

impl LoomPort {
    fn fence_before(&self, order: Ordering) {
        if order == SeqCst {
            self.run(|| loom::sync::atomic::fence(SeqCst));
        }
    }

    fn with_atomic<R>(&self, access: Access, operation: impl FnOnce(&AtomicUsize) -> R) -> Option<R> {
        let atomic = self.atomic(access.location);
        let atomics = self.atomics.borrow();
        self.run(|| operation(&atomics[atomic]))
    }

    pub(super) fn load_op(&self, access: Access) -> u64 {
        let mode = self.mode();
        if mode == Mode::Unobserved {
            return self.state.borrow().locations[access.location.index()].newest_value;
        }
        let store = if mode == Mode::Observed {
            self.begin_operation(access.place, Some(access.location));
            self.fence_before(access.order);
            let order = without_sc(access.order, Acquire);
            let Some(index) = self.with_atomic(access, |atomic| atomic.load(order)) else {
                return self.state.borrow().locations[access.location.index()].newest_value;
            };
            self.value_at(access.location, index).0
        } else {
            self.newest(access.location)
        };
        self.record_load(access, access.order, store)
    }

    pub(super) fn store_op(&self, access: Access, value: u64) {
        let mode = self.mode();
        if mode == Mode::Unobserved {
            return self.poke(access.location, value);
        }
        let mut index = None;
        if mode == Mode::Observed {
            self.begin_operation(access.place, Some(access.location));
            self.fence_before(access.order);
            let order = without_sc(access.order, Release);
            let fresh = self.reserve_index();
            if self.with_atomic(access, |atomic| atomic.store(fresh, order)).is_none() {
                return self.poke(access.location, value);
            }
            index = Some(fresh);
        }
        let me = self.current.get();
        let store = self.recorder.borrow_mut().store(me, access.place, access.order, access.location, value);
        self.finish_store(access, index, store, value);
    }

    pub(super) fn update_op(&self, access: Access, update: Update) -> u64 {
        let unrecorded = || {
            let old = self.state.borrow().locations[access.location.index()].newest_value;
            self.poke(access.location, update.apply(old));
            old
        };
        let mode = self.mode();
        if mode == Mode::Unobserved {
            return unrecorded();
        }
        if mode == Mode::Panicking {
            return self.record_update(access, None, self.newest(access.location), |old| update.apply(old));
        }
        self.begin_operation(access.place, Some(access.location));
        self.fence_before(access.order);
        let order = without_sc(access.order, AcqRel);
        let fresh = self.reserve_index();
        let Some(old) = self.with_atomic(access, |atomic| atomic.swap(fresh, order)) else {
            return unrecorded();
        };
        let from = self.value_at(access.location, old).0;
        self.record_update(access, Some(fresh), from, |old| update.apply(old))
    }

    pub(super) fn compare_exchange_op(
        &self,
        access: Access,
        failure: Ordering,
        expected: u64,
        new: u64,
    ) -> Result<u64, u64> {
        let decide = |value| (value == expected).then_some(new);
        match self.mode() {
            Mode::Unobserved => return self.try_unrecorded(access, &decide),
            Mode::Panicking => return self.try_panicking(access, failure, &decide),
            Mode::Observed => {}
        }
        self.begin_operation(access.place, Some(access.location));
        self.fence_before(access.order);
        match self.try_update(access, failure, &decide) {
            Some(Ok((index, from))) => Ok(self.record_update(access, Some(index), from, |_| new)),
            Some(Err(from)) => Err(self.record_load(access, failure, from)),
            None => self.try_unrecorded(access, &decide),
        }
    }

    /// One conditional read-modify-write on loom's atomic: `Ok` with the new index and the store that it read, `Err` with the store
    /// for which `decide` says no; `None` if the execution was cut. Nothing is recorded yet.
    pub(super) fn try_update(
        &self,
        access: Access,
        failure: Ordering,
        decide: &dyn Fn(u64) -> Option<u64>,
    ) -> Option<Result<(usize, StoreId), StoreId>> {
        let success = without_sc(access.order, AcqRel);
        let failure = without_sc(failure, Acquire);
        let fresh = self.reserve_index();
        let guess = self
            .guess(&self.state.borrow(), access.location, |value| decide(value).is_some())
            .unwrap_or(NO_INDEX);
        let exchange = |guess: usize| {
            self.with_atomic(access, |atomic| atomic.compare_exchange(guess, fresh, success, failure))
        };
        let mut met = match exchange(guess)? {
            Ok(index) => return Some(Ok((fresh, self.value_at(access.location, index).0))),
            Err(index) => index,
        };
        loop {
            let (store, value) = self.value_at(access.location, met);
            if decide(value).is_none() {
                return Some(Err(store));
            }
            loom::stop_exploring();
            let again = exchange(met);
            loom::explore();
            match again? {
                Ok(_) => return Some(Ok((fresh, store))),
                Err(index) => met = index,
            }
        }
    }

    pub(super) fn try_unrecorded(
        &self,
        access: Access,
        decide: &dyn Fn(u64) -> Option<u64>,
    ) -> Result<u64, u64> {
        let old = self.state.borrow().locations[access.location.index()].newest_value;
        match decide(old) {
            Some(new) => {
                self.poke(access.location, new);
                Ok(old)
            }
            None => Err(old),
        }
    }

    pub(super) fn try_panicking(
        &self,
        access: Access,
        failure: Ordering,
        decide: &dyn Fn(u64) -> Option<u64>,
    ) -> Result<u64, u64> {
        let from = self.newest(access.location);
        let value = self.recorder.borrow().recording().store(from).value;
        match decide(value) {
            Some(new) => Ok(self.record_update(access, None, from, |_| new)),
            None => Err(self.record_load(access, failure, from)),
        }
    }

    /// `None`: the wait `is_timed`, and its time is over; or it is unobserved, and has to wait.
    pub(super) fn wait_update_op(&self, access: Access, wait: WaitUpdate, is_timed: bool) -> Option<u64> {
        let decide = |value| wait.apply(value);
        let apply = |value| wait.apply(value).unwrap_or(value);
        loop {
            match self.mode() {
                Mode::Unobserved => return self.try_unrecorded(access, &decide).ok(),
                Mode::Panicking if decide(self.peek_newest(access)).is_some() => {
                    let from = self.newest(access.location);
                    return Some(self.record_update(access, None, from, apply));
                }
                Mode::Panicking | Mode::Observed => {}
            }
            self.begin_operation(access.place, Some(access.location));
            self.fence_before(access.order);
            match self.try_update(access, Relaxed, &decide) {
                Some(Ok((index, from))) => {
                    return Some(self.record_update(access, Some(index), from, apply));
                }
                Some(Err(_)) if self.wait_for_store(access, is_timed) => {}
                Some(Err(_)) => return None,
                None => {}
            }
        }
    }

    /// `None`: as above.
    pub(super) fn wait_load_op(&self, access: Access, wait: WaitLoad, is_timed: bool) -> Option<u64> {
        loop {
            let from = match self.mode() {
                Mode::Unobserved => return Some(self.peek_newest(access)),
                Mode::Panicking if wait.is_satisfied(self.peek_newest(access)) => {
                    Some(self.newest(access.location))
                }
                Mode::Panicking | Mode::Observed => {
                    self.begin_operation(access.place, Some(access.location));
                    self.fence_before(access.order);
                    // A read-modify-write reads the newest store; this one never writes.
                    let order = without_sc(access.order, Acquire);
                    let read =
                        |atomic: &AtomicUsize| atomic.compare_exchange(NO_INDEX, NO_INDEX, AcqRel, order);
                    self.with_atomic(access, read)
                        .map(|met| self.value_at(access.location, met.unwrap_or_else(|index| index)))
                        .and_then(|(store, value)| wait.is_satisfied(value).then_some(store))
                }
            };
            match from {
                Some(from) => return Some(self.record_load(access, access.order, from)),
                None if self.wait_for_store(access, is_timed) => {}
                None => return None,
            }
        }
    }

    fn peek_newest(&self, access: Access) -> u64 {
        self.state.borrow().locations[access.location.index()].newest_value
    }

    fn record_load(&self, access: Access, order: Ordering, from: StoreId) -> u64 {
        if from != self.newest(access.location) {
            self.state.borrow_mut().threads[self.current.get().index()].round.is_stale = true;
        }
        self.note_step(TraceStep::Read { thread: self.current.get(), store: from });
        let mut recorder = self.recorder.borrow_mut();
        recorder.load(self.current.get(), access.place, order, from);
        recorder.recording().store(from).value
    }

    fn record_update(
        &self,
        access: Access,
        index: Option<usize>,
        from: StoreId,
        apply: impl Fn(u64) -> u64,
    ) -> u64 {
        self.note_step(TraceStep::Read { thread: self.current.get(), store: from });
        let old = self.recorder.borrow().recording().store(from).value;
        let value = apply(old);
        let me = self.current.get();
        let store = self.recorder.borrow_mut().update(me, access.place, access.order, from, value);
        self.finish_store(access, index, store, value);
        old
    }

    fn finish_store(&self, access: Access, index: Option<usize>, store: StoreId, value: u64) {
        match index {
            Some(index) => self.note_store(access.location, index, store, value),
            None => self.replace_newest(access.location, store, value),
        }
        self.wake(access.location);
    }
}
