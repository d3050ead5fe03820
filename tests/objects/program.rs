//! Programs that move objects. The last call of each lies by `error`.

use super::structure::*;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicI32;
use cdsspec::thread;
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::mem::{MaybeUninit, replace, swap, take};

/// Two counters, called once and twice where they are.
macro_rules! called {
    ($a:ident, $b:ident) => {
        let (mut $a, mut $b) = (Counter::new(), Counter::new());
        call(&$a, 1);
        call(&$b, 2);
    };
}

pub(crate) fn swapped(error: i32) {
    called!(a, b);
    swap(&mut a, &mut b);
    a.add(error);
}

pub(crate) fn replaced(error: i32) {
    let mut a = Counter::new();
    call(&a, 2);
    let old = replace(&mut a, Counter::new());
    old.add(0);
    a.add(error);
}

pub(crate) fn taken(error: i32) {
    let mut a = Counter::new();
    call(&a, 2);
    let old = take(&mut a);
    old.add(0);
    a.add(error);
}

pub(crate) fn removed(error: i32) {
    let mut all = counters([1, 2, 3]);
    all.remove(0);
    all[1].add(0);
    all[0].add(error);
}

pub(crate) fn inserted(error: i32) {
    let mut all = counters([1, 2]);
    all.insert(0, Counter::new());
    all[0].add(0);
    all[1].add(0);
    all[2].add(error);
}

pub(crate) fn sorted(error: i32) {
    let mut all = counters([1, 3, 2]);
    all.sort_by_key(|counter| Reverse(counter.total()));
    all[0].add(0);
    all[2].add(error);
}

pub(crate) fn swap_removed(error: i32) {
    let mut all = counters([1, 2, 3]);
    all.swap_remove(0).add(0);
    all[0].add(error);
}

pub(crate) fn rotated(error: i32) {
    let mut all = VecDeque::from(counters([1, 2, 3]));
    let first = all.pop_front();
    all.extend(first);
    all.make_contiguous().rotate_left(1);
    all[0].add(error);
}

pub(crate) fn grown(error: i32) {
    let mut all = counters([1, 2]);
    let mut larger = Vec::with_capacity(9);
    larger.append(&mut all);
    all.push(Counter::new());
    all[0].add(0);
    larger[0].add(error);
}

pub(crate) fn boxed(error: i32) {
    let mut a = Counter::new();
    call(&a, 2);
    let boxed = Box::new(replace(&mut a, Counter::new()));
    a.add(0);
    boxed.add(error);
}

pub(crate) fn out_of_an_option(error: i32) {
    let mut option = None;
    call(option.insert(Counter::new()), 2);
    let old = option.take();
    let new = option.insert(Counter::new());
    old.map(|old| old.add(0));
    new.add(error);
}

/// Where one object after the other is made.
fn put<T>(slot: &mut MaybeUninit<T>, value: T) -> &mut T {
    slot.write(value)
}

pub(crate) fn one_after_the_other(error: i32) {
    let mut slot = MaybeUninit::uninit();
    put(&mut slot, Counter::new()).add(0);
    put(&mut slot, Counter::new()).add(error);
}

pub(crate) fn one_after_the_other_untouched(error: i32) {
    let mut slot = MaybeUninit::uninit();
    put(&mut slot, Untouched::new()).add(0);
    put(&mut slot, Untouched::new()).add(error);
}

pub(crate) fn one_after_the_other_behind_a_pointer(error: i32) {
    let mut slot = MaybeUninit::uninit();
    Pointed(put(&mut slot, AtomicI32::new(0))).add(0);
    Pointed(put(&mut slot, AtomicI32::new(0))).add(error);
}

pub(crate) fn swapped_behind_pointers(error: i32) {
    let (mut a, mut b) = (Box::new(AtomicI32::new(0)), Box::new(AtomicI32::new(0)));
    Pointed(&raw const *a).add(0);
    Pointed(&raw const *b).add(0);
    Pointed(&raw const *b).add(0);
    swap(&mut *a, &mut *b);
    Pointed(&raw const *a).add(error);
}

pub(crate) fn made_of_zeros(error: i32) {
    let mut slot = MaybeUninit::zeroed();
    // SAFETY: zeros make a counter, as std's atomics are made of them.
    let zeroed: &mut Counter = unsafe { slot.assume_init_mut() };
    zeroed.add(0);
    zeroed.add(0);
    let mut other = Counter::new();
    other.add(0);
    swap(zeroed, &mut other);
    zeroed.add(0);
    other.add(error);
}

pub(crate) fn looked_at_after_a_swap(error: i32) {
    called!(a, b);
    swap(&mut a, &mut b);
    a.look(0);
    b.look(error);
}

pub(crate) fn looked_at_before_it_is_touched(error: i32) {
    let mut all = vec![Counter::new(), Counter::new()];
    all[0].look(0);
    all[1].look(0);
    let first = all.remove(0);
    first.add(0);
    all[0].look(error);
}

pub(crate) fn swapped_untouched(error: i32) {
    let (mut a, mut b) = (Untouched::new(), Untouched::new());
    a.add(0);
    b.add(0);
    b.add(0);
    swap(&mut a, &mut b);
    a.add(error);
}

pub(crate) fn swapped_wide(error: i32) {
    let (mut a, mut b) = (Wide::default(), Wide::default());
    a.add(0);
    b.add(0);
    b.add(0);
    swap(&mut a, &mut b);
    a.add(error);
}

pub(crate) fn alone_in_between(error: i32) {
    let mut a = Counter::new();
    call(&a, 2);
    a.add_alone(0);
    a.look(0);
    a.add(error);
}

pub(crate) fn closed(error: i32) {
    let a = Counter::new();
    call(&a, 2);
    let moved = Box::new(a);
    moved.close(error);
}

pub(crate) fn closed_by_adding(error: i32) {
    let a = Counter::new();
    call(&a, 2);
    a.close_by_adding(error);
}

pub(crate) fn one_of_two_fields_renewed(error: i32) {
    let mut a = Counter::new();
    call(&a, 2);
    a.touch_calls();
    a.renew_calls(0);
    a.add(error);
}

pub(crate) fn one_of_two_fields_swapped(error: i32) {
    called!(a, b);
    a.swap_calls(&mut b);
    a.add(0);
    swap(&mut a, &mut b);
    a.add(error);
}

pub(crate) fn traded_by_a_call(error: i32) {
    called!(a, b);
    a.trade(&mut b, 0);
    a.add(0);
    b.add(0);
    swap(&mut a, &mut b);
    b.add(error);
}

pub(crate) fn nested(error: i32) {
    let outer = Outer::default();
    outer.add(0);
    outer.inner.add(0);
    outer.inner.add(0);
    outer.add(error);
}

pub(crate) fn nested_and_moved(error: i32) {
    let (mut a, mut b) = (Outer::default(), Outer::default());
    a.add(0);
    b.add(0);
    b.inner.add(0);
    swap(&mut a.inner, &mut b.inner);
    b.inner.add(0);
    a.inner.add(error);
}

pub(crate) fn inside_another(error: i32) {
    let (mut a, mut b) = (Tickets::default(), Tickets::default());
    a.take(0);
    b.take(0);
    b.take(0);
    swap(&mut a, &mut b);
    a.0.look(0);
    a.take(error);
}

pub(crate) fn two_ends_of_two_channels(error: i32) {
    let ((sender, mut receiver), (other_sender, mut other)) = (channel(), channel());
    sender.send();
    sender.send();
    other_sender.send();
    swap(&mut receiver, &mut other);
    receiver.receive(0);
    other.receive(error);
}

/// The child has the counter, and the place where it was has another one.
pub(crate) fn into_another_thread(error: i32) {
    let mut a = Counter::new();
    call(&a, 2);
    let moved = take(&mut a);
    let child = thread::spawn(move || moved.add(0));
    a.add(0);
    let _ = child.join();
    a.add(error);
}

/// Two threads share an object that was swapped with another one.
pub(crate) fn between_threads(error: i32) {
    called!(a, b);
    swap(&mut a, &mut b);
    let (a, b) = (Arc::new(a), b);
    let theirs = a.clone();
    let child = thread::spawn(move || theirs.add(0));
    a.add(0);
    let _ = child.join();
    b.add(0);
    a.add(error);
}

pub(crate) fn in_a_static(error: i32) {
    static SHARED: Counter = Counter::new();
    let child = thread::spawn(|| SHARED.add(0));
    SHARED.add(0);
    let _ = child.join();
    SHARED.add(error);
}

pub(crate) fn unspecified_first(error: i32) {
    Bag::<i64>::new().put(1, 0);
    let bag = Bag::<u32>::new();
    bag.put(1, 0);
    bag.put(1, error.unsigned_abs() as usize);
}
