//! A value that several threads own, and that the last of them drops: std's `Arc` without weak pointers, from scratch.
//!
//! The memory orders are those of std, which are those of Boost's `shared_ptr`: a new handle is made from one that is there, so nothing need be
//! ordered; whoever drops the last one must come after all that the others did with the value.
//!
//! # Ordering points
//! - `clone` and `drop`: the addition, the subtraction. The addition is relaxed; that a handle was made before it is dropped, the
//!   program orders, as it must hand it over.
//! - `get_mut`: the load of the count; it acquires what the drops before released.
//! - `try_unwrap`: the compare-exchange, won or lost.
//!
//! # What is specified
//! The number of handles. Every execution is admissible. Who got the value has the only handle in every history, so that all other handles
//! are dropped before. Who did not get it may be wrong, since it may read an old count; but some order of the calls that came before must
//! leave another handle. That the last `drop` frees the value, none other does, and nobody uses it then, the heap shows.
//!
//! # What is left out
//! Weak pointers, unsized values, and the functions that need neither (`ptr_eq`, `make_mut`, `into_inner`).

use cdsspec::example::seeded;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicUsize, fence};
use std::marker::PhantomData;
use std::mem;
use std::ops::Deref;
use std::process;
use std::ptr::NonNull;

/// More handles than there can be, unless somebody forgets them in a loop.
const HANDLES_MAX: usize = usize::MAX / 2;

/// A handle of a value.
pub(crate) struct Arc<T> {
    shared: NonNull<Shared<T>>,
    /// The last handle drops a `T`.
    owned: PhantomData<Shared<T>>,
}

struct Shared<T> {
    handles: AtomicUsize,
    value: T,
}

// SAFETY: any of the threads may drop the value, and all may use it.
unsafe impl<T: Send + Sync> Send for Arc<T> {}
// SAFETY: as above: who has a reference to a handle can clone it.
unsafe impl<T: Send + Sync> Sync for Arc<T> {}

/// How many handles there are.
#[cdsspec::specification]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[initial(Handles(1))]
struct Handles(usize);

#[cdsspec::spec(for = Handles, object = self.shared, instance(T = Value))]
impl<T> Arc<T> {
    /// The first handle of a value.
    pub(crate) fn new(value: T) -> Self {
        let shared = Box::new(Shared { handles: AtomicUsize::new(1), value });
        Self { shared: NonNull::from(Box::leak(shared)), owned: PhantomData }
    }

    /// The value, if this is its only handle.
    #[returns(|value| -> bool { value.is_some() })]
    #[post_condition(!c_ret || state.0 == 1)]
    #[justifying_post_condition(c_ret || state.0 > 1)]
    pub(crate) fn get_mut(&mut self) -> Option<&mut T> {
        let order = if seeded("get_mut_is_relaxed") { Relaxed } else { Acquire };
        #[op_define]
        let handles = self.handles().load(order);
        if handles > 1 || seeded("get_mut_always_fails") {
            return None;
        }
        // SAFETY: there is no other handle, as none can be made but of this one, and the uses of the others happened before the load.
        Some(unsafe { &mut self.shared.as_mut().value })
    }

    /// The value itself, if this is its only handle.
    ///
    /// # Errors
    /// This handle, if there is another one.
    #[returns(|value| -> bool { value.is_ok() })]
    #[side_effect(if c_ret { mem::take(&mut state.0) } else { state.0 })]
    #[post_condition(!c_ret || s_ret == 1)]
    #[justifying_post_condition(c_ret || s_ret > 1)]
    pub(crate) fn try_unwrap(self) -> Result<T, Self> {
        let order = if seeded("try_unwrap_is_relaxed") { Relaxed } else { Acquire };
        #[op_define]
        let taken = self.handles().compare_exchange(1, 0, order, Relaxed);
        if taken.is_err() || seeded("try_unwrap_always_fails") {
            return Err(self);
        }
        let shared = self.shared;
        mem::forget(self);
        // SAFETY: it was made by `new`, and there is no other handle.
        Ok(unsafe { Box::from_raw(shared.as_ptr()) }.value)
    }

    /// Their number.
    fn handles(&self) -> &AtomicUsize {
        &self.shared().handles
    }

    fn shared(&self) -> &Shared<T> {
        // SAFETY: it is freed with the last handle, and this is one.
        unsafe { self.shared.as_ref() }
    }
}

#[cdsspec::spec(for = Handles, object = self.shared, instance(T = Value))]
impl<T> Clone for Arc<T> {
    /// Another handle.
    #[side_effect(state.0 += 1)]
    fn clone(&self) -> Self {
        #[op_define]
        let handles = self.handles().fetch_add(usize::from(!seeded("clone_is_not_counted")), Relaxed);
        if handles > HANDLES_MAX {
            process::abort();
        }
        Self { shared: self.shared, owned: PhantomData }
    }
}

#[cdsspec::spec(for = Handles, object = self.shared, instance(T = Value))]
impl<T> Drop for Arc<T> {
    /// One handle less; with the last one goes the value.
    #[pre_condition(state.0 > 0)]
    #[side_effect(state.0 -= 1)]
    fn drop(&mut self) {
        let order = if seeded("drop_is_relaxed") { Relaxed } else { Release };
        #[op_define]
        let handles = self.handles().fetch_sub(1, order);
        if handles > 1 || seeded("is_never_freed") {
            return;
        }
        if !seeded("last_drop_does_not_acquire") {
            fence(Acquire);
        }
        // SAFETY: it was made by `new`, this was the last handle, and the uses of the others happened before the fence.
        drop(unsafe { Box::from_raw(self.shared.as_ptr()) });
    }
}

impl<T> Deref for Arc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.shared().value
    }
}

/// The value of the handles that are specified.
type Value = cdsspec::sync::atomic::AtomicI32;
