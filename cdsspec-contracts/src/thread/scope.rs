//! Scopes of threads that borrow.
//!
//! The only unsafe code of this crate: a [`Scope`] beside std's must be there as long as std's is, which is longer than anything that the closure of
//! std's `scope` has of its own.

#![allow(unsafe_code, reason = "see above")]

use super::end::End;
use std::cell::Cell;
use std::fmt;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// std's `Scope`.
pub struct Scope<'scope, 'env> {
    inner: &'scope thread::Scope<'scope, 'env>,
    ends: Ends,
}

/// The ends of the threads of a scope.
#[derive(Clone, Default)]
struct Ends(Arc<Mutex<Vec<End>>>);

impl Ends {
    /// The running thread comes after all of them.
    fn join(&self) {
        for end in std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            end.join();
        }
    }
}

/// A scope on the heap, which is freed with this; and the ends of its threads, which the running thread comes after then.
struct Lent<'env> {
    scope: Cell<*mut Scope<'env, 'env>>,
    ends: Ends,
}

/// std's `scope`: all that its threads did happens before its end.
///
/// # Panics
/// If a thread that was not joined panicked.
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let lent = Lent { scope: Cell::new(null_mut()), ends: Ends::default() };
    thread::scope(|inner| {
        let scope = Box::into_raw(Box::new(Scope { inner, ends: lent.ends.clone() }));
        lent.scope.set(scope.cast());
        // SAFETY: it is a value on the heap that nobody has uniquely. It is freed when `lent` is dropped: after std's `scope` has returned or
        // unwound, when `'scope` is over.
        f(unsafe { &*scope })
    })
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.ends.join();
        let scope = self.scope.get();
        if !scope.is_null() {
            // SAFETY: it was made by `Box::into_raw`, of a type that differs in lifetimes alone, and nobody has a reference any more: as above.
            drop(unsafe { Box::from_raw(scope) });
        }
    }
}

impl<'scope, 'env> Scope<'scope, 'env> {
    pub(super) fn inner(&self) -> &'scope thread::Scope<'scope, 'env> {
        self.inner
    }

    /// One more thread.
    pub(super) fn add(&self, end: End) {
        self.ends.0.lock().unwrap_or_else(PoisonError::into_inner).push(end);
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}
