//! Which execution this OS thread is running, if any.

use super::Execution;
use crate::heap::{self, Running};
use std::cell::Cell;
use std::ptr::NonNull;

thread_local! {
    static CURRENT: Cell<Option<NonNull<Execution>>> = const { Cell::new(None) };
}

/// Runs `f` with the execution that this OS thread is running; `None` outside of one.
pub fn with<R>(f: impl FnOnce(&Execution) -> R) -> Option<R> {
    let Ok(Some(current)) = CURRENT.try_with(Cell::get) else { return None };
    let _checker = heap::begin(Running::Checker);
    // SAFETY: `enter` set the pointer from a reference that outlives its call, and takes it back before it returns; threads of
    // the program run only inside that call.
    Some(f(unsafe { current.as_ref() }))
}

/// Makes `execution` the current one of this OS thread while `f` runs.
///
/// # Panics
/// If there is one already: models do not nest.
pub fn enter<R>(execution: &Execution, f: impl FnOnce() -> R) -> R {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            CURRENT.set(None);
        }
    }
    assert!(CURRENT.get().is_none(), "a model was started inside another model: models do not nest");
    CURRENT.set(Some(NonNull::from(execution)));
    super::outside::note_run();
    let _leave = Leave;
    let _heap = execution.heap().enter();
    f()
}

/// Runs `f` as code of the checker's: what it allocates and frees is no business of the program's.
pub(crate) fn as_checker<R>(f: impl FnOnce() -> R) -> R {
    heap::during(Running::Checker, f)
}
