//! The values of a lock that is initialised once, in each execution.

use crate::port::with;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A value for each execution that has set one, and one for all that is outside. None is destroyed before this is, or before it is
/// taken out of a unique borrow.
pub(super) struct Values<T> {
    outside: OnceLock<T>,
    /// By the number of the execution, in the order in which they were set.
    inside: Mutex<Vec<(u64, NonNull<T>)>>,
}

// SAFETY: it owns its values.
unsafe impl<T: Send> Send for Values<T> {}
// SAFETY: it gives out `&T`, and takes a `T` from any thread.
unsafe impl<T: Send + Sync> Sync for Values<T> {}

impl<T> Values<T> {
    pub(super) const fn new() -> Self {
        Self { outside: OnceLock::new(), inside: Mutex::new(Vec::new()) }
    }

    /// The value of the current execution, or of what is outside.
    pub(super) fn get(&self) -> Option<&T> {
        let Some(execution) = with(|execution| execution.number()) else { return self.outside.get() };
        // From the newest: other executions that run now have set few since.
        let value =
            self.inside().iter().rev().find(|(number, _)| *number == execution).map(|(_, value)| *value);
        // SAFETY: the value is there as long as `self` is not borrowed uniquely, and nobody writes.
        value.map(|value| unsafe { value.as_ref() })
    }

    /// Sets the value, unless there is one.
    pub(super) fn set(&self, value: T) {
        match with(|execution| execution.number()) {
            None => drop(self.outside.set(value)),
            Some(_) if self.get().is_some() => {}
            Some(execution) => {
                let value = NonNull::from(Box::leak(Box::new(value)));
                self.inside().push((execution, value));
            }
        }
    }

    pub(super) fn get_mut(&mut self) -> Option<&mut T> {
        let Some(execution) = with(|execution| execution.number()) else { return self.outside.get_mut() };
        let value =
            self.inside().iter().rev().find(|(number, _)| *number == execution).map(|(_, value)| *value);
        // SAFETY: the value is there as long as `self` is, which is borrowed uniquely.
        value.map(|mut value| unsafe { value.as_mut() })
    }

    /// Takes the value out.
    pub(super) fn take(&mut self) -> Option<T> {
        let Some(execution) = with(|execution| execution.number()) else { return self.outside.take() };
        let mut inside = self.inside();
        let index = inside.iter().rposition(|(number, _)| *number == execution)?;
        let (_, value) = inside.remove(index);
        // SAFETY: the value was leaked from a box, and nobody else has the pointer or a reference any more.
        Some(*unsafe { Box::from_raw(value.as_ptr()) })
    }

    fn inside(&self) -> MutexGuard<'_, Vec<(u64, NonNull<T>)>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Values<T> {
    fn drop(&mut self) {
        for (_, value) in std::mem::take(&mut *self.inside()) {
            // SAFETY: the value was leaked from a box, and nobody has a reference any more.
            drop(unsafe { Box::from_raw(value.as_ptr()) });
        }
    }
}
