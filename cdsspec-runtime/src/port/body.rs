//! What a thread of the program is to do.

use std::sync::Arc;

/// What a thread of the program is to do. It comes with room for its result, so that a thread costs one allocation.
pub trait Body: Send + Sync {
    /// Does it: once.
    ///
    /// # Panics
    /// As the program's code does; and if it has been run.
    fn run(self: Arc<Self>);
}
