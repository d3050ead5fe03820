//! std's `sync`, instrumented: names, signatures and semantics of std.
//!
//! Inside an execution every operation goes to the engine; outside of one the types behave as std's. What differs: the layout,
//! so that `as_ptr` and `from_ptr` of atomics are not offered; what is initialised once is initialised anew in every execution;
//! `Arc<T>` does not turn into `Arc<dyn Trait>` by itself, since that is not open to types other than std's: `Arc::from` a box.
//!
//! A `static` of these types starts every execution anew. What a `Mutex`, an `RwLock` or a channel holds cannot: a second execution that
//! uses it is refused. In a [`LazyLock`] it is made in each.

mod arc;
pub mod atomic;
mod barrier;
mod condvar;
mod deprecated;
mod downgrade;
mod lock;
pub mod mpsc;
mod mutex;
mod once;
mod residence;
mod rwlock;
mod target;

pub use arc::{Arc, Weak};
pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
#[expect(deprecated, reason = "it is part of std's API")]
pub use deprecated::ONCE_INIT;
pub use mutex::{Mutex, MutexGuard};
pub use once::{LazyLock, Once, OnceLock, OnceState};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};
