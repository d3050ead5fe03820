//! Channels that were made outside of the program, inside an execution.

use crate::port::with;

/// Whether an execution runs.
pub(super) fn is_inside() -> bool {
    with(|_| ()).is_some()
}

/// # Panics
/// Always.
#[track_caller]
pub(super) fn cannot_wait() -> ! {
    panic!(
        "a channel that was made outside of the program waits inside it, which engines cannot see: make it in the program"
    );
}
