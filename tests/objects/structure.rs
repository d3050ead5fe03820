//! Structures that show which object a call was taken to be of: what each call returns depends on the calls before it on its object.
//!
//! `error` is what a call lies by: 0, or it must be found.

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::Ordering::{AcqRel, Relaxed};
use cdsspec::sync::atomic::{AtomicI32, AtomicUsize, fence};
use std::marker::PhantomData;
use std::sync::atomic::AtomicI32 as Unseen;

/// A counter of calls.
#[derive(Default)]
pub(crate) struct Counter {
    count: AtomicI32,
    calls: AtomicI32,
    /// The count again, where the checker does not see it.
    mirror: Unseen,
}

#[cdsspec::spec]
#[declare_state(count: i32)]
impl Counter {
    pub(crate) const fn new() -> Self {
        Self { count: AtomicI32::new(0), calls: AtomicI32::new(0), mirror: Unseen::new(0) }
    }

    #[side_effect({ *count += 1; *count - 1 })]
    pub(crate) fn add(&self, error: i32) -> i32 {
        #[op_define]
        let count = self.count.fetch_add(1, AcqRel);
        self.mirror.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        count + error
    }

    #[side_effect(*count)]
    pub(crate) fn look(&self, error: i32) -> i32 {
        #[op_define]
        fence(AcqRel);
        self.total() + error
    }

    #[side_effect({ *count += 1; *count - 1 })]
    pub(crate) fn add_alone(&mut self, error: i32) -> i32 {
        #[op_define]
        fence(AcqRel);
        *self.count.get_mut() += 1;
        *self.mirror.get_mut() += 1;
        *self.mirror.get_mut() - 1 + error
    }

    #[side_effect(*count)]
    pub(crate) fn close(self, error: i32) -> i32 {
        #[op_define]
        let count = self.count.load(Relaxed);
        count + error
    }

    /// One call, with one on the same object in it, which has moved meanwhile.
    #[side_effect({ *count += 1; *count - 1 })]
    pub(crate) fn close_by_adding(self, error: i32) -> i32 {
        let moved = Box::new(self);
        #[op_define]
        let count = moved.add(0);
        count + error
    }

    /// The two trade places in the call.
    #[side_effect(*count)]
    pub(crate) fn trade(&mut self, other: &mut Self, error: i32) -> i32 {
        std::mem::swap(self, other);
        #[op_define]
        self.count.load(Relaxed);
        other.total() + error
    }

    /// Puts another instrumented field in the place of one.
    #[side_effect(*count)]
    pub(crate) fn renew_calls(&mut self, error: i32) -> i32 {
        self.calls = AtomicI32::new(0);
        #[op_define]
        fence(AcqRel);
        self.total() + error
    }
}

impl Counter {
    pub(crate) fn total(&self) -> i32 {
        self.mirror.load(std::sync::atomic::Ordering::Relaxed)
    }

    pub(crate) fn swap_calls(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.calls, &mut other.calls);
    }

    pub(crate) fn touch_calls(&self) {
        self.calls.fetch_add(1, Relaxed);
    }
}

/// Calls a counter as often, where it is.
pub(crate) fn call(counter: &Counter, count: i32) {
    (0..count).for_each(|_| _ = counter.add(0));
}

/// Counters after so many calls each, where they are.
pub(crate) fn counters<const N: usize>(counts: [i32; N]) -> Vec<Counter> {
    let all: Vec<Counter> = counts.iter().map(|_| Counter::new()).collect();
    all.iter().zip(counts).for_each(|(counter, count)| call(counter, count));
    all
}

/// No call of it touches its instrumented field.
pub(crate) struct Untouched {
    calls: i32,
    _field: AtomicI32,
}

#[cdsspec::spec]
#[declare_state(calls: i32)]
impl Untouched {
    pub(crate) fn new() -> Self {
        Self { calls: 0, _field: AtomicI32::new(0) }
    }

    #[side_effect({ *calls += 1; *calls - 1 })]
    pub(crate) fn add(&mut self, error: i32) -> i32 {
        #[op_define]
        fence(AcqRel);
        self.calls += 1;
        self.calls - 1 + error
    }
}

/// More fields than are looked for when a call begins, of which calls touch the last.
#[derive(Default)]
pub(crate) struct Wide {
    _others: [AtomicI32; 12],
    calls: AtomicI32,
}

#[cdsspec::spec]
#[declare_state(calls: i32)]
impl Wide {
    #[side_effect({ *calls += 1; *calls - 1 })]
    pub(crate) fn add(&self, error: i32) -> i32 {
        #[op_define]
        let calls = self.calls.fetch_add(1, AcqRel);
        calls + error
    }
}

/// What calls of both types of the nest do.
#[cdsspec::specification]
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NestSpec {
    calls: i32,
}

#[derive(Default)]
pub(crate) struct Inner(AtomicI32);

#[derive(Default)]
pub(crate) struct Outer {
    pub(crate) inner: Inner,
    calls: AtomicI32,
}

#[cdsspec::spec(for = NestSpec)]
impl Inner {
    #[side_effect({ state.calls += 1; state.calls - 1 })]
    pub(crate) fn add(&self, error: i32) -> i32 {
        #[op_define]
        let calls = self.0.fetch_add(1, AcqRel);
        calls + error
    }
}

#[cdsspec::spec(for = NestSpec)]
impl Outer {
    #[side_effect({ state.calls += 1; state.calls - 1 })]
    pub(crate) fn add(&self, error: i32) -> i32 {
        self.inner.add(0);
        #[op_define]
        let calls = self.calls.fetch_add(1, AcqRel);
        calls + error
    }
}

/// Of another specification than the counter that it is made of.
#[derive(Default)]
pub(crate) struct Tickets(pub(crate) Counter);

#[cdsspec::spec]
#[declare_state(taken: i32)]
impl Tickets {
    #[side_effect({ *taken += 1; *taken - 1 })]
    pub(crate) fn take(&self, error: i32) -> i32 {
        #[op_define]
        let ticket = self.0.add(0);
        ticket + error
    }
}

/// Sent, and not received.
#[cdsspec::specification]
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ChannelSpec {
    held: i32,
}

pub(crate) struct Sender(Arc<AtomicI32>);

pub(crate) struct Receiver(Arc<AtomicI32>);

pub(crate) fn channel() -> (Sender, Receiver) {
    let shared = Arc::new(AtomicI32::new(0));
    (Sender(shared.clone()), Receiver(shared))
}

#[cdsspec::spec(for = ChannelSpec, object = self.0)]
impl Sender {
    #[side_effect(state.held += 1)]
    pub(crate) fn send(&self) {
        #[op_define]
        self.0.fetch_add(1, AcqRel);
    }
}

#[cdsspec::spec(for = ChannelSpec, object = self.0)]
impl Receiver {
    #[side_effect({ state.held -= 1; state.held + 1 })]
    pub(crate) fn receive(&self, error: i32) -> i32 {
        #[op_define]
        let held = self.0.fetch_sub(1, AcqRel);
        held + error
    }
}

/// A counter that a pointer leads to: nothing of it is looked at before it is touched.
pub(crate) struct Pointed(pub(crate) *const AtomicI32);

#[cdsspec::spec(object = self.0)]
#[declare_state(count: i32)]
impl Pointed {
    #[side_effect({ *count += 1; *count - 1 })]
    pub(crate) fn add(&self, error: i32) -> i32 {
        // SAFETY: the programs keep what it points to.
        let counter = unsafe { &*self.0 };
        #[op_define]
        let count = counter.fetch_add(1, AcqRel);
        count + error
    }
}

/// One instance is specified.
pub(crate) struct Bag<T> {
    count: AtomicUsize,
    of: PhantomData<T>,
}

#[cdsspec::spec(instance(T = u32))]
#[declare_state(count: usize)]
impl<T> Bag<T> {
    pub(crate) fn new() -> Self {
        Self { count: AtomicUsize::new(0), of: PhantomData }
    }

    #[side_effect({ *count += 1; *count - 1 })]
    pub(crate) fn put(&self, _item: T, error: usize) -> usize {
        #[op_define]
        let count = self.count.fetch_add(1, AcqRel);
        count + error
    }
}
