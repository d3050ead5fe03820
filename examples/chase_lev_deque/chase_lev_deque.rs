//! The work-stealing deque of Chase and Lev (*Dynamic circular work-stealing deque*, SPAA 2005), with the memory orders of Lê, Pop, Cohen
//! and Zappa Nardelli (*Correct and efficient work-stealing for weak memory models*, PPoPP 2013), two of them changed: `steal` acquires the
//! array, whose new slots it may otherwise read before they are filled (found by CDSChecker); and the compare-exchange in `take` is
//! relaxed, which is enough (CDSSpec, section 6.4.3).
//!
//! Two of the orders are needed in C++11, and no program shows it on rc11: that `push` acquires `top` keeps a thief from reading what is
//! pushed later into the slot that it has just taken, which takes load buffering; and the compare-exchange in `steal` is sequentially
//! consistent, where in RC11, as in C++20, the fences order as much. There Release is enough for it, so that the thieves who see `top` moved come
//! after the one who moved it; Relaxed is not, as `two_thieves` shows.
//!
//! The owner pushes and takes at the bottom; thieves take from the top. For the last item all compete for `top`.
//!
//! # Ordering points
//! - `push`: the store to the slot. It is relaxed; the fence behind it releases it to who acquires `bottom`.
//! - `take`: if it gets an item, the store that lowers `bottom`: from then on a thief may find the deque empty because of it, and what
//!   thieves take are other items. Otherwise the last operation of the call: it knows by then what thieves took, by the fence and `top`. Against
//!   the owner's other calls both are ordered anyway.
//! - `steal`: the last operation of the call: the compare-exchange on `top`, won or lost, by which thieves are ordered; or the load of
//!   `bottom` that saw the deque empty, and acquires what was pushed before.
//!
//! # What is specified
//! A list, and whether anything was ever taken or stolen. Admissible are executions in which the owner's calls are ordered, as those of one
//! thread are. A `push` appends, a `take` gets the back, a `steal` the front. Either may find the deque empty only if, after some order of the
//! calls that came before it, each item that is left is got by a concurrent call. A `steal` may be aborted only if there is somebody to lose
//! to, who moved `top`: a concurrent `take` or `steal` that gets an item; or one that came before, since what comes before a call may come after
//! its first load. (The specification that the paper's authors released lets a `steal` get nothing at any time.)
//!
//! # What is left out
//! - A `steal` that is aborted for nothing once an item was got, be it by the same thief: the state does not tell whose call comes next.
//! - Items that do not fit into an atomic word: two threads may read a slot of which one gets the item. Push pointers to them.
//! - Reclamation: old arrays live as long as the deque. And an array never shrinks.

use cdsspec::example::seeded;
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

impl<T> Steal<T> {
    /// The item, if there is one.
    pub(crate) fn item(self) -> Option<T> {
        match self {
            Self::Item(item) => Some(item),
            Self::Empty | Self::Abort => None,
        }
    }
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
#[declare_state(items: VecDeque<T>, is_used: bool)]
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
    #[side_effect(c_ret.and_then(|_| { *is_used = true; items.pop_back() }))]
    #[justifying_post_condition(c_ret.is_some()
        || items.iter().all(|item| concurrent.steal().any(|steal| steal.c_ret == Steal::Item(*item))))]
    pub(crate) fn take(&self) -> Option<T> {
        let bottom = self.bottom.load(Relaxed) - 1;
        let array = Self::at(self.array.load(Relaxed));
        #[op_define]
        self.bottom.store(bottom, Relaxed);
        fence(SeqCst);
        let top = self.top.load(Relaxed);
        let word = if top > bottom || seeded("take_says_empty") {
            self.bottom.store(bottom + 1, Relaxed);
            None
        } else if top < bottom {
            Some(array.slot(bottom).load(Relaxed))
        } else {
            // The last item: it is of whom moves the top.
            let word = array.slot(bottom).load(Relaxed);
            let is_won = self.top.compare_exchange(top, top + 1, Relaxed, Relaxed).is_ok();
            self.bottom.store(bottom + 1, Relaxed);
            is_won.then_some(word)
        };
        cdsspec::op_clear_define!(word.is_none());
        word.map(T::of_word)
    }

    /// A thief takes the item at the top, if there is one and nobody else does.
    #[side_effect(c_ret.item().and_then(|_| { *is_used = true; items.pop_front() }))]
    #[post_condition(c_ret.item() == s_ret)]
    #[justifying_post_condition(match c_ret {
        Steal::Empty => items.iter().all(|item| concurrent.take().any(|take| take.c_ret == Some(*item))
            || concurrent.steal().any(|steal| steal.c_ret == Steal::Item(*item))),
        _ => c_ret != Steal::Abort || *is_used || concurrent.take().any(|take| take.c_ret.is_some())
            || concurrent.steal().any(|steal| steal.c_ret.item().is_some()),
    })]
    pub(crate) fn steal(&self) -> Steal<T> {
        let top = self.top.load(Relaxed);
        fence(SeqCst);
        let bottom = self.bottom.load(Acquire);
        let stolen = if top >= bottom || seeded("steal_says_empty") {
            Steal::Empty
        } else if seeded("steal_always_aborts")
            || seeded("aborts_beside_a_push") && self.bottom.load(Relaxed) > bottom
        {
            Steal::Abort
        } else {
            let array = self.array.load(if seeded("relaxed_array_load") { Relaxed } else { Acquire });
            let word = Self::at(array).slot(top).load(Relaxed);
            let is_won = self.top.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok();
            if is_won { Steal::Item(T::of_word(word)) } else { Steal::Abort }
        };
        cdsspec::op_define!();
        stolen
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
