//! `OnceLock`.

use super::Once;
use super::value::Values;
use crate::port::here;
use crate::record::{Orders, Place, operation_name};
use std::fmt;

/// std's `OnceLock`, instrumented. It is empty at the start of every execution, unless it was constructed with a value (`From`):
/// what was set outside, or in another execution, is not seen.
///
/// A value belongs to its lock, as in std, and is destroyed with it, not with its execution: a reference to it may have been kept.
/// So a static lock keeps one value for each execution that sets it.
pub struct OnceLock<T> {
    once: Once,
    /// The value that it was constructed with.
    constructed: Option<T>,
    values: Values<T>,
}

impl<T> OnceLock<T> {
    /// An empty one.
    pub const fn new() -> Self {
        Self { once: Once::new(), constructed: None, values: Values::new() }
    }

    /// The value, if it is set.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        if self.constructed.is_some() {
            return self.constructed.as_ref();
        }
        let is_set = self.once.is_completed_at(here(operation_name!("get"), Orders::None));
        if is_set { self.values.get() } else { None }
    }

    /// The value, borrowed uniquely, if it is set.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.constructed.as_mut().or_else(|| self.values.get_mut())
    }

    /// Waits until the value is set.
    #[inline(always)]
    #[track_caller]
    pub fn wait(&self) -> &T {
        if self.constructed.is_none() {
            self.once.wait_at(here(operation_name!("wait"), Orders::None), true);
        }
        self.value()
    }

    /// Sets the value, if it is not set; if another thread is about to, waits until it has.
    ///
    /// # Errors
    /// This value, if there is one.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.initialise_at(here(operation_name!("set"), Orders::None), || value.take());
        value.map_or(Ok(()), Err)
    }

    /// The value, which is made by `f` if it is not set. If `f` panics, it is not set.
    #[inline(always)]
    #[track_caller]
    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        self.initialise_at(here(operation_name!("get_or_init"), Orders::None), || Some(f()));
        self.value()
    }

    /// The value.
    pub fn into_inner(mut self) -> Option<T> {
        self.constructed.take().or_else(|| self.values.take())
    }

    /// Takes the value out.
    pub fn take(&mut self) -> Option<T> {
        std::mem::take(self).into_inner()
    }

    fn initialise_at(&self, place: Place, f: impl FnOnce() -> Option<T>) {
        if self.constructed.is_none() {
            self.once.call_at(place, true, |_| f().into_iter().for_each(|value| self.values.set(value)));
        }
    }

    fn value(&self) -> &T {
        let value = self.constructed.as_ref().or_else(|| self.values.get());
        value.expect("cdsspec bug: who completes a OnceLock has set its value")
    }
}

impl<T> Default for OnceLock<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> From<T> for OnceLock<T> {
    fn from(value: T) -> Self {
        Self { constructed: Some(value), ..Self::new() }
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    #[inline(always)]
    #[track_caller]
    fn clone(&self) -> Self {
        match self.get() {
            Some(value) => Self::from(value.clone()),
            None => Self::new(),
        }
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    #[inline(always)]
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}

/// Shows the value, if there is one. No operation for an engine.
impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("OnceLock");
        match self.constructed.as_ref().or_else(|| self.values.get()) {
            Some(value) => shown.field(value),
            None => shown.field(&format_args!("<uninit>")),
        };
        shown.finish()
    }
}
