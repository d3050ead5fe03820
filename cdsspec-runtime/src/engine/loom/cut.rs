//! Ending an execution early, and panics of the program.

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

/// The text of a panic.
pub(super) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a text").to_owned()
}
