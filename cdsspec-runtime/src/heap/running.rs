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

/// Whose code ran before; runs again when this is dropped, also by a panic. It stays on its OS thread.
pub(crate) struct Restore {
    running: *const Cell<Running>,
    before: Running,
}

impl Drop for Restore {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the variable has no destructor, so it is there as long as its OS thread, which this one is.
        unsafe { &*self.running }.set(self.before);
    }
}

/// From here on until the result is dropped, this runs.
#[inline]
pub(crate) fn begin(running: Running) -> Restore {
    RUNNING.with(|now| {
        let before = now.get();
        now.set(running);
        Restore { running: now, before }
    })
}

/// Runs `f` as code of this one's.
pub(crate) fn during<R>(running: Running, f: impl FnOnce() -> R) -> R {
    let _restore = begin(running);
    f()
}
