//! What `Mutex` and `RwLock` are built on: one word with the state of a lock, and who holds what it protects.

mod holder;
mod word;

pub(super) use holder::{Hold, Holder};
pub(super) use word::{LockState, Locked, Word};
