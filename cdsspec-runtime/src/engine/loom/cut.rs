//! Ending an execution early.

use std::any::Any;
use std::panic::resume_unwind;

/// Unwinds a thread of an execution that was cut. Not a panic: no hook runs.
struct Cut;

/// Leaves the running thread of an execution that was cut.
pub(super) fn leave() -> ! {
    resume_unwind(Box::new(Cut))
}

/// Whether a thread was left by [`leave`].
pub(super) fn is_cut(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Cut>()
}
