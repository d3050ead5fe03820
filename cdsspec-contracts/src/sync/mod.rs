//! std's `sync`, with clocks: names, signatures and semantics of std.
//!
//! What differs: the layout, so that `as_ptr` and `from_ptr` of atomics are not offered. `Arc` and `Weak` are std's: that the last one comes
//! after the others is not seen, nor that who is alone with a value, by `&mut` or as its owner, comes after all who shared it.

pub mod atomic;
mod barrier;
mod condvar;
mod deprecated;
mod guarded;
pub mod mpsc;
mod mutex;
mod once;
mod rwlock;

pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
#[expect(deprecated, reason = "it is part of std's API")]
pub use deprecated::ONCE_INIT;
pub use mutex::{Mutex, MutexGuard};
pub use once::{LazyLock, Once, OnceLock, OnceState};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use std::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak};
