//! A cell that is written once, by the first who asks; others wait until it is. std's `OnceLock`, in user space.
//!
//! # Ordering points
//! - `get`, and `get_or_init` if it finds the value: the load of the stage that acquires it.
//! - `get_or_init` of whoever initialises: the store that releases the value.
//! - `set` is a `get_or_init`, and has its point.
//!
//! # What is specified
//! The value, if there is one. Every execution is admissible. Whoever asks gets the value of the first one in every history: they cannot
//! disagree, not even unordered. A `set` says whether it was the first. A `get` may see nothing although there is a value, since it may read
//! an old stage; but some order of the calls that came before it must leave the cell empty. That a value is made once, the programs look at.
//!
//! # What is left out
//! An `init` that panics leaves the cell busy, and one that asks for the cell waits for itself; std's gives the next one a try, and
//! may panic. Waiting is spinning; std's sleeps.

use cdsspec::cell::UnsafeCell;
use cdsspec::example::seeded;
use cdsspec::hint;
use cdsspec::sync::atomic::AtomicU8;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// Nobody has asked yet.
const EMPTY: u8 = 0;
/// Somebody makes the value.
const BUSY: u8 = 1;
/// The value is there, and stays.
const READY: u8 = 2;

/// A cell that is written once.
pub(crate) struct OnceCell<T> {
    stage: AtomicU8,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the value moves with the cell.
unsafe impl<T: Send> Send for OnceCell<T> {}
// SAFETY: one thread writes the value, then all may read it; another one than that may drop it.
unsafe impl<T: Send + Sync> Sync for OnceCell<T> {}

#[cdsspec::spec(instance(T = i32))]
#[declare_state(value: Option<T>)]
impl<T> OnceCell<T> {
    /// An empty cell.
    pub(crate) const fn new() -> Self {
        Self { stage: AtomicU8::new(EMPTY), value: UnsafeCell::new(None) }
    }

    /// The value, if it is there.
    #[returns(|value| -> Option<T> { value.copied() })]
    #[post_condition(c_ret.is_none() || c_ret == *value)]
    #[justifying_post_condition(c_ret.is_some() || value.is_none())]
    pub(crate) fn get(&self) -> Option<&T> {
        #[op_define]
        let stage = self.stage.load(if seeded("get_is_relaxed") { Relaxed } else { Acquire });
        (stage == READY && !seeded("get_sees_nothing")).then(|| self.value())
    }

    /// The value; makes it, if nobody has, and waits, if somebody does.
    #[returns(|value| -> T { **value })]
    #[side_effect(*value.get_or_insert(c_ret))]
    pub(crate) fn get_or_init(&self, init: impl FnOnce() -> T) -> &T {
        loop {
            #[op_clear_define]
            let stage = self.stage.load(if seeded("waits_relaxed") { Relaxed } else { Acquire });
            if stage == READY {
                return self.value();
            }
            let is_mine = stage == EMPTY
                && (seeded("does_not_claim")
                    || self.stage.compare_exchange(EMPTY, BUSY, Relaxed, Relaxed).is_ok());
            if is_mine {
                break;
            }
            hint::spin_loop();
        }
        let value = init();
        // SAFETY: this thread alone has made the cell busy, and others read only what is ready.
        self.value.with_mut(|place| unsafe { *place = Some(value) });
        #[op_clear_define]
        self.stage.store(READY, if seeded("publishes_relaxed") { Relaxed } else { Release });
        self.value()
    }

    /// Puts a value in, if there is none.
    ///
    /// # Errors
    /// The value, if there is one.
    #[returns(|set| -> bool { set.is_ok() })]
    #[side_effect(value.replace(value.unwrap_or(new)).is_none())]
    pub(crate) fn set(&self, new: T) -> Result<(), T> {
        if seeded("set_always_fails") {
            self.get();
            return Err(new);
        }
        let mut new = Some(new);
        self.get_or_init(|| new.take().expect("a value is made once"));
        if seeded("set_says_it_was_first") {
            return Ok(());
        }
        new.map_or(Ok(()), Err)
    }

    /// The value of a cell that is ready.
    fn value(&self) -> &T {
        // SAFETY: it was written before the cell became ready, which this thread has acquired, or did; and nobody writes it again.
        let value = self.value.with(|value| unsafe { &*value });
        value.as_ref().expect("a cell that is ready has a value")
    }
}
