//! Whether this OS thread runs code of the program under test, or the checker.

use std::cell::Cell;

/// Whose code runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Running {
    /// The checker's, or code outside an execution.
    Checker,
    /// The program's, in an execution.
    Program,
    /// The checker's, to find out whether the allocator is there.
    Probe,
}

thread_local! {
    // Made without an allocation, and never destroyed: the allocator asks at any time.
    static RUNNING: Cell<Running> = const { Cell::new(Running::Checker) };
}

/// Whose code runs now.
#[inline]
pub(super) fn now() -> Running {
    RUNNING.get()
}

/// Whose code ran before; runs again when this is dropped, also by a panic.
pub(crate) struct Restore(Running);

impl Drop for Restore {
    #[inline]
    fn drop(&mut self) {
        RUNNING.set(self.0);
    }
}

/// From here on until the result is dropped, this runs.
#[inline]
pub(crate) fn begin(running: Running) -> Restore {
    Restore(RUNNING.replace(running))
}

/// Runs `f` as code of this one's.
pub(crate) fn during<R>(running: Running, f: impl FnOnce() -> R) -> R {
    let _restore = begin(running);
    f()
}
