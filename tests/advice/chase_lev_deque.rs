//! The deque of the example `chase_lev_deque`, with the compare-exchange of `take` as it was published: `SeqCst`.

use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use cdsspec::sync::atomic::{AtomicIsize, AtomicPtr, AtomicUsize, fence};
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ptr;

/// A deque with an owner and thieves.
pub(crate) struct ChaseLevDeque<T> {
    /// Where the next item is pushed. The owner's.
    bottom: AtomicIsize,
    /// Where the next item is stolen.
    top: AtomicIsize,
    array: AtomicPtr<Array>,
    items: PhantomData<T>,
}

/// What a thief gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Steal<T> {
    /// An item.
    Item(T),
    /// The deque seemed to be empty.
    Empty,
    /// Another thread was faster.
    Abort,
}

/// An item that fits into an atomic word.
pub(crate) trait Word: Copy {
    /// As a word.
    fn to_word(self) -> usize;
    /// Back again.
    fn of_word(word: usize) -> Self;
}

/// Slots, used round and round.
struct Array {
    slots: Box<[AtomicUsize]>,
    /// The one that it replaced, if any.
    previous: *mut Array,
}

// SAFETY: arrays are shared, never handed out, and freed only with the deque.
unsafe impl<T: Word + Send> Send for ChaseLevDeque<T> {}
// SAFETY: as above; what is shared are atomics.
unsafe impl<T: Word + Send> Sync for ChaseLevDeque<T> {}

#[cdsspec::spec(instance(T = i32))]
#[declare_state(items: VecDeque<T>)]
#[admit(push <-> push)]
#[admit(push <-> take)]
#[admit(take <-> take)]
impl<T: Word> ChaseLevDeque<T> {
    /// An empty deque, with room for so many items at first.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            bottom: AtomicIsize::new(0),
            top: AtomicIsize::new(0),
            array: AtomicPtr::new(Array::alloc(capacity, ptr::null_mut())),
            items: PhantomData,
        }
    }

    /// The owner puts an item in at the bottom.
    #[side_effect(items.push_back(item))]
    pub(crate) fn push(&self, item: T) {
        let bottom = self.bottom.load(Relaxed);
        let top = self.top.load(Acquire);
        let mut array = Self::at(self.array.load(Relaxed));
        if bottom - top >= array.len() {
            self.resize();
            array = Self::at(self.array.load(Relaxed));
        }
        #[op_define]
        array.slot(bottom).store(item.to_word(), Relaxed);
        fence(Release);
        self.bottom.store(bottom + 1, Relaxed);
    }

    /// The owner takes the item at the bottom, if there is one.
    #[side_effect(c_ret.and_then(|_| items.pop_back()))]
    #[justifying_post_condition(c_ret.is_some()
        || items.iter().all(|item| concurrent.steal().any(|steal| steal.c_ret == Steal::Item(*item))))]
    pub(crate) fn take(&self) -> Option<T> {
        let bottom = self.bottom.load(Relaxed) - 1;
        let array = Self::at(self.array.load(Relaxed));
        self.bottom.store(bottom, Relaxed);
        fence(SeqCst);
        let top = self.top.load(Relaxed);
        if top > bottom {
            #[op_define]
            self.bottom.store(bottom + 1, Relaxed);
            return None;
        }
        #[op_define(top < bottom)]
        let word = array.slot(bottom).load(Relaxed);
        if top < bottom {
            return Some(T::of_word(word));
        }
        // The last item: it is of whom moves the top.
        let is_won = self.top.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok();
        #[op_define]
        self.bottom.store(bottom + 1, Relaxed);
        is_won.then(|| T::of_word(word))
    }

    /// A thief takes the item at the top, if there is one and nobody else does.
    #[side_effect(if matches!(c_ret, Steal::Item(_)) { items.pop_front() } else { None })]
    #[post_condition(s_ret.map_or(!matches!(c_ret, Steal::Item(_)), |item| c_ret == Steal::Item(item)))]
    pub(crate) fn steal(&self) -> Steal<T> {
        let top = self.top.load(Relaxed);
        fence(SeqCst);
        let bottom = self.bottom.load(Acquire);
        if top >= bottom {
            return Steal::Empty;
        }
        let array = self.array.load(Acquire);
        let word = Self::at(array).slot(top).load(Relaxed);
        #[op_define]
        let is_won = self.top.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok();
        if is_won { Steal::Item(T::of_word(word)) } else { Steal::Abort }
    }

    /// The owner replaces the array by one twice as large.
    fn resize(&self) {
        let old = self.array.load(Relaxed);
        let array = Self::at(old);
        let top = self.top.load(Relaxed);
        let bottom = self.bottom.load(Relaxed);
        let new = Array::alloc(2 * array.slots.len(), old);
        for index in top..bottom {
            let word = array.slot(index).load(Relaxed);
            Self::at(new).slot(index).store(word, Relaxed);
        }
        self.array.store(new, Release);
    }

    fn at<'a>(array: *mut Array) -> &'a Array {
        // SAFETY: it is never null, and arrays are freed only with the deque.
        unsafe { &*array }
    }
}

impl Array {
    /// An array of which nobody knows.
    fn alloc(len: usize, previous: *mut Self) -> *mut Self {
        let slots = (0..len).map(|_| AtomicUsize::new(0)).collect();
        Box::into_raw(Box::new(Self { slots, previous }))
    }

    fn len(&self) -> isize {
        isize::try_from(self.slots.len()).expect("an array is not that large")
    }

    fn slot(&self, index: isize) -> &AtomicUsize {
        let index = index.rem_euclid(self.len());
        &self.slots[index.unsigned_abs()]
    }
}

impl<T> Drop for ChaseLevDeque<T> {
    fn drop(&mut self) {
        let mut next = *self.array.get_mut();
        while !next.is_null() {
            // SAFETY: `alloc` made it, nobody else is left, and no other array has this one as its previous one.
            let array = unsafe { Box::from_raw(next) };
            next = array.previous;
        }
    }
}

impl Word for i32 {
    fn to_word(self) -> usize {
        self as usize
    }

    fn of_word(word: usize) -> Self {
        word as Self
    }
}
